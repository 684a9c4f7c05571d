"""What a match says: whose Elo it is, no winner before the last game, and no promise from a handful of games."""

from types import SimpleNamespace

import numpy as np
import pytest

from podium.arena.game.limits import TimeControl
from podium.arena.stats.intervals import EloInterval, elo
from podium.arena.stats.sprt import Sprt, unbiased_elo
from podium.arena.store.game_columns import columns_of
from podium.arena.store.game_row import GameRow, Irregularity, IrregularityCount
from podium.arena.tournament.conclusion import MatchVerdict, conclude
from podium.arena.tournament.report import machine_warnings, node_cost_warnings
from podium.arena.tournament.tally import BotTally, MatchTally
from podium.games.game import Ending

NEW, OLD = 1, 2
RANKS = {"w": (1, 2), "d": (1, 1), "l": (2, 1)}
NAMES = ("new", "old")
BOTS = tuple(SimpleNamespace(label=name, name=f"{name}=uct") for name in NAMES)
PROGRAM = SimpleNamespace(label="mine", name="mine=cmd:./mine")


def tally_of(results, test=None, excused=()):
    """A tally of games in pairs, by results such as "wwld" from the first bot's side."""
    games = []
    for number, result in enumerate(results):
        part = number % 2
        ranks, bots = RANKS[result], (NEW, OLD)
        if part:
            ranks, bots = ranks[::-1], bots[::-1]
        seen = tuple(IrregularityCount(bots.index(bot), Irregularity.EXCUSED, 1) for bot in excused)
        place = (number + 1, 1, "m", number // 2, part, number)
        ended = (Ending.NORMAL, None, "", (), seen, f"{number:x}", 1e9, 1.0, b"", b"")
        games.append(GameRow(*place, bots, (0.0, 0.0), ranks, *ended))
    tally = MatchTally(NEW, OLD, 2, 2, test)
    tally.add(columns_of(games))
    return tally


def verdict(results, target=None, test=None, **more):
    return conclude(NAMES, tally_of(results, test, **more), test, len(results) if target is None else target)


def test_no_games():
    assert verdict("").verdict == MatchVerdict.NO_GAMES
    assert verdict("", target=20).sentence == "no games yet"


@pytest.mark.parametrize(
    ("results", "code", "begins"),
    [
        ("wwwl" * 20, MatchVerdict.STRONGER, "new is stronger than old: +"),
        ("lllw" * 20, MatchVerdict.WEAKER, "old is stronger than new: +"),
        ("wlwl" * 20, MatchVerdict.NO_DIFFERENCE, "no difference shown in 80 games: new against old +0 Elo (95 %: -"),
        ("wwld", MatchVerdict.NO_DIFFERENCE, "no difference shown: 4 games are too few to tell"),
        ("ww" * 10, MatchVerdict.STRONGER, "new is stronger than old: more than +"),
    ],
)
def test_a_match_of_fixed_length_that_is_over(results, code, begins):
    found = verdict(results)
    assert found.verdict == code
    assert found.sentence.startswith(begins)
    assert "more games" not in found.sentence


@pytest.mark.parametrize("results", ["wwww" * 10, "wwld", "llll" * 10])
def test_a_match_that_goes_on_names_no_winner(results):
    found = verdict(results, target=200)
    assert found.verdict == MatchVerdict.SO_FAR
    assert found.sentence.startswith(f"so far, in {len(results)} of 200 games, new won ")
    assert "stronger" not in found.sentence
    assert "more games" not in found.sentence


def test_after_a_test_the_difference_is_the_unbiased_one_with_its_own_interval():
    test = Sprt(0, 50)
    tally = tally_of("wwwlwdww" * 30, test)
    assert tally.decided
    found = conclude(NAMES, tally, test, 0)
    unbiased = unbiased_elo(tally.distribution, test, 1)
    assert found.difference == unbiased
    assert unbiased.high - unbiased.elo != pytest.approx(unbiased.elo - unbiased.low, rel=0.1), "not symmetric"
    interval = f"{unbiased.elo:+.0f} Elo (95 %: {unbiased.low:+.0f} to {unbiased.high:+.0f})"
    assert found.sentence == f"new is stronger than old: {interval}; the test accepted +50 nElo"
    assert unbiased.elo < elo(tally.distribution.mean)


@pytest.mark.parametrize(
    ("results", "bounds", "code", "begins"),
    [
        ("wlwl" * 400, (0, 50), MatchVerdict.NOT_STRONGER, "new is not shown to be stronger: new against old "),
        ("llwl" * 100, (0, 50), MatchVerdict.WEAKER, "old is stronger than new: +"),
        ("wldd" * 400, (-50, 0), MatchVerdict.NOT_WEAKER, "new is not weaker by 50 nElo: new against old "),
        ("wwlw" * 100, (-50, 0), MatchVerdict.STRONGER, "new is stronger than old: +"),
        ("wlll" * 100, (-50, 0), MatchVerdict.WEAKER, "old is stronger than new: +"),
    ],
)
def test_what_a_test_accepted(results, bounds, code, begins):
    found = verdict(results, target=0, test=Sprt(*bounds))
    assert found.verdict == code
    assert found.sentence.startswith(begins)
    assert "; the test accepted " in found.sentence


def test_a_test_whose_games_are_over():
    found = verdict("wlwd" * 5, test=Sprt(0, 20))
    assert found.verdict == MatchVerdict.UNDECIDED
    assert found.sentence.startswith("the test is undecided after 20 games: new against old ")


def test_a_forecast_appears_when_the_games_support_it():
    test = Sprt(0, 20)
    early = verdict("wlwd" * 5, target=0, test=test)
    assert early.forecast is None
    assert "more games" not in early.sentence
    late = verdict("wldd" * 150, target=0, test=test)
    assert late.verdict == MatchVerdict.SO_FAR
    assert " more games until the test decides" in late.sentence


def test_games_that_the_machine_decided_prove_nothing():
    found = verdict("ww" * 10, excused=(OLD,))
    assert found.verdict == MatchVerdict.MACHINE_FAULT
    assert found.sentence.startswith("no conclusion: the machine decided 20 of 20 games")


@pytest.mark.parametrize(
    ("nodes", "times", "bots", "told"),
    [
        (500, (8.0, 2.0), BOTS, "same number of nodes: new thinks 4.0 times as long as old (8 and 2 ms per move)"),
        (500, (1.0, 9.5), BOTS, "same number of nodes: old thinks 9.5 times as long as new (9.5 and 1 ms per move)"),
        (500, (8.0, 2.0), (PROGRAM, BOTS[1]), "--nodes does not limit mine: mine thinks 4.0 times as long as old"),
        (500, (2.0, 1.0), BOTS, ""),
        (0, (8.0, 2.0), BOTS, ""),  # a time limit
        (500, (8.0, 0.01), BOTS, ""),  # one that does not search
    ],
)
def test_nodes_of_different_cost_are_warned_of(nodes, times, bots, told):
    tally = tally_of("wl")
    for bot, milliseconds in zip((NEW, OLD), times, strict=True):
        tally.bots[bot].clock.add(np.full(10, milliseconds, np.float32))
    found = node_cost_warnings(bots, tally, nodes)
    assert len(found) == bool(told)
    assert told in "".join(found)


@pytest.mark.parametrize(
    ("time", "nodes", "worst", "bot", "told"),
    [
        (100.0, 0, 60.0, BOTS[0], "end other programs, or use fewer --jobs, or --nodes"),
        (100.0, 0, 40.0, BOTS[0], ""),
        (100.0, 500, 60.0, BOTS[0], ""),  # it counts nodes, and has no limit of time
        (100.0, 500, 60.0, PROGRAM, "end other programs, or use fewer --jobs"),
        (0.0, 500, 60.0, PROGRAM, ""),  # Zuniq gives 30 s
        (0.0, 0, 60.0, PROGRAM, "end other programs, or use fewer --jobs"),  # for all answers together
    ],
)
def test_a_busy_machine_is_warned_of_where_an_answer_came_near_its_limit(time, nodes, worst, bot, told):
    seen = BotTally()
    seen.clock.add(np.full(10, worst, np.float32))
    seen.irregularities[Irregularity.STALLED] = 5
    run = SimpleNamespace(game="zuniq", conditions=SimpleNamespace(time_control=TimeControl(time, nodes)))
    assert [text.rpartition(": ")[2] for text in machine_warnings(bot, seen, run)] == [told] * bool(told)


def test_an_interval_from_the_other_side():
    found = EloInterval(120.0, 80.0, 165.4)
    assert str(found.mirrored) == "-120 Elo (95 %: -165 to -80)"
    assert (found.sign, found.mirrored.sign, EloInterval(5.0, -1.0, 11.0).sign) == (1, -1, 0)
    assert str(EloInterval(300.0, 100.0, elo(1))) == "+300 Elo (95 %: +100 to +∞)"
    assert str(EloInterval(elo(1), 100.0, elo(1))) == "more than +100 Elo"
    assert str(EloInterval(elo(0), elo(0), -100.0)) == "less than -100 Elo"
    assert str(EloInterval(elo(1), elo(0), elo(1))) == "+∞ Elo (95 %: -∞ to +∞)"
