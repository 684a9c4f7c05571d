"""Claims: their lists hold, verdicts follow from intervals, and measuring goes on where it was interrupted."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from rich.text import Text

import podium
from podium.cli import claims as claims_command
from podium.cli.console import PlainConsole
from podium.errors import PodiumError
from podium.games.game import Findings
from podium.lab.claims import claims as lab
from podium.lab.claims.claims import (
    Claim,
    ClaimResults,
    Finding,
    chosen,
    claims_of,
    games_with_claims,
    measure,
    read_claims,
    verdict_on,
)
from podium.lab.claims.claims_report import ClaimsReport, measured_text, short_text, value_text
from podium.lab.claims.matches import MatchMeasurement
from podium.lab.claims.measurements import MeasurementSession, NotMeasurable, StudyMeasurement, ordered, result
from podium.lab.claims.picture import draw
from podium.lab.claims.verdicts import (
    ClaimVerdict,
    Expectation,
    Interval,
    Judged,
    Standard,
    combined,
    discovery_level,
)
from tests.commands import podium as said

GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq")
EIGHT_PERCENT = Standard(Expectation.EFFECT, 0.56, 0.60)
POORER = Standard(Expectation.EFFECT, 0.0, 0.48)
NO_GAIN = Standard(Expectation.NOTHING, 0.45, 0.55)
ALIKE = Standard(Expectation.EQUAL, 0.4, 0.6)
RATE = Standard(Expectation.FIGURE, 20_000, 80_000)
TIME = Standard(Expectation.FIGURE, 2.0, 3.0, more_is_better=False)
ASKED = Standard(Expectation.QUESTION, 0.45, 0.55)


def around(value, error):
    return Interval(value, value - error, value + error)


# The lists


def test_every_game_of_a_write_up_has_claims():
    assert set(GAMES) <= set(games_with_claims())


@pytest.mark.parametrize("game", GAMES)
def test_all_that_a_list_names_exists(game):
    found = claims_of(game)
    assert len(found) >= 10
    for claim in found:
        for each in claim.measurements:
            each.check()


@pytest.mark.parametrize("game", GAMES)
def test_kept_results_are_those_of_measurements_in_the_list(game):
    commands = {each.command for claim in claims_of(game) for each in claim.measurements}
    kept = lab.read_results(lab.folder_of(game) / lab.FOLDER / lab.MEASURED)
    assert set(kept) <= commands
    assert all(found.low <= found.value <= found.high for found in kept.values())


def test_two_measurements_never_share_a_command():
    commands = [
        each.command for game in GAMES for claim in claims_of(game) for each in claim.measurements if each.command
    ]
    assert len(commands) == len(set(commands))


LIST = """
[[claim]]
id = "rave"
gist = "RAVE helps"
claimed = "a lot"
expect = "effect"
figure = [0.55, 1.0]
[[claim.measure]]
kind = "match"
first = "uct"
second = "random"
nodes = 20
games = 4
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('expect = "effect"', 'expect = "luck"', "expect cannot be 'luck'"),
        ("figure = [0.55, 1.0]", "figure = [1.0, 0.55]", "a figure is a range"),
        ("figure = [0.55, 1.0]", "figure = 0.55", "figure cannot be 0.55"),
        ('gist = "RAVE helps"', "", "gist is missing"),
        ("nodes = 20", "nods = 20", "did you mean nodes"),
        ("games = 4", "games = true", "games cannot be True"),
        ('kind = "match"', 'kind = "duel"', "unknown kind of measure 'duel'"),
        ("nodes = 20", "nodes = ", "Invalid value"),
        (LIST, LIST + LIST, "another claim has the same id"),
        (LIST, "", "has no claims"),
    ],
)
def test_a_list_that_is_wrong_is_refused_in_a_sentence(old, new, words, tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(LIST.replace(old, new))
    with pytest.raises(PodiumError, match=words):
        read_claims("zuniq", path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [('"uct"', '"uctt"', "unknown bot"), ('"uct"', '"uct:exploratoin=1"', "did you mean exploration")],
)
def test_a_bot_that_is_gone_is_found_out(old, new, words, tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(LIST.replace(old, new))
    (claim,) = read_claims("zuniq", path)
    with pytest.raises(PodiumError, match=words):
        claim.measurements[0].check()


# Verdicts


@pytest.mark.parametrize(
    ("standard", "found", "verdict"),
    [
        (EIGHT_PERCENT, around(0.58, 0.03), ClaimVerdict.CONFIRMED),
        (EIGHT_PERCENT, around(0.70, 0.05), ClaimVerdict.DIFFERENT_VALUE),  # larger
        (EIGHT_PERCENT, around(0.53, 0.02), ClaimVerdict.DIFFERENT_VALUE),  # smaller
        (EIGHT_PERCENT, around(0.55, 0.08), ClaimVerdict.NO_EFFECT_SHOWN),
        (EIGHT_PERCENT, around(0.51, 0.03), ClaimVerdict.NOT_CONFIRMED),
        (EIGHT_PERCENT, around(0.40, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (POORER, around(0.30, 0.1), ClaimVerdict.CONFIRMED),
        (POORER, around(0.60, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (POORER, around(0.50, 0.05), ClaimVerdict.NO_EFFECT_SHOWN),
        (NO_GAIN, around(0.50, 0.04), ClaimVerdict.CONFIRMED),
        (NO_GAIN, around(0.42, 0.05), ClaimVerdict.CONFIRMED),  # nothing gained, perhaps something lost
        (NO_GAIN, around(0.15, 0.08), ClaimVerdict.DIFFERENT_VALUE),
        (NO_GAIN, around(0.60, 0.05), ClaimVerdict.NOT_CONFIRMED),
        (NO_GAIN, around(0.50, 0.15), ClaimVerdict.NO_EFFECT_SHOWN),
        (ALIKE, around(0.52, 0.05), ClaimVerdict.CONFIRMED),
        (ALIKE, around(0.36, 0.2), ClaimVerdict.NO_EFFECT_SHOWN),
        (ALIKE, around(0.3, 0.1), ClaimVerdict.NOT_CONFIRMED),
        (RATE, around(93_000, 5_000), ClaimVerdict.DIFFERENT_VALUE),
        (RATE, around(78_000, 1_000), ClaimVerdict.CONFIRMED),
        (RATE, around(78_000, 5_000), ClaimVerdict.BORDERLINE),  # its mean may be inside or beyond
        (RATE, Interval(78_000, 20_000, 200_000), ClaimVerdict.BORDERLINE),  # a wide interval confirms nothing
        (RATE, around(9_000, 1_000), ClaimVerdict.NOT_CONFIRMED),
        (TIME, around(0.06, 0.01), ClaimVerdict.DIFFERENT_VALUE),
        (TIME, around(7.0, 1.0), ClaimVerdict.NOT_CONFIRMED),
        (ASKED, around(0.6, 0.05), ClaimVerdict.HELPS),
        (ASKED, around(0.4, 0.05), ClaimVerdict.HARMS),
        (ASKED, around(0.52, 0.02), ClaimVerdict.HARDLY_MATTERS),
        (ASKED, around(0.53, 0.04), ClaimVerdict.NO_EFFECT_SHOWN),
    ],
)
def test_a_verdict_follows_from_the_interval(standard, found, verdict):
    assert standard.verdict(found) is verdict


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ([], ClaimVerdict.NOT_MEASURED),
        ([ClaimVerdict.NOT_MEASURED], ClaimVerdict.NOT_MEASURED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NOT_MEASURED], ClaimVerdict.CONFIRMED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.CONFIRMED], ClaimVerdict.CONFIRMED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.OPEN], ClaimVerdict.OPEN),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN], ClaimVerdict.PARTLY_DECIDED),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN, ClaimVerdict.OPEN], ClaimVerdict.OPEN),
        (
            [ClaimVerdict.CONFIRMED, ClaimVerdict.BORDERLINE, ClaimVerdict.NOT_CONFIRMED],
            ClaimVerdict.DEPENDS_ON_CONDITIONS,
        ),
        ([ClaimVerdict.NO_EFFECT_SHOWN, ClaimVerdict.NOT_MEASURED], ClaimVerdict.NO_EFFECT_SHOWN),
        ([ClaimVerdict.CONFIRMED, ClaimVerdict.DIFFERENT_VALUE, ClaimVerdict.OPEN], ClaimVerdict.DEPENDS_ON_CONDITIONS),
    ],
)
def test_several_measurements_give_one_verdict(given, verdict):
    assert combined(given) is verdict


def test_the_games_needed_would_decide():
    found, games = around(0.55, 0.08), 120
    needed = EIGHT_PERCENT.games_needed(found, games)
    assert needed == 310  # the interval has to exclude 0.5: (0.08 / 0.05)^2 times as many
    assert EIGHT_PERCENT.verdict(found.scaled((games / needed) ** 0.5)).decided
    assert not EIGHT_PERCENT.verdict(found.scaled((games / (0.95 * needed)) ** 0.5)).decided


def test_nobody_waits_for_what_can_not_be_told_apart():
    edge = Standard(Expectation.EFFECT, 0.5, 0.6)
    assert edge.games_needed(around(0.5, 0.1), 100) is None


# Many verdicts, several looks


def test_the_level_of_an_interval_is_that_of_the_normal_distribution():
    found = around(0.5, 1.959964)
    assert found.at_level(0.95) == found
    assert found.at_level(0.99).high == pytest.approx(0.5 + 2.575829, abs=1e-5)
    assert found.at_level(0.95, looks=5) == found.at_level(0.99)


def test_the_level_is_that_of_benjamini_and_hochberg():
    """An interval decides if its p-value is small enough: they are ordered, and compared with i q/m."""
    values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    values += [0.7590, 1.0]  # the example of their paper, of which four are discoveries at 5 %
    normal = NormalDist()
    measured = []
    for p in values:
        error = 0.1
        shift = normal.inv_cdf(1 - p / 2) * error / normal.inv_cdf(0.975)
        measured.append(Judged(Standard(Expectation.QUESTION, 0.5, 0.5), around(0.5 + shift, error)))
    level = discovery_level(measured, 0.05)
    assert level == pytest.approx(1 - 0.05 * 4 / 15)
    assert sum(each.verdict(level) is ClaimVerdict.HELPS for each in measured) == 4


def test_few_verdicts_are_wrong_where_hardly_anything_is_true():
    """Of 200 matches of equal bots and 20 of unequal ones, most that are decided are of unequal ones."""
    random = np.random.default_rng(1)
    asked = Standard(Expectation.QUESTION, 0.5, 0.5)
    wrong = {"controlled": [], "each at 95 %": []}
    for _ in range(50):
        found = random.normal([0.5] * 200 + [0.6] * 20, 0.02)
        measured = [Judged(asked, around(value, 0.02 * 1.96)) for value in found]
        for level, shares in zip((discovery_level(measured), 0.95), wrong.values(), strict=True):
            decided = [each.verdict(level).decided for each in measured]
            shares.append(sum(decided[:200]) / max(1, sum(decided)))
    assert np.mean(wrong["controlled"]) < 0.06
    assert np.mean(wrong["each at 95 %"]) > 0.2


def test_what_is_exact_counts_for_no_discovery():
    exact = Judged(Standard(Expectation.FIGURE, 1, 2), Interval(1.5, 1.5, 1.5))
    undecided = Judged(Standard(Expectation.QUESTION, 0.5, 0.5), around(0.52, 0.019))  # at 95 % it would be decided
    assert discovery_level([undecided] + 20 * [exact]) == discovery_level([undecided]) == 0.95
    assert discovery_level([]) == 0.95


def test_a_sample_that_is_not_complete_has_no_verdict():
    claim = made_claim()
    half = Finding(claim, claim.measurements[0], result(around(0.58, 0.03), 2, "games"))
    whole = replace(half, result=result(around(0.58, 0.03), 4, "games"))
    assert (half.verdict, whole.verdict) == (ClaimVerdict.OPEN, ClaimVerdict.CONFIRMED)
    assert "2 of 4 games" in measured_text(half)


def test_more_games_after_a_look_widen_the_interval():
    claim = made_claim()
    once = Finding(claim, claim.measurements[0], result(around(0.58, 0.07), 4, "games"))
    twice = replace(once, measurement=MatchMeasurement("zuniq", "uct", "random", games=[2, 4], nodes=20))
    assert twice.measurement.planned == 4
    assert (once.verdict, twice.verdict) == (ClaimVerdict.CONFIRMED, ClaimVerdict.NO_EFFECT_SHOWN)
    assert "look 2" in measured_text(twice)


def test_a_measurement_that_is_missing_leaves_a_claim_open():
    """The verdict on the first could be another than that on both. What nobody can measure is not waited for."""
    claim = made_claim()
    found, missing = finding(0.58, 0.03, claim=claim), Finding(claim, claim.measurements[0], None)
    never = Finding(claim, NotMeasurable("zuniq", "nobody can"), None)
    assert verdict_on([found]) is verdict_on([found, never]) is ClaimVerdict.CONFIRMED
    assert verdict_on([found, missing]) is ClaimVerdict.OPEN
    assert verdict_on([missing, never]) is ClaimVerdict.NOT_MEASURED
    assert ClaimsReport((found, missing)).remark(claim) == " (0 of 4 so far)"


# Measures


def made_claim(**changes):
    match = MatchMeasurement("zuniq", "uct", "random", games=4, nodes=20)
    return replace(Claim("zuniq", "uct", "It wins", "always", EIGHT_PERCENT, "%", (match,)), **changes)


TABLE = Findings(("players", "turns", "low", "name"), [(4, 2.5, 2, "four"), (3, 5.0, 4, "three")])


def test_a_study_is_read_by_row_and_column():
    cell = StudyMeasurement("zuniq", "depth", {"players": 4}, "turns", low="low")
    assert (cell.read(TABLE).value, cell.read(TABLE).low, cell.read(TABLE).high) == (2.5, 2.0, 2.5)


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ({"players": 5}, "turns", "no row with players 5"),
        ({"player": 4}, "turns", "did you mean players"),
        ({"players": 4}, "turn", "did you mean turns"),
        ({"players": 4}, "name", "'four', which is no number"),
    ],
)
def test_a_cell_that_is_not_there_is_a_sentence(row, column, words):
    with pytest.raises(PodiumError, match=words):
        StudyMeasurement("zuniq", "depth", row, column).read(TABLE)


def test_what_is_quick_comes_first_and_games_take_turns():
    a, b, c = (MatchMeasurement(game, "x", "y", 1, 1) for game in ("a", "b", "c"))
    quick = StudyMeasurement("b", "study", {}, "x")
    second = MatchMeasurement("a", "x", "z", 1, 1)
    assert ordered([[a, second], [b, quick], [c]]) == [quick, a, b, c, second]


# Measuring


@pytest.fixture
def store(tmp_path):
    return tmp_path / "claims.db"


@pytest.mark.compiled
def test_measuring_plays_what_is_missing_and_no_more(store):
    claims = [made_claim()]
    assert measure(claims, ClaimResults(["zuniq"], store), MeasurementSession(store, jobs=1, games=2))
    first = ClaimResults(["zuniq"], store).found[claims[0].measurements[0].command]
    assert (first.sample, first.counted) == (2, "games")
    assert measure(claims, ClaimResults(["zuniq"], store), MeasurementSession(store, jobs=1))
    results = ClaimResults(["zuniq"], store)
    assert results.found[claims[0].measurements[0].command].sample == 4

    class Idle(MatchMeasurement):
        def take(self, session):
            raise AssertionError("nothing is missing")

    idle = Idle("zuniq", "uct", "random", games=4, nodes=20)
    assert measure([made_claim(measurements=(idle,))], results, MeasurementSession(store, jobs=1))


def test_nothing_is_measured_where_a_list_is_out_of_date(store):
    gone = StudyMeasurement("zuniq", "dept", {}, "turns")
    with pytest.raises(PodiumError, match="unknown study of zuniq 'dept'"):
        measure(
            [made_claim(), made_claim(id="gone", measurements=(gone,))],
            ClaimResults(["zuniq"], store),
            MeasurementSession(store, jobs=1),
        )
    assert not store.exists()


def test_time_that_is_over_leaves_what_was_found(store):
    results = ClaimResults(["zuniq"], store)
    assert not measure([made_claim()], results, MeasurementSession(store, jobs=1, end=time.monotonic() - 1))
    assert ClaimResults(["zuniq"], store).found == results.found


@pytest.mark.compiled
def test_places_are_counted(store):
    match = MatchMeasurement("code_of_kutulu", "random", "wait", games=4, nodes=1, sharing="one", value="first_or_last")
    found = match.take(MeasurementSession(store, jobs=1))
    places = [int(number) for number in found.note.removeprefix("places ").split(", ")]
    assert sum(places) == found.sample == 4
    assert found.low <= found.value <= found.high
    between = replace(match, value="middle").take(MeasurementSession(store, jobs=1))
    assert between.value == sum(places[1:3]) / 4
    assert replace(match, value="middle").command != match.command  # two results of one match


MEASURING = """
import sys
from podium.lab.claims.claims import Claim, ClaimResults, measure
from podium.lab.claims.matches import MatchMeasurement
from podium.lab.claims.measurements import MeasurementSession
from podium.lab.claims.verdicts import Expectation, Standard
match = MatchMeasurement("zuniq", "random", "random", games=4000, nodes=1)
claim = Claim("zuniq", "random", "It wins", "half", Standard(Expectation.NOTHING, 0.45, 0.55), "%", (match,))
measure([claim], ClaimResults(["zuniq"], sys.argv[1]), MeasurementSession(sys.argv[1], jobs=1))
"""


@pytest.mark.compiled
def test_after_a_sudden_end_the_games_are_still_there(store):
    process = subprocess.Popen([sys.executable, "-c", MEASURING, str(store)])
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end and stored_games(store) < 2:
            time.sleep(0.05)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    played = stored_games(store)
    assert played >= 2
    match = MatchMeasurement("zuniq", "random", "random", games=2, nodes=1)
    found = match.take(MeasurementSession(store, jobs=1))
    assert played - 1 <= found.sample <= played  # all pairs that were complete, and nothing new had to be played


def stored_games(store):
    """How many games a store holds; none while it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


# The report


def finding(value, error, sample=100, claim=None):
    claim = claim or made_claim()
    return Finding(claim, claim.measurements[0], result(around(value, error), sample, "games"))


@pytest.mark.parametrize(
    ("changes", "value", "error", "words"),
    [
        ({}, 0.55, 0.08, "no effect shown (at most 13.0 points), about 310 would decide"),
        ({}, 0.55, 0.6, "no effect shown (at most 50.0 points)"),  # a score ends at 0 and 1
        ({"standard": Standard(Expectation.EFFECT, 1.02, 10, than=1.0), "unit": "times"}, 1.0, 0.03, "(at most 3.0 %)"),
        ({"standard": Standard(Expectation.EFFECT, -9, -1, than=0.0), "unit": "turns"}, -2, 5, "(at most 7 turns)"),
        ({"standard": RATE, "unit": "turns/s"}, 78_000, 5_000, "; borderline, about"),
    ],
)
def test_what_does_not_decide_bounds_the_effect_and_says_how_many_games_would(changes, value, error, words):
    assert words in measured_text(finding(value, error, 120, made_claim(**changes)))


def test_every_claim_whose_games_are_played_has_another_verdict_than_open():
    """The page says `open` of samples alone that are not complete, and bounds the effect of the others."""
    played, waiting = finding(0.5, 0.07), finding(0.5, 0.07, 2, made_claim(id="waiting"))
    report = ClaimsReport((played, waiting))
    assert report.headlines == ["2 claims: no effect shown 1, open 1."]
    assert [row["bound"] for row in report.rows()] == [pytest.approx(0.07), None]
    page = report.page("picture.svg")
    assert "| 50.0 % (43.0 to 57.0) | **no effect shown** (at most 7.0 points) |" in page
    assert "| 50.0 % (43.0 to 57.0) | **open** (2 of 4 so far) |" in page


def test_what_is_missing_says_how_long_a_core_takes(tmp_path):
    path = tmp_path / "claims.toml"
    again = LIST[LIST.index("[[claim.measure]]") :]
    path.write_text(
        "node_seconds = 1.0\n"
        + LIST.replace("nodes = 20", "nodes = 20\nhandicap = 2")  # 4 games of 20 nodes, one and a half times
        + again.replace("nodes = 20", "nodes = 20\nnode_seconds = 3.0")
        + '[[claim.measure]]\nkind = "nowhere"\nreason = "nobody can"\n'
    )
    (claim,) = read_claims("zuniq", path)
    assert [each.core_seconds for each in claim.measurements] == [120.0, 240.0, 0.0]
    some, none, never = (Finding(claim, each, None) for each in claim.measurements)
    some = Finding(claim, some.measurement, result(around(0.5, 0.1), 2, "games"))
    assert ClaimsReport((some, none, never)).remark(claim) == " (2 of 8 so far; all take a core 6 min)"
    assert measured_text(some).endswith("2 of 4 games; open; all take a core 2 min")


def test_a_difference_of_percentages_is_in_points_and_a_pure_number_has_no_unit():
    gain = made_claim(standard=Standard(Expectation.EFFECT, 0.1, 0.2, than=0.0))
    power = made_claim(standard=Standard(Expectation.FIGURE, 0.7, 0.8), unit="")
    found = finding(0.229, 0.02, claim=gain), finding(0.75, 0.02, claim=power)
    assert [value_text(each) for each in found] == ["22.9 points (20.9 to 24.9)", "0.75 (0.73 to 0.77)"]
    assert [short_text([each]) for each in found] == [value_text(each) for each in found]
    assert short_text([found[0], found[0]]) == "22.9, 22.9 points"


def test_the_bound_of_several_measurements_is_the_widest():
    claim = made_claim()
    report = ClaimsReport((finding(0.5, 0.07, claim=claim), finding(0.52, 0.08, claim=claim)))
    assert report.remark(claim) == " (at most 10.0 points)"


def test_a_page_tells_everything(tmp_path):
    missing = made_claim(id="missing")
    never = made_claim(id="never", measurements=(NotMeasurable("zuniq", "nobody can"),))
    report = ClaimsReport(
        (
            finding(0.58, 0.03),
            Finding(missing, missing.measurements[0], None),
            Finding(never, never.measurements[0], None),
        )
    )
    page, picture = report.write(tmp_path / "claims.md")
    text = page.read_text()
    for words in (
        "| **confirmed** | 1 |  | an effect as claimed",
        "| **not measured** | 2 |  |",
        "| all | 3 | 0 | |",
        "| always | nobody can | **not measured** |",
        "| always | nothing yet | **not measured** (0 of 4 so far) |",
        "58.0 % (55.0 to 61.0)",
        "podium match zuniq uct random --nodes 20 --no-thoughts --games 4",
        "nobody can",
        "not yet (20 nodes): 0 of 4",
        result(around(0, 0), 1, "games").machine,
        "pictures/claims.svg",
    ):
        assert words in text
    assert "<svg" in picture.read_text()
    assert verdict_on(report.of(missing)) is ClaimVerdict.NOT_MEASURED


def test_the_picture_marks_claimed_and_measured():
    speed = made_claim(id="speed <fast>", standard=RATE, unit="turns/s")
    text = draw([finding(0.58, 0.03), finding(93_000, 5_000, claim=speed)])
    assert text.count('<circle class="confirmed"') == text.count('<circle class="other"') == 1
    assert "speed &lt;fast&gt;" in text
    turns = made_claim(id="turns", standard=Standard(Expectation.EFFECT, -30, -1, than=0.0), unit="turns")
    assert "turns" not in draw([finding(-3, 1, claim=turns)])  # a difference from 0 has no place on its axes
    assert "prefers-color-scheme: dark" in text


def test_without_measuring_the_kept_results_are_shown(store, tmp_path, monkeypatch):
    folder = tmp_path / "game"
    (folder / lab.FOLDER).mkdir(parents=True)
    (folder / lab.FOLDER / lab.LIST).write_text(LIST)
    monkeypatch.setattr(lab, "folder_of", lambda game: folder)
    (claim,) = claims_of("zuniq")
    results = ClaimResults(["zuniq"], store)
    results.add(claim.measurements[0], result(around(0.8, 0.1), 40, "games"))
    results.keep([claim])
    os.remove(results.own)
    report = podium.claims("zuniq", store=store)
    assert [(row["claim"], row["sample"], row["verdict"]) for row in report.rows()] == [("rave", 40, "confirmed")]
    assert json.loads((folder / lab.FOLDER / lab.MEASURED).read_text())


def test_the_later_result_counts(store, tmp_path, monkeypatch):
    folder = tmp_path / "game"
    (folder / lab.FOLDER).mkdir(parents=True)
    monkeypatch.setattr(lab, "folder_of", lambda game: folder)
    new = result(around(0.6, 0.2), 10, "games")
    old = replace(new, date="2020-01-01")
    same_day = replace(new, sample=40)
    lab.write_results(folder / lab.FOLDER / lab.MEASURED, {"a": old, "b": new, "c": same_day})
    lab.write_results(ClaimResults([], store).own, {"a": new, "b": old, "c": new})
    assert ClaimResults(["zuniq"], store).found == {"a": new, "b": new, "c": new}


def test_a_damaged_file_of_results_is_a_sentence(tmp_path):
    path = tmp_path / "measured.json"
    path.write_text('{"podium match": {"value": 1}}')
    with pytest.raises(PodiumError, match="does not hold results of claims"):
        lab.read_results(path)


def test_one_line_a_claim_and_all_about_it_in_detail(store):
    short, long = (said("claims", *more, "--store", store) for more in ((), ("zuniq", "--details")))
    assert "podium match" not in short
    rows = [line for line in short.splitlines() if line.startswith("│")]
    ids = [claim.id for game in GAMES for asked in (False, True) for claim in chosen([game]) if claim.asked is asked]
    assert [row.split()[1] for row in rows] == ids, "one line a claim, on a terminal of 80 columns, questions apart"
    assert "podium match zuniq writeup:book=off writeup:book=off,rave_max=off --nodes 300 --no-thoughts" in long
    assert "Zuniq: claims" in short and "Zuniq: questions" in short
    assert "intervals at the level of" in short
    assert "the author: more stable, so he used it" in long and "claimed: better results" in long
    assert "verdict: confirmed: an effect as claimed" in long


def test_what_a_terminal_wraps_is_indented_like_the_line(monkeypatch):
    monkeypatch.setattr(PlainConsole, "is_terminal", True)
    console = PlainConsole()
    console.width = 80
    report = podium.claims("zuniq", only=["rave-max"])
    monkeypatch.setattr(claims_command, "console", console)
    with console.capture() as captured:
        console.print(claims_command._described(report, "zuniq", report.claims))
    lines = [line.rstrip() for line in Text.from_ansi(captured.get()).plain.splitlines()]
    start = lines.index("    podium match zuniq writeup:book=off writeup:book=off,rave_max=off --nodes")
    assert lines[start + 1] == "    300 --no-thoughts --games 1000"


def test_an_unknown_claim_is_refused():
    with pytest.raises(PodiumError, match="did you mean rave-max"):
        podium.claims("zuniq", only=["rave-mx"])
