"""Where was a game lost? A bot reviews a stored game from one seat.

The bot receives every prompt of the seat as it was, and the answers that were really given, so it knows what the seat
knew, and history and fog are right. At each turn it reports its own move and evaluates it and the played one at the
same depth. The difference is the cost of the turn: an evaluation, not a proof.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from podium.arena.game.rewind import rewind, rewind_to_answer
from podium.arena.store.game_data import row_data
from podium.arena.store.game_row import GameRow
from podium.arena.store.stored_game import StoredGame
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games.game import Bot, BotKind, Budget, Game, Judgement, Referee, Request, Scene
from podium.games.loop import requests_of
from podium.model.params import Value

Judge = tuple[BotKind, Mapping[str, Value]]  # a bot and its changed parameters


@dataclass(frozen=True)
class ReviewedTurn:
    """One answer of the seat, and the bot's review of it."""

    turn: int  # of the game, from 1
    played: str | None  # None: no answer in time
    better: str  # what the bot would have answered; the same as `played` if it agrees
    value: float | None  # of the bot's own move
    played_value: float | None  # of what was played
    depth: int  # to which the bot looked on its own
    expected: list[str]  # how the bot expects the game to go on after its own move
    feared: list[str]  # and after the one that was played, where it has looked

    @property
    def cost(self) -> float | None:
        """What the played move gave away; None if the bot cannot tell, 0 if it sees nothing better."""
        if self.value is None or self.played_value is None:
            return None
        return max(0.0, self.value - self.played_value)


@dataclass(frozen=True, repr=False)
class Review(Displayable):
    """A bot's review of a seat's game."""

    game: str
    rules: str
    seat: int
    player: str  # who sat there
    bot: str  # who judges
    unit: str
    turns: tuple[ReviewedTurn, ...]
    sentence: str  # how the game ended

    @property
    def headline(self) -> str:
        """Where it was lost, in a sentence."""
        who = f"{self.game}: {self.player} in seat {self.seat}, judged by {self.bot}"
        worst = self.worst(1)
        if not worst:
            return f"{who}: nothing better was seen in any turn"
        turn = worst[0]
        return f"{who}: the worst was turn {turn.turn}, {turn.played} instead of {turn.better}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each answer of the seat."""
        return [
            {name: getattr(turn, name) for name in ("turn", "played", "better", "value", "played_value", "cost")}
            for turn in self.turns
        ]

    def worst(self, number: int) -> list[ReviewedTurn]:
        """The turns that cost most, the most expensive first."""
        costly = [turn for turn in self.turns if turn.cost]
        return sorted(costly, key=lambda turn: -(turn.cost or 0.0))[:number]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {**asdict(self), "turns": [{**asdict(turn), "cost": turn.cost} for turn in self.turns]}


def seat_of(game: GameRow, seat: int | None) -> int:
    """The seat to look at: the one that is asked for, else that of the worst rank."""
    if seat is None:
        return max(range(len(game.ranks)), key=lambda other: game.ranks[other])
    if not 0 <= seat < len(game.ranks):
        raise PodiumError(f"g{game.id} has the seats 0 to {len(game.ranks) - 1}, not {seat}")
    return seat


def review(
    rules: Game,
    stored: StoredGame,
    seat: int,
    bot: Judge,
    budget: Callable[[], Budget],
    progress: Callable[[int], None] = lambda turn: None,
) -> Review:
    """Let a bot judge every answer that a seat gave; `budget` makes a new one for each of them."""
    kind, changes = bot
    judge = kind.bot(changes)
    lines = stored.record.lines
    turns: list[ReviewedTurn] = []
    unit = ""

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        nonlocal unit
        for index, request in enumerate(requests, first):
            if request.seat == seat:
                progress(referee.turn + 1)
                judged = judge.judge(request.lines, lines[index], budget())
                unit = judged.thoughts.unit if judged.thoughts else unit
                turns.append(_reviewed(referee.turn + 1, lines[index], judged))

    _, departure = stored.replay(rules, watch)
    if departure:
        raise PodiumError(f"g{stored.id} cannot be reviewed: the rules have changed since it was played")
    data = row_data(stored.row, stored.names)
    return Review(data["game"], rules.name, seat, data["bots"][seat], kind.name, unit, tuple(turns), data["sentence"])


def _reviewed(turn: int, played: str | None, judged: Judgement) -> ReviewedTurn:
    thoughts = judged.thoughts
    return ReviewedTurn(
        turn=turn,
        played=played,
        better=judged.answer,
        value=_finite(judged.value),
        played_value=_finite(judged.played),
        depth=thoughts.depth if thoughts else 0,
        expected=list(thoughts.line) if thoughts else [],
        feared=judged.line,
    )


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def scenes_at(rules: Game, stored: StoredGame, turns: Sequence[int]) -> dict[int, Scene]:
    """The positions before some turns of a stored game, counted from 1."""
    found: dict[int, Scene] = {}

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        if referee.turn + 1 in turns:
            found[referee.turn + 1] = rules.scene_of(referee)

    stored.replay(rules, watch)
    return found


@dataclass(frozen=True)
class TurnPosition:
    """A turn of a stored game, as a seat met it."""

    turn: int  # from 1
    scene: Scene
    lines: Sequence[str]  # the prompt
    played: str | None


def seat_asked(rules: Game, stored: StoredGame, turn: int) -> int:
    """Who is asked in a turn of a stored game: of several the one of the worst rank; that one too if nobody is."""
    asked: list[int] = []
    with suppress(PodiumError):  # there is no such turn
        referee = rewind(rules, stored.row.seed, stored.settings, stored.record, turn - 1).referee
        asked = [request.seat for request in requests_of(referee)]
        referee.close()
    ranks = stored.row.ranks
    return max(asked or range(len(ranks)), key=lambda seat: ranks[seat])


def position(rules: Game, stored: StoredGame, turn: int, seat: int, bot: Bot) -> TurnPosition:
    """Lead a bot to a turn of a stored game: it follows all earlier prompts of the seat and what was answered.

    The turn is counted from 1; 0 is the last one in which the seat was asked.
    """
    seed, settings, record = stored.row.seed, stored.settings, stored.record
    last = max((index for index, other in enumerate(record.seats) if other == seat), default=0)
    at = rewind_to_answer(rules, seed, settings, record, last)
    number = at.referee.turn + 1
    if turn:
        at.referee.close()
        at = rewind(rules, seed, settings, record, min(turn, number) - 1)
    asked = [(index, one) for index, one in enumerate(requests_of(at.referee), at.answers) if one.seat == seat]
    if not asked or turn > number:
        raise PodiumError(f"seat {seat} is not asked in turn {turn} of g{stored.id}; its last turn is {number}")
    for lines, line in at.history.get(seat, []):
        if line is not None:
            bot.observe(lines, line)
    index, request = asked[0]
    found = TurnPosition(at.referee.turn + 1, rules.scene_of(at.referee), request.lines, record.lines[index])
    at.referee.close()
    return found
