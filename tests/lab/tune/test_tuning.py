"""Tunings of the arena's toy game: what may be tuned, what is stored, what goes on, what is said."""

import sys
from xml.etree import ElementTree

import pytest

from podium.arena.store.store import Store, StoredBot
from podium.arena.tournament.options import conditions_of
from podium.errors import PodiumError
from podium.games import load
from podium.lab.reports import report_of
from podium.lab.tune.effects import effects_svg
from podium.lab.tune.space import Dimension, SearchSpace, described, space_of
from podium.lab.tune.tunable import TunableBot
from podium.lab.tune.tuning import Tuning
from podium.lab.tune.tuning_report import disqualified_where
from podium.lab.tune.validation_match import begun_in, options_of, other_budget
from tests.arena.conftest import HERE
from tests.arena.conftest import toys as toys
from tests.lab.tune.killing import kill_after

pytestmark = pytest.mark.compiled  # no kernels here

PROGRAM = f"cmd:{sys.executable} -S -E {HERE / 'mock.py'} {{number}}"


def dimensions(spec, *texts):
    return space_of(TunableBot(load("zuniq"), spec), texts).dimensions


def test_numbers_words_and_switches_can_be_tuned():
    impact, playouts, rave = dimensions("champion:impact=2", "impact=0.5:8:log", "playouts=1:20", "rave=on|off")
    assert (impact.base, impact.at(0.5), impact.at(1.0)) == (2.0, 2.0, 8.0)
    assert (playouts.base, playouts.at(0.0), playouts.at(0.51)) == (10, 1, 11)
    assert rave.words == (False, True)
    texts = ["impact=0.5:8:log", "playouts=1:20", "rave=off|on"]
    assert [described(each) for each in (impact, playouts, rave)] == texts


def test_numbers_of_a_narrow_range_are_told_apart():
    (narrow, high) = dimensions("cmd:./bot {x=0.9995} {y=1000.1}", "x=0.999:0.9999", "y=1000.1:1000.4")
    assert len({narrow.at(place / 50) for place in range(51)}) == 51
    assert narrow.rounded(0.99947321, 3) == 0.999473
    assert high.at(0.5) == pytest.approx(1000.25)
    (usual,) = dimensions("champion", "impact=0.3:3:log")
    assert usual.at(0.4) == 0.7536


def test_the_word_of_the_bot_as_it_is_belongs_to_the_choice():
    tunable = TunableBot(load("wondev_woman"), "champion")
    (fog,) = space_of(tunable, ["placing=worst|average"]).dimensions
    assert fog.words == ("expected", "worst", "average")
    assert fog.coded(["average", "expected"]).tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("impact", "name=value"),
        ("impact=1", "low:high"),
        ("impact=2:1", "rising"),
        ("impact=1:2:lug", "low:high:log"),
        ("impact=1:2:log:log", "low:high:log"),
        ("impact=0:2:log", "logarithm"),
        ("impact=-1:2", "from 0"),
        ("impct=0:2", "did you mean impact"),
        ("rave=0:1", "rave=on"),
        ("rave=on|on", "different words"),
    ],
)
def test_a_range_that_makes_no_sense_is_a_sentence(text, words):
    with pytest.raises(PodiumError, match=words):
        dimensions("champion", text)


def test_a_parameter_that_is_named_twice_is_a_sentence():
    with pytest.raises(PodiumError, match="impact is named twice"):
        dimensions("champion", "impact=0.5:2", "rave=on|off", "impact=1:2")


def test_parameters_of_programs_stand_in_their_command():
    tunable = TunableBot(load("zuniq"), "cmd:./bot --width {width=20} --mode {mode} --again {width}")
    width, mode = space_of(tunable, ["width=8:64:log", "mode=a|b"]).dimensions
    assert (width.base, width.whole, mode.base) == (20, True, "a")
    assert tunable.variant({"width": 31, "mode": "b"}) == "cmd:./bot --width 31 --mode b --again 31"
    with pytest.raises(PodiumError, match="no parameters by name"):
        TunableBot(load("zuniq"), "py:mybot.py")
    with pytest.raises(PodiumError, match="in braces"):
        TunableBot(load("zuniq"), "cmd:./bot")
    with pytest.raises(PodiumError, match="width has two baseline values, 20 and 30"):
        TunableBot(load("zuniq"), "cmd:./bot {width=20} {width=30}")
    with pytest.raises(PodiumError, match="cannot be separated"):
        TunableBot(load("zuniq"), "cmd:./bot {width=20}{height=30}")


def test_a_variant_of_a_program_is_known_by_its_text():
    tunable = TunableBot(load("zuniq"), "cmd:./bot -w{2nd=20} --mode {mode=slow and sure} --again {2nd} --x {x=0.5}")
    values = {"2nd": 31, "mode": "quick, or not", "x": 0.25}
    assert tunable.values_of(StoredBot(1, tunable.variant(values), "", 1.0, {})) == values
    assert tunable.values_of(StoredBot(1, "cmd:./other", "", 1.0, {})) is None


def tuning(folder, games, **options):
    space = options.pop("space", ["number=2:8", "noise=0:4"])
    return Tuning("duel", options.pop("bot", "namer"), space, games=games, store=folder / "lab.db", **options)


def stored(folder):
    with Store(folder / "lab.db", create=False) as store:
        run = store.run(1)
        return {game.place: (game.seed, game.signature) for game in store.games(run)}, report_of(store, run)


@pytest.mark.parametrize("method", ["design", "surface", "spsa"])
def test_a_killed_or_interrupted_tuning_plays_the_same_games(toys, tmp_path, method):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    with tuning(tmp_path / "one", 100, method=method, tests=0) as found:
        whole = found.play(jobs=1)
    kill_after(21, lambda: tuning(tmp_path / "other", 100, method=method, tests=0))
    assert 21 <= len(stored(tmp_path / "other")[0]) < 100
    for most in (1, 40, None):
        with tuning(tmp_path / "other", 100, method=method, tests=0) as found:
            found.play(jobs=1, most=most)
    assert stored(tmp_path / "one")[0] == stored(tmp_path / "other")[0]
    assert stored(tmp_path / "other")[1].parameters == whole.parameters


def test_a_gain_is_found_confirmed_and_told(toys, tmp_path):
    with tuning(tmp_path, 300, tests=200, nodes=10, sprt=(0.0, 100.0)) as found:
        report = found.play(jobs=1)
    best = {each.name: each.best for each in report.parameters}
    assert best["number"] == 8
    assert any("number is a bound of its range" in text for text in report.warnings)
    assert report.confirmed, report.sentence
    assert [test.limits for test in report.validations] == ["10 nodes", "20 nodes"]
    assert report.sentence.startswith("confirmed: ")
    assert report.line == f"podium match duel {report.tuned} namer --nodes 10"
    assert report.validations[1].command.startswith(f"podium match duel {report.tuned} namer --nodes 20 --sprt 0 100")
    with Store(tmp_path / "lab.db", create=False) as store:
        kinds = {run.id: run.kind for run, _, _ in store.runs()}
        seeds = {run.seed for run, _, _ in store.runs()}
    assert kinds == {1: "tuning", 2: "match", 3: "match"}
    assert len(seeds) == 3
    assert stored(tmp_path)[1].data() == {**report.data(), "games_per_second": 0.0, "remaining_seconds": None}


def test_a_tuning_without_gain_says_so(toys, tmp_path):
    with tuning(tmp_path, 60, tests=40, nodes=10, space=["duel=on|off"], sprt=(0.0, 100.0)) as found:
        report = found.play(jobs=1)
    assert not report.confirmed
    assert report.sentence.startswith(("not confirmed", "no better setting"))
    assert bool(report.line) == report.sentence.startswith("not confirmed"), "there is no match of a bot with itself"


def test_tests_of_an_earlier_answer_are_named_as_such(toys, tmp_path):
    with tuning(tmp_path, 60, tests=4, nodes=10) as found:
        first = found.play(jobs=1)
    assert not any("earlier answer" in text for text in stored(tmp_path)[1].warnings)
    with Store(tmp_path / "lab.db") as store:
        run = store.run(1)
        store.amend(run, {"tested": {**run.wanted["tested"], "bot": "namer:number=3"}})
    report = stored(tmp_path)[1]
    assert "an earlier answer was tested, namer:number=3: see r2" in report.warnings
    assert (report.tuned, report.validations) == (first.tuned, ())


def test_opponents_may_be_others(toys, tmp_path):
    opponents = ["namer:number=4", "namer:number=6"]
    with tuning(tmp_path, 120, tests=0, against=opponents, space=["number=2:8"]) as found:
        report = found.play(jobs=1)
        met = {other.split(",")[1] for other, _ in found.blocks.scores}
        assert met == set(found.trials.opponents[1:])
    assert report.parameters[0].best >= 7


def test_a_program_is_tuned_by_its_command(toys, tmp_path):
    with tuning(tmp_path, 12, tests=0, bot=PROGRAM, space=["number=2:8"], time=1000) as found:
        report = found.play(jobs=1)
    assert report.bot.endswith("mock.py 5")
    assert report.games == 12
    assert stored(tmp_path)[1].parameters == report.parameters


def test_settings_that_are_disqualified_are_named(toys, tmp_path):
    with tuning(tmp_path, 48, tests=0, bot="namer:fail=8", space=["noise=0:4", "fail=1:8"]) as found:
        report = found.play(jobs=1)
    assert any("some setting was disqualified in" in text for text in report.warnings)
    assert "disqualified: the settings with fail up to 4" in report.warnings  # of eight answers a bot gives four
    assert report.parameters[1].best > 4
    assert stored(tmp_path)[1].warnings == report.warnings


def test_which_settings_are_disqualified():
    space = SearchSpace([Dimension("width", 4, 1, 9, whole=True), Dimension("fog", "on", words=("on", "dim", "off"))])
    wide = {(2, "on"): False, (5, "off"): False, (7, "on"): True, (9, "off"): True}
    assert disqualified_where(space, wide) == "disqualified: the settings with width from 7 on"
    dim = {(2, "on"): False, (5, "dim"): True, (1, "dim"): True, (3, "off"): False}
    assert disqualified_where(space, dim) == "disqualified: the settings with fog=dim"
    both = {(2, "on"): True, (2, "off"): False, (5, "on"): False, (1, "off"): False}
    assert disqualified_where(space, both).endswith(
        "1 of 4 settings are disqualified in most games, for example width=2, fog=on"
    )
    assert disqualified_where(space, {(2, "on"): False}) == ""


def test_a_game_of_four_is_tuned(toys, tmp_path):
    options = {"games": 120, "tests": 60, "sprt": (0.0, 130.0), "store": tmp_path / "lab.db"}
    with Tuning("table", "namer", ["number=2:8", "table=on|off"], **options) as found:
        assert found.block > 2
        report = found.play(jobs=1)
    assert report.games == 120
    assert report.parameters[0].best >= 7
    assert report.validations[0].passed
    assert stored(tmp_path)[1].parameters == report.parameters


@pytest.mark.parametrize(
    ("terms", "other", "share"),
    [({"nodes": 30}, {"nodes": 60}, 1.0), ({"time": 5.0}, {"time": 10.0}, 1.0), ({"memory": 9}, {"memory": 9}, 0.5)],
)
def test_the_second_test_has_another_budget(terms, other, share):
    assert other_budget(terms) == (other, share)


def test_the_match_to_paste_is_under_the_same_conditions():
    terms = {"nodes": 30, "policy": "bank", "reserve": 500, "startup": 200, "memory": 64, "fair": True, "suspend": True}
    options = options_of(conditions_of(load("zuniq"), **terms))
    whole = "--nodes 30 --policy bank --reserve 500 --startup 200 --memory 64 --suspend --fair"
    assert " ".join([*options, *begun_in("my positions.txt")]) == f"{whole} --from 'my positions.txt'"
    assert options_of(conditions_of(load("zuniq"))) == begun_in("") == []


def test_bounds_that_no_test_can_have_are_refused_before_the_search(toys, tmp_path):
    with pytest.raises(PodiumError, match="bounds in normalized Elo must lie within"):
        tuning(tmp_path, 10, sprt=(0.0, 2000.0))
    assert not (tmp_path / "lab.db").exists(), "nor is there a run that was never wanted"


def test_spsa_refuses_what_it_cannot_do(toys, tmp_path):
    with pytest.raises(PodiumError, match="numbers only"):
        tuning(tmp_path, 10, method="spsa", space=["duel=on|off"])
    with pytest.raises(PodiumError, match="another method"):
        tuning(tmp_path, 10, method="spsa", against=["namer:number=3"])


def test_effects_are_drawn_as_svg(toys, tmp_path):
    with tuning(tmp_path, 40, tests=0, space=["number=2:8", "duel=on|off"]) as found:
        report = found.play(jobs=1)
    picture = ElementTree.fromstring(effects_svg(report.parameters))
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"number", "duel", "on", "off", "2", "8"} <= set(texts)
    assert report._repr_html_().startswith("<svg")
