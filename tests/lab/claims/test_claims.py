"""The lists of claims hold, and measuring goes on where it was interrupted."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace

import pytest

from podium.errors import PodiumError
from podium.games.game import Findings
from podium.lab.claims import claims as lab
from podium.lab.claims.claims import ClaimResults, claims_of, games_with_claims, measure, read_claims
from podium.lab.claims.matches import MatchMeasurement
from podium.lab.claims.measurements import MeasurementSession, StudyMeasurement, ordered
from tests.lab.claims.made_up import GAMES, LIST, made_claim


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


# Ways to measure


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
