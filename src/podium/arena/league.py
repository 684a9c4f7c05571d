"""A league of many bots: who may still play, how far the rounds are, the tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from podium.arena.entrants import Entrant, entrant
from podium.arena.ratings import Results, ratings
from podium.arena.report import fault_warnings
from podium.arena.schedule import Meeting, fixtures, ladder, meetings
from podium.arena.session import Session
from podium.arena.store import StoredBot, StoredGame
from podium.arena.tally import BotTally, seats_of
from podium.arena.work import Fixture
from podium.errors import PodiumError
from podium.games.game import Game


class Form(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"


def recalled(game: Game, bots: Iterable[StoredBot]) -> list[Entrant]:
    """The bots of a league that can still play: those that are what they were when they entered."""
    found = []
    for bot in bots:
        try:
            who = entrant(game, bot.name).with_handicap(bot.handicap)
        except PodiumError:  # a program or a parameter that is no more
            continue
        if who.fingerprint == bot.fingerprint:
            found.append(who)
    return found


@dataclass
class League:
    """The schedule of a league."""

    session: Session
    seats: int
    form: Form
    against: int | None  # index of the bot that a gauntlet is run against
    rounds: int

    def ranking(self, before: int) -> list[int]:
        """The entrants by their ratings in the games of earlier rounds, the best first."""
        games = [game for game in self.session.games if game.round < before]
        place = {rating.bot: index for index, rating in enumerate(ratings(games))}
        ids = self.session.ids
        return sorted(range(len(ids)), key=lambda index: (place.get(ids[index], len(ids)), ids[index]))

    def stages(self) -> Iterator[tuple[Sequence[Meeting], Iterable[int]]]:
        """What can be played without knowing more results: meetings with their rounds.

        All rounds at once, except that every round of a ladder waits for the one before.
        """
        entrants = self.session.entrants
        if self.form is Form.LADDER:
            for number in range(self.rounds):
                yield ladder(entrants, self.seats, self.ranking(number), number), [number]
        else:
            yield meetings(entrants, self.seats, range(len(entrants)), self.against), range(self.rounds)

    def fixtures(self, meetings: Sequence[Meeting], rounds: Iterable[int]) -> Iterator[Fixture]:
        """The games of a stage that are still to play."""
        return fixtures(meetings, self.session.run.seed, self.session.is_done, rounds)

    def games_in_all(self) -> int:
        """How many games the rounds of all meetings come to, roughly for a ladder."""
        entrants = self.session.entrants
        if self.form is Form.LADDER:
            met = ladder(entrants, self.seats, list(range(len(entrants))), 0)
        else:
            met = meetings(entrants, self.seats, range(len(entrants)), self.against)
        return self.rounds * sum(len(meeting.seatings) for meeting in met)


def league_report(games: Sequence[StoredGame], bots: dict[int, StoredBot], retired: set[int]) -> dict[str, Any]:
    """The tables of a league as plain data. Only complete blocks could be fairer; a league shows all its games."""
    tallies = {number: BotTally() for number in bots}
    for game in games:
        for number in set(game.bots):
            tallies[number].add(game, seats_of(game, number))
    table = ratings(games)
    rows = [
        {
            "bot": bots[rating.bot].label,
            "id": rating.bot,
            "elo": rating.elo,
            "low": rating.low,
            "high": rating.high,
            "games": rating.games,
            "score": rating.score,
            "above_next": rating.above,
            "faults": dict(tallies[rating.bot].faults),
            "clock": tallies[rating.bot].clock(),
            "retired": rating.bot in retired,
        }
        for rating in table
    ]
    return {
        "games": len(games),
        "ratings": rows,
        "cross": _cross(games, [rating.bot for rating in table]),
        "warnings": [
            text
            for rating in table
            for text in fault_warnings(bots[rating.bot].label, tallies[rating.bot], rating.games)
        ],
        "sentence": _sentence(rows),
    }


def _cross(games: Sequence[StoredGame], order: Sequence[int]) -> list[list[float | None]]:
    """The score of each bot (row) against each other one (column); None where they never met."""
    results = Results(games)
    place = {bot: index for index, bot in enumerate(results.bots)}
    wins = results.wins
    table: list[list[float | None]] = []
    for one in order:
        row: list[float | None] = []
        for other in order:
            met = wins[place[one], place[other]] + wins[place[other], place[one]]
            row.append(float(wins[place[one], place[other]] / met) if met else None)
        table.append(row)
    return table


def _sentence(rows: Sequence[dict[str, Any]]) -> str:
    if len(rows) < 2:
        return "nothing is known yet"
    best, second = rows[0], rows[1]
    gap = best["elo"] - second["elo"]
    if best["above_next"] >= 0.975:
        return f"{best['bot']} is the strongest ({gap:+.0f} Elo over {second['bot']})"
    return (
        f"{best['bot']} leads {second['bot']} by {gap:.0f} Elo, which shows nothing yet "
        f"(stronger with {best['above_next']:.0%})"
    )
