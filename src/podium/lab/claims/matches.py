"""Claims measured by matches, which are ordinary runs of the store and continue after an interruption."""

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal

from podium.arena.stats.intervals import Z
from podium.arena.tournament.match import Match
from podium.arena.tournament.schedule import SeatSharing
from podium.games import load
from podium.lab.claims.measurements import MeasuredValue, Measurement, MeasurementSession, OutOfTimeError, result
from podium.lab.claims.verdicts import Interval


@dataclass(frozen=True)
class MatchMeasurement(Measurement):
    """The score of one bot against another, or how often it is first rather than last."""

    slow: ClassVar[bool] = True
    first: str
    second: str
    games: int | list[int]  # or, for each time that its result was looked at, how many there were or should be
    nodes: int
    handicap: float = 1.0  # of the first bot: its share of the nodes
    rival_handicap: float = 1.0  # of the second
    sharing: Literal["half", "one"] = "half"
    value: Literal["score", "first_or_last", "middle"] = "score"  # first of first and last places; neither of both
    seed: int = 1
    when: str = ""  # the conditions in words
    node_seconds: float = 0.0  # that a game takes a core for each node of the budget of a move

    @property
    def command(self) -> str:
        """The command of the match, without the number of its games."""
        words = ["podium match", self.game, self.first, self.second, f"--nodes {self.nodes}"]
        words += [f"--handicap {place}={factor:g}" for place, factor in self._handicaps().items() if factor != 1]
        words += [f"--sharing {self.sharing}"] if self.sharing != "half" else []
        words += [f"--seed {self.seed}"] if self.seed != 1 else []
        return " ".join([*words, "--no-thoughts"]) + ("  # second and third places" if self.value == "middle" else "")

    @property
    def shown_command(self) -> str:
        """The command of the match with the number of its games."""
        command, comment, what = self.command.partition("  #")
        return f"{command} --games {self.planned}{comment}{what}"

    @property
    def conditions(self) -> str:
        """The conditions in words, or the number of nodes."""
        return self.when or f"{self.nodes:,} nodes"

    def check(self) -> None:
        """PodiumError unless the bots exist and have these parameters."""
        rules = load(self.game)
        for spec in (self.first, self.second):
            kind, changes = rules.named(spec)
            kind.param_spec.params(changes)

    @property
    def planned(self) -> int:
        """The number of games."""
        return self.games[-1] if isinstance(self.games, list) else self.games

    @property
    def core_seconds(self) -> float:
        """How long a core takes for all games."""
        return self.planned * self.nodes * self.node_seconds * (self.handicap + self.rival_handicap) / 2

    @property
    def looks(self) -> int:
        """The number of looks at the result."""
        return len(self.games) if isinstance(self.games, list) else 1

    def wanted(self, session: MeasurementSession) -> int:
        """The number of games, or those that the session allows."""
        return min(session.games or self.planned, self.planned)

    def take(self, session: MeasurementSession) -> MeasuredValue | None:
        """Play the games that the store does not have, and report the score."""

        def progress(match: Match) -> None:
            session.progress(
                f"{self.game}: {self.first} vs {self.second}, {match.tally.finished:,} of {match.target:,} games"
            )
            session.check_time()

        with Match(
            self.game,
            self.first,
            self.second,
            games=self.wanted(session),
            nodes=self.nodes,
            handicaps=self._handicaps(),
            sharing=SeatSharing(self.sharing),
            seed=self.seed,
            store=session.store,
            thoughts=False,
        ) as match:
            with suppress(OutOfTimeError):
                match.play(session.jobs, session.cluster, progress)
            return self._found(match) if match.tally.counted else None

    def _handicaps(self) -> dict[str, float]:
        return {"1": self.handicap, "2": self.rival_handicap}

    def _found(self, match: Match) -> MeasuredValue:
        report = match.report()
        won = f"{report.won:,} won, {report.drawn:,} drawn, {report.lost:,} lost"
        if self.value != "score":
            return self._places(match, report.games)
        return result(Interval(report.score, *report.score_interval), report.games, "games", won)

    def _places(self, match: Match, games: int) -> MeasuredValue:
        """A share of the places that the first bot's seats took, with the interval of Wilson (1927)."""
        places = [0] * load(self.game).seats
        for game in match.session.store.games(match.run):
            for seat in game.result.seats_of(match.tally.first):
                places[game.ranks[seat] - 1] += 1
        part, whole = sum(places[1:-1]), sum(places)
        if self.value == "first_or_last":
            part, whole = places[0], places[0] + places[-1]
        share, weight = (part / whole, Z * Z / whole) if whole else (0.5, math.inf)
        middle = (share + weight / 2) / (1 + weight) if whole else 0.5
        half = math.sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight) if whole else 0.5
        note = f"places {', '.join(f'{place:,}' for place in places)}"
        return result(Interval(share, middle - half, middle + half), games, "games", note)


@dataclass(frozen=True)
class GainMeasurement(Measurement):
    """The difference between the scores of two bots against a third one."""

    slow: ClassVar[bool] = True
    first: str
    second: str
    opponent: str
    games: int | list[int]  # of each of the two matches
    nodes: int
    when: str = ""
    node_seconds: float = 0.0

    @property
    def _matches(self) -> tuple[MatchMeasurement, MatchMeasurement]:
        one, other = (
            MatchMeasurement(self.game, bot, self.opponent, self.games, self.nodes, node_seconds=self.node_seconds)
            for bot in (self.first, self.second)
        )
        return one, other

    @property
    def command(self) -> str:
        """The commands of both matches, a line each."""
        return "\n".join(match.command for match in self._matches)

    @property
    def shown_command(self) -> str:
        """The commands of both matches with the numbers of their games."""
        return "\n".join(match.shown_command for match in self._matches)

    @property
    def conditions(self) -> str:
        """The conditions in words, or the opponent and the number of nodes."""
        return self.when or f"against {self.opponent}, {self.nodes:,} nodes"

    def check(self) -> None:
        """PodiumError unless all bots exist and have these parameters."""
        for match in self._matches:
            match.check()

    @property
    def planned(self) -> int:
        """The number of games of both matches together."""
        return sum(match.planned for match in self._matches)

    @property
    def core_seconds(self) -> float:
        """How long a core takes for both matches."""
        return sum(match.core_seconds for match in self._matches)

    @property
    def looks(self) -> int:
        """The number of looks at the result."""
        return self._matches[0].looks

    def wanted(self, session: MeasurementSession) -> int:
        """The number of games of both matches together, or those that the session allows."""
        return sum(match.wanted(session) for match in self._matches)

    def take(self, session: MeasurementSession) -> MeasuredValue | None:
        """Play both matches; since their errors are independent, the interval adds them in quadrature."""
        one, other = (match.take(session) for match in self._matches)
        if one is None or other is None:
            return None
        value = one.value - other.value
        down = math.hypot(one.value - one.low, other.high - other.value)
        up = math.hypot(one.high - one.value, other.value - other.low)
        note = f"{one.value:.1%} and {other.value:.1%}"
        return result(Interval(value, value - down, value + up), one.sample + other.sample, "games", note)
