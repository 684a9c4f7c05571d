"""What a match shows: a code for programs, and one sentence for people.

A match of fixed length names no winner before its last game: who looks at it again and again, and stops when the
interval happens to exclude 0, is wrong far more often than in 5 % of the cases. A sequential test may be looked at at
any time, and after it the difference is the median-unbiased one: the plain one is that of a lucky moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from podium.arena.stats.intervals import EloInterval, Estimate, estimate, rounded_up, score_of_elo
from podium.arena.stats.sprt import Forecast, Sprt, forecast, unbiased_elo
from podium.arena.store.game_row import Irregularity
from podium.arena.tournament.tally import MatchTally

FAR = 400.0  # Elo; an interval that reaches so far excludes nothing of interest


class MatchVerdict(StrEnum):
    """What a match shows of its first bot."""

    NO_GAMES = "no_games"
    SO_FAR = "so_far"  # it goes on, or was interrupted
    STRONGER = "stronger"
    WEAKER = "weaker"
    NOT_WEAKER = "not_weaker"  # a test accepted H1, whose lower bound is below 0
    NOT_STRONGER = "not_stronger"  # a test accepted H0
    NO_DIFFERENCE = "no_difference"  # none is shown
    UNDECIDED = "undecided"  # the games ended before the test did
    MACHINE_FAULT = "machine_fault"  # without the games that the machine decided it would be open


class Requirement(StrEnum):
    """What a match is required to show of its first bot."""

    STRONGER = "stronger"
    NOT_WEAKER = "not-weaker"

    def is_met(self, verdict: MatchVerdict) -> bool | None:
        """Whether a verdict shows it; False if it shows the contrary, None if it shows neither."""
        stronger = self is Requirement.STRONGER
        if verdict is MatchVerdict.STRONGER or (verdict is MatchVerdict.NOT_WEAKER and not stronger):
            return True
        if verdict is MatchVerdict.WEAKER or (verdict is MatchVerdict.NOT_STRONGER and stronger):
            return False
        return None


@dataclass(frozen=True)
class Conclusion:
    """What the games of a match show."""

    verdict: MatchVerdict
    difference: EloInterval  # of the first bot: the unbiased one if there is a test
    forecast: Forecast | None  # of a test that goes on, once the games support one
    sentence: str


def conclude(names: tuple[str, str], tally: MatchTally, test: Sprt | None, target: int) -> Conclusion:
    """What a tally shows; `target` is the number of games wanted, 0 if there is no such number."""
    found = estimate(tally.distribution)
    difference = _difference(found, tally, test)
    decided_by_machine = _decided_by_the_machine(found, tally)
    verdict = _verdict(difference, decided_by_machine, tally, test, target)
    expected = None
    if test and tally.decision and verdict is MatchVerdict.SO_FAR:
        expected = forecast(tally.distribution, test, tally.decision.ratio)
        expected = expected if expected and expected.supported else None
    names = names if names[0] != names[1] else ("the first bot", "the second bot")
    told = _sentence(verdict, names, difference, tally, test)
    if verdict is MatchVerdict.SO_FAR:
        told = _so_far(names[0], difference, tally, target, expected)
    if verdict is MatchVerdict.MACHINE_FAULT:
        told = (
            f"no conclusion: the machine decided {decided_by_machine:,} of {found.games:,} games (--fair plays such "
            "blocks again, --nodes needs no clock)"
        )
    return Conclusion(verdict, difference, expected, told)


def _difference(found: Estimate, tally: MatchTally, test: Sprt | None) -> EloInterval:
    if test and tally.decision:
        unbiased = unbiased_elo(tally.distribution, test, tally.decision.accepted)
        if unbiased:
            return unbiased
    return EloInterval(found.elo, found.elo_low, found.elo_high)


def _verdict(
    difference: EloInterval, decided_by_machine: int, tally: MatchTally, test: Sprt | None, target: int
) -> MatchVerdict:
    if not tally.counted:
        return MatchVerdict.NO_GAMES
    is_over = tally.decided or (tally.finished >= target if target else not test)
    if not is_over:
        return MatchVerdict.SO_FAR
    if decided_by_machine:
        return MatchVerdict.MACHINE_FAULT
    if not test or not tally.decision:
        return (MatchVerdict.NO_DIFFERENCE, MatchVerdict.STRONGER, MatchVerdict.WEAKER)[difference.sign]
    if tally.decision.accepted > 0:
        return MatchVerdict.STRONGER if test.elo0 >= 0 or difference.sign > 0 else MatchVerdict.NOT_WEAKER
    if tally.decision.accepted < 0:
        return MatchVerdict.WEAKER if test.elo1 <= 0 or difference.sign < 0 else MatchVerdict.NOT_STRONGER
    return MatchVerdict.UNDECIDED


def _sentence(
    verdict: MatchVerdict, names: tuple[str, str], difference: EloInterval, tally: MatchTally, test: Sprt | None
) -> str:
    """The verdict in words; every difference says whose it is."""
    first, second = names
    games, against = f"{tally.counted:,} games", f"{first} against {second} {difference}"
    low, high, unit = (test.elo0, test.elo1, "nElo" if test.normalized else "Elo") if test else (0, 0, "")
    accepted = f"; the test accepted {low if tally.decision and tally.decision.accepted < 0 else high:+g} {unit}"
    few = f"no difference shown: {games} are too few to tell"
    far = max(abs(difference.low), abs(difference.high)) > FAR
    sentences: Mapping[MatchVerdict, str] = {
        MatchVerdict.NO_GAMES: "no games yet",
        MatchVerdict.STRONGER: f"{first} is stronger than {second}: {difference}" + accepted * bool(test),
        MatchVerdict.WEAKER: f"{second} is stronger than {first}: {difference.mirrored}" + accepted * bool(test),
        MatchVerdict.NOT_WEAKER: f"{first} is not weaker by {-low:g} {unit}: {against}{accepted}",
        MatchVerdict.NOT_STRONGER: f"{first} is not shown to be stronger: {against}{accepted} over {high:+g}",
        MatchVerdict.NO_DIFFERENCE: few if far else f"no difference shown in {games}: {against}",
        MatchVerdict.UNDECIDED: f"the test is undecided after {games}: {against}",
    }
    return sentences.get(verdict, "")


def _so_far(first: str, difference: EloInterval, tally: MatchTally, target: int, expected: Forecast | None) -> str:
    """The state of a match that goes on: figures, and no winner."""
    total = tally.total
    of = f"{tally.counted:,} of {target:,} games" if target else f"{tally.counted:,} games"
    told = f"so far, in {of}, {first} won {total.won:,}, drew {total.drawn:,}, lost {total.lost:,}: {difference}"
    more = f"; about {rounded_up(expected.games):,} more games until the test decides" if expected else ""
    return told + more


def _decided_by_the_machine(found: Estimate, tally: MatchTally) -> int:
    """How many games the machine decided in favour of the bot that seems stronger, if without them it would not."""
    first, second = (bot.irregularities[Irregularity.EXCUSED] for bot in tally.bots.values())
    decided = second if found.decided > 0 else first
    surest = min(abs(found.elo_low), abs(found.elo_high))
    return decided if found.decided and decided >= (score_of_elo(surest) - 0.5) * found.games else 0
