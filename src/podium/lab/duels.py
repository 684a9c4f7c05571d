"""Claims measured by matches, which are ordinary runs of the store: interrupted, they go on."""

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.arena.match import Match
from podium.arena.schedule import Sharing
from podium.arena.statistics import Z, score_of_elo
from podium.games import load
from podium.lab.measures import Bench, Measure, OutOfTimeError, Result, result
from podium.lab.verdicts import Interval


@dataclass(frozen=True)
class InMatch(Measure):
    """The score of one bot against another, or how often it is first rather than last."""

    slow: ClassVar[bool] = True
    first: str
    second: str
    games: int
    nodes: int
    handicap: float = 1.0  # of the first bot: its share of the nodes
    rival_handicap: float = 1.0  # of the second
    sharing: Literal["half", "one"] = "half"
    value: Literal["score", "first_or_last"] = "score"
    seed: int = 1
    when: str = ""  # the conditions in words

    @property
    def command(self) -> str:
        """The match, without the number of its games."""
        words = ["podium match", self.game, self.first, self.second, f"--nodes {self.nodes}"]
        words += [f"--handicap {place}={factor:g}" for place, factor in self._handicaps().items() if factor != 1]
        words += [f"--sharing {self.sharing}"] if self.sharing != "half" else []
        words += [f"--seed {self.seed}"] if self.seed != 1 else []
        return " ".join([*words, "--no-thoughts"])

    @property
    def shown_command(self) -> str:
        """The match with its games."""
        return f"{self.command} --games {self.games}"

    @property
    def conditions(self) -> str:
        """In words, or the nodes."""
        return self.when or f"{self.nodes:,} nodes"

    def check(self) -> None:
        """See that the bots have these parameters."""
        rules = load(self.game)
        for spec in (self.first, self.second):
            kind, changes = rules.named(spec)
            kind.minds.mind(changes)

    def wanted(self, bench: Bench, parts: int = 1) -> int:
        """Games."""
        return -(-(bench.games or self.games) // parts)

    def take(self, bench: Bench, parts: int = 1) -> Result | None:
        """Play what is missing."""

        def progress(match: Match) -> None:
            bench.look(f"{self.game}: {self.first} - {self.second}, {match.tally.finished:,} of {match.target:,} games")
            bench.check_time()

        with Match(
            self.game,
            self.first,
            self.second,
            games=self.wanted(bench, parts),
            nodes=self.nodes,
            handicaps=self._handicaps(),
            sharing=Sharing(self.sharing),
            seed=self.seed,
            store=bench.store,
            thoughts=False,
        ) as match:
            with suppress(OutOfTimeError):
                match.play(bench.jobs, bench.cluster, progress)
            return self._found(match) if match.tally.counted else None

    def _handicaps(self) -> dict[str, float]:
        return {"1": self.handicap, "2": self.rival_handicap}

    def _found(self, match: Match) -> Result:
        report = match.report()
        won = f"{report.won:,} won, {report.drawn:,} drawn, {report.lost:,} lost"
        if self.value == "first_or_last":
            return self._places(match, report.games)
        low, high = (score_of_elo(bound) for bound in report.elo[1:])  # Elo ends before 0 and 1
        found = Interval(report.score, min(low, report.score), max(high, report.score))
        return result(found, report.games, "games", won)

    def _places(self, match: Match, games: int) -> Result:
        """The share of first places among first and last ones, with the interval of Wilson (1927)."""
        places = [0] * load(self.game).seats
        for game in match.session.store.games(match.run):
            for seat in game.result.seats_of(match.tally.first):
                places[game.ranks[seat] - 1] += 1
        first, both = places[0], places[0] + places[-1]
        share, weight = (first / both, Z * Z / both) if both else (0.5, math.inf)
        middle = (share + weight / 2) / (1 + weight) if both else 0.5
        half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight) if both else 0.5
        note = f"places {', '.join(f'{place:,}' for place in places)}"
        return result(Interval(share, middle - half, middle + half), games, "games", note)


@dataclass(frozen=True)
class Gain(Measure):
    """By how much a bot scores better against a third one than another bot does."""

    slow: ClassVar[bool] = True
    first: str
    second: str
    opponent: str
    games: int  # of each of the two matches
    nodes: int
    when: str = ""

    @property
    def _matches(self) -> tuple[InMatch, InMatch]:
        one, other = (
            InMatch(self.game, bot, self.opponent, self.games, self.nodes) for bot in (self.first, self.second)
        )
        return one, other

    @property
    def command(self) -> str:
        """Both matches."""
        return "\n".join(match.command for match in self._matches)

    @property
    def shown_command(self) -> str:
        """Both matches with their games."""
        return "\n".join(match.shown_command for match in self._matches)

    @property
    def conditions(self) -> str:
        """Against whom."""
        return self.when or f"against {self.opponent}, {self.nodes:,} nodes"

    def check(self) -> None:
        """See that the bots have these parameters."""
        for match in self._matches:
            match.check()

    def wanted(self, bench: Bench, parts: int = 1) -> int:
        """Games of both matches."""
        return sum(match.wanted(bench, parts) for match in self._matches)

    def take(self, bench: Bench, parts: int = 1) -> Result | None:
        """Play both matches; their errors are independent."""
        one, other = (match.take(bench, parts) for match in self._matches)
        if one is None or other is None:
            return None
        value = one.value - other.value
        down = math.hypot(one.value - one.low, other.high - other.value)
        up = math.hypot(one.high - one.value, other.value - other.low)
        note = f"{one.value:.1%} and {other.value:.1%}"
        return result(Interval(value, value - down, value + up), one.sample + other.sample, "games", note)
