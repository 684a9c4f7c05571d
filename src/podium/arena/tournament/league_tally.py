"""The sums over the games of a league, from which its report is made."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from podium.arena.stats.rating_data import RankedResult, RatedGames
from podium.arena.store.game_columns import GameColumns
from podium.arena.store.store import StoredBot
from podium.arena.tournament.rating_history import RatingHistory, RatingSnapshot
from podium.arena.tournament.tally import BotTally
from podium.errors import PodiumError


class LeagueTally:
    """The sums over the games of a league; unlike a match it counts games of incomplete blocks too."""

    def __init__(
        self,
        bots: Mapping[int, StoredBot],
        games: Iterable[GameColumns] = (),
        playing: Iterable[int] | None = None,
    ) -> None:
        """Count games; with `playing` all other bots are marked as retired."""
        self.bots = bots
        self.retired = set() if playing is None else set(bots) - set(playing)
        self.tallies = {number: BotTally() for number in bots}
        self.finished = 0
        self.annulled: list[int] = []
        self.machine_faults: list[int] = []
        self.machine_fault_rounds: defaultdict[str, set[int]] = defaultdict(set)  # by pairing
        self._outcomes: dict[RankedResult, int] = {}  # of the games that count, with their places,
        self._outcome, self._round = array("q"), array("q")  # and of each game its outcome's place, its round
        self._ended = array("d")  # and when it ended, in seconds since 1970
        self._history = RatingHistory()
        for some in games:
            self.add(some)

    def add(self, games: GameColumns) -> None:
        """Count the games of some columns."""
        self.finished += len(games)
        annulled = games.of_results(lambda result: result.is_annulled)
        self._leave_out(games.chosen(annulled))
        games = games.chosen(~annulled)
        for result, number, example in games.counted():
            if not self.tallies.keys() >= set(result.bots):
                raise PodiumError(f"g{example} is no game of this league: the bots in its seats are {result.bots}")
            for bot in set(result.bots) if result.is_irregular else ():
                self.tallies[bot].add(result, result.seats_of(bot), number, example)
        for bot, times in games.times_of_bots().items():
            self.tallies[bot].clock.add(times)
        outcomes = [RankedResult(result.pairing, result.bots, result.ranks) for result in games.results]
        places = [self._outcomes.setdefault(outcome, len(self._outcomes)) for outcome in outcomes]
        self._outcome.frombytes(np.array(places, np.int64)[games.result].tobytes())
        self._round.frombytes(games.round.tobytes())
        self._ended.frombytes((games.started + games.seconds).tobytes())

    def _leave_out(self, games: GameColumns) -> None:
        for game, number, place in zip(games.id.tolist(), games.round.tolist(), games.result.tolist(), strict=True):
            result = games.results[place]
            if result.is_machine_fault:
                self.machine_faults.append(game)
                self.machine_fault_rounds[result.pairing].add(number)
            else:
                self.annulled.append(game)

    @property
    def counted(self) -> int:
        """How many games count."""
        return len(self._outcome)

    @property
    def played(self) -> RatedGames:
        """The games that count."""
        return RatedGames(list(self._outcomes), np.array(self._outcome), np.array(self._round))

    def history(self) -> tuple[RatingSnapshot, ...]:
        """The ratings over time."""
        names = {number: bot.label for number, bot in self.bots.items()}
        return self._history.snapshots(self.played, self._ended, names)

    @property
    def bot_tallies(self) -> Mapping[int, BotTally]:
        """What each bot did, by number."""
        return self.tallies

    @property
    def parameters(self) -> str:
        """All that an empty one depends on, as text."""
        return "league"

    def state(self) -> dict[str, Any]:
        """All of it as plain data, with the ratings over time."""
        self._history.fit(self.played)
        return {
            "tallies": [[bot, tally.state()] for bot, tally in self.tallies.items()],
            "left out": [self.finished, self.annulled, self.machine_faults],
            "rounds": [[pairing, sorted(rounds)] for pairing, rounds in self.machine_fault_rounds.items()],
            "outcomes": list(self._outcomes),
            "games": [self._outcome.tobytes(), self._round.tobytes(), self._ended.tobytes()],
            "history": self._history.state(),
        }

    def restore(self, state: Mapping[str, Any], waiting: Sequence[GameColumns] = ()) -> None:
        """Become what a state tells of; no games wait."""
        for bot, told in state["tallies"]:
            self.tallies.setdefault(bot, BotTally()).restore(told)
        self.finished, self.annulled, self.machine_faults = state["left out"]
        self.machine_fault_rounds.update((pairing, set(rounds)) for pairing, rounds in state["rounds"])
        outcomes = [RankedResult(pairing, tuple(bots), tuple(ranks)) for pairing, bots, ranks in state["outcomes"]]
        self._outcomes = {outcome: place for place, outcome in enumerate(outcomes)}
        outcome, round_, ended = state["games"]
        self._outcome, self._round, self._ended = array("q", outcome), array("q", round_), array("d", ended)
        self._history.restore(state["history"])

    def join(self, bots: Mapping[int, StoredBot]) -> None:
        """Update the bots of the league."""
        self.bots = bots
        for number in bots:
            self.tallies.setdefault(number, BotTally())
