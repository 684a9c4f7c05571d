"""Ablations: which variants there are, who plays next, and what a stored one says."""

import pytest

from podium.arena.stats.intervals import Estimate, elo
from podium.arena.store.store import Store
from podium.errors import PodiumError
from podium.games import load
from podium.lab.reports import report_of
from podium.lab.tune.ablation import FIRST_BLOCKS, Ablation, _effect, next_variants, stored_variants, variants_of
from podium.lab.tune.tunable import TunableBot
from tests.arena.conftest import toys as toys
from tests.lab.tune.killing import kill_after

pytestmark = pytest.mark.compiled  # no kernels here


def test_without_a_wish_every_switch_that_is_on_is_turned_off():
    tunable = TunableBot(load("zuniq"), "champion:symmetry=off")
    found = {each.spec for each in variants_of(tunable, [], {})}
    assert "champion:rave=off,symmetry=off" in found
    assert not any("symmetry=on" in spec for spec in found)


def test_parts_are_turned_over_and_values_replaced():
    tunable = TunableBot(load("zuniq"), "champion:rave=off")
    found = variants_of(tunable, ["rave", "keep"], {"playouts": ["5", "10", "20"]})
    assert [each.spec for each in found] == [
        "champion:rave=on",
        "champion:rave=off,reuse_tree=off",
        "champion:playouts=5,rave=off",
        "champion:playouts=20,rave=off",
    ]


@pytest.mark.parametrize(
    ("parts", "values", "words"),
    [
        (["playouts"], {}, "not a switch"),
        (["ravve"], {}, "did you mean rave"),
        ([], {"playouts": ["many"]}, "whole number"),
        ([], {"playouts": ["0"]}, "from 1"),
        ([], {"playouts": ["10"]}, "nothing to change"),
        ([], {"playouts": []}, "nothing to change"),
    ],
)
def test_a_wish_that_makes_no_sense_is_a_sentence(parts, values, words):
    with pytest.raises(PodiumError, match=words):
        variants_of(TunableBot(load("zuniq"), "champion"), parts, values)


def test_a_program_is_ablated_by_the_names_in_its_command():
    tunable = TunableBot(load("zuniq"), "cmd:./bot -r {rave=on} -w {width=20}")
    found = variants_of(tunable, [], {"width": ["10"]}) + variants_of(tunable, ["rave"], {})
    assert [each.spec for each in found] == ["cmd:./bot -r on -w 10", "cmd:./bot -r off -w 20"]


def test_games_go_where_the_interval_is_widest():
    certain, split = [1.0] * 20, [0.0, 1.0] * 10
    assert set(next_variants([certain, split], [20, 20], 10)) == {1}
    assert next_variants([split, split], [20, 30], 4) == [0, 0, 0, 0]
    chosen = next_variants([[], [], []], [0, 0, 0], 3 * FIRST_BLOCKS)
    assert [chosen.count(variant) for variant in range(3)] == [FIRST_BLOCKS] * 3


def ablation(folder, games):
    values = {"number": ["4", "7"], "noise": ["0"]}
    return Ablation("duel", "namer", values=values, games=games, store=folder / "lab.db")


def signatures(folder):
    with Store(folder / "lab.db", create=False) as store:
        (run,) = [run for run, _, _ in store.runs()]
        return {game.place: (game.seed, game.signature) for game in store.games(run)}, report_of(store, run)


def test_an_ablation_tells_what_parts_are_worth(toys, tmp_path):
    with ablation(tmp_path, 240) as found:
        report = found.play(jobs=1)
    assert report.games == 240
    assert report.remaining_games == 0
    effects = {each.part: each for each in report.parts}
    assert effects["number=4"].low > 0
    assert effects["number=7"].high < 0
    assert next(each.part for each in report.parts) == "number=4"
    assert "no effect shown: costs at most" in effects["noise=0"].sentence
    assert effects["noise=0"].games > effects["number=7"].games
    assert effects["noise=0"].milliseconds > 0
    gained, lost = -effects["number=7"].elo, effects["number=4"].elo
    assert f"cost Elo: number=4 ({lost:.0f}); gain Elo: number=7 ({gained:.0f}); no effect" in report.sentence
    _, stored = signatures(tmp_path)
    assert stored.rows() == report.rows()
    assert stored.sentence == report.sentence


def test_a_killed_or_interrupted_ablation_plays_the_same_games(toys, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with ablation(tmp_path / "one", 120) as found:
        found.play(jobs=1)
    kill_after(25, lambda: ablation(tmp_path / "other", 120))
    assert 25 <= len(signatures(tmp_path / "other")[0]) < 120
    for most in (1, 47, None):
        with ablation(tmp_path / "other", 120) as found:
            found.play(jobs=1, most=most)
    assert signatures(tmp_path / "one")[0] == signatures(tmp_path / "other")[0]


def test_too_few_games_exclude_nothing(toys, tmp_path):
    with Ablation("duel", "namer", parts=["duel"], games=2, store=tmp_path / "lab.db") as found:
        report = found.play(jobs=1)
    assert report.parts[0].sentence == "too few games to tell"
    assert report.sentence == "too few games to tell: duel=on"


def test_a_part_that_decides_every_game_has_no_certain_effect(toys, tmp_path):
    values = {"number": ["0", "9"]}
    with Ablation("duel", "namer:noise=0", values=values, games=80, store=tmp_path / "lab.db") as found:
        report = found.play(jobs=1)
    worst, best = report.parts
    assert worst.sentence == f"costs at least {worst.low:.0f} Elo"
    assert best.sentence == f"at least {-best.high:.0f} Elo stronger with number=9"
    both = f"cost Elo: number=0 (at least {worst.low:.0f}); gain Elo: number=9 (at least {-best.high:.0f})"
    assert report.sentence == both


@pytest.mark.parametrize(
    ("low", "high", "switched_off", "told"),
    [
        (-119.0, elo(1), False, "no effect shown: costs at most 119, gains any Elo"),
        (-119.0, elo(1), True, "no effect shown: contributes at most 119, harms by any Elo"),
        (elo(0), 30.2, False, "no effect shown: costs any, gains at most 30 Elo"),
        (-20.0, 31.0, False, "no effect shown: costs at most 20, gains at most 31 Elo"),
        (elo(0), elo(1), False, "too few games to tell"),
    ],
)
def test_the_direction_in_which_a_part_may_work_is_told(low, high, switched_off, told):
    """Bounds of the changed bot's Elo: where one side of the interval is open, that side is not passed over."""
    middle = (max(low, -300) + min(high, 300)) / 2
    found = Estimate(20, 0.5, middle, low, high, 0.0, 1.0, 0.5)
    assert _effect(found, "rave=on", switched_off) == told


def test_a_run_of_an_earlier_version_is_read(toys, tmp_path):
    with ablation(tmp_path, 12) as found:
        found.play(jobs=1)
        new, (first, *_) = found.report(), stored_variants(found.run)
        earlier = {"meetings": found.run.wanted["pairings"], "pairings": None, "switched_off": None}
        found.session.amend({**earlier, "labels": ["rave=off", *found.run.wanted["labels"][1:]]})
        variants = stored_variants(found.run)
    assert (variants[0].label, variants[0].switched_off, first.switched_off) == ("rave=off", True, False)
    assert [each.switched_off for each in variants[1:]] == [False, False]
    _, stored = signatures(tmp_path)
    assert {each.bot: each.elo for each in stored.parts} == {each.bot: each.elo for each in new.parts}


def test_a_game_of_four_is_ablated(toys, tmp_path):
    with Ablation("table", "namer", values={"number": ["3", "8"]}, games=120, store=tmp_path / "lab.db") as found:
        report = found.play(jobs=1)
    assert [(each.part, each.games % found.block) for each in report.parts] == [("number=3", 0), ("number=8", 0)]
    assert report.parts[0].low > 0 > report.parts[1].high


def test_a_variant_that_crashes_is_named(toys, tmp_path):
    with Ablation(
        "duel", "namer", values={"fail": ["2"], "noise": ["0"]}, games=40, store=tmp_path / "lab.db"
    ) as found:
        report = found.play(jobs=1)
    (warning,) = report.warnings
    assert warning.startswith("fail=2 was disqualified in")
    assert report.parts[0].part == "fail=2"


def test_more_games_go_on_where_fewer_ended(toys, tmp_path):
    for games in (60, 120):
        with ablation(tmp_path, games) as found:
            assert found.play(jobs=1).games == games
