"""The report on claims: lines, a page, a picture, and what it says of what is open."""

import json
import os
from dataclasses import replace

import pytest
from rich.text import Text

import podium
from podium.cli import claims as claims_command
from podium.cli.console import PlainConsole
from podium.errors import PodiumError
from podium.lab.claims import claims as lab
from podium.lab.claims.claims import ClaimResults, Finding, chosen, claims_of, read_claims, verdict_on
from podium.lab.claims.claims_report import ClaimsReport
from podium.lab.claims.finding_texts import measured_text, short_text, value_text
from podium.lab.claims.measurements import NotMeasurable, result
from podium.lab.claims.picture import draw
from podium.lab.claims.verdicts import ClaimVerdict, Expectation, Standard
from tests.commands import podium as said
from tests.lab.claims.made_up import GAMES, LIST, RATE, around, finding, made_claim


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
