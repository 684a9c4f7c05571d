"""Where was a game lost? A bot reviews a stored game from one seat.

The bot receives every prompt of the seat as it was, and the answers that were really given, so it knows what the seat
knew, and history and fog are right. At each turn it reports its own move and evaluates it and the played one at the
same depth. The difference is the cost of the turn: an evaluation, not a proof. Where the bot's evaluations have win
probabilities, the cost is a lost share of them too, and has a mark (blunder, mistake, inaccuracy).

A player cannot find its own mistakes with its own budget, so the bot gets several times as much. What still does not
show as the cost of a turn is in `podium.arena.analysis.surprises`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from podium.arena.analysis.reviewed_turn import ReviewedTurn, TurnContext
from podium.arena.analysis.surprises import Surprises, surprises_of
from podium.arena.game.limits import Clock
from podium.arena.store.stored_game import StoredGame
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games.game import BotKind, Budget, Game, Judgement, Referee, Request, Scene
from podium.kernel.clock import MILLISECOND, now
from podium.model.params import Value

Judge = tuple[BotKind, Mapping[str, Value]]  # a bot and its changed parameters
MULTIPLE = 8  # times the budget of the player; half of it compares the played move with the best
SHORTEST, LONGEST = 200.0, 2000.0  # ms per turn, where the budget is not given


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
    surprises: Surprises = field(default_factory=Surprises)
    budget: str = ""  # of the judge for each answer, in words

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
        return sorted(costly, key=lambda turn: (-(turn.lost_win or 0.0), -(turn.cost or 0.0)))[:number]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        more = ("cost", "lost_win", "mark")
        turns = [{**asdict(turn), **{name: getattr(turn, name) for name in more}} for turn in self.turns]
        return {
            **asdict(self),
            "turns": turns,
            "surprises": self.surprises.data(),
            "surprise_sentences": self.surprises.sentences(self.player),
        }


@dataclass(frozen=True)
class JudgeBudget:
    """The judge's budget for an answer of a stored game, by the index of the answer, and in words.

    `time` in ms, or nodes, for each answer; with neither, several times what the player had.
    """

    stored: StoredGame
    time: float | None = None
    nodes: int = 0

    @property
    def _given(self) -> int:
        """The player's nodes, where they are multiplied."""
        return 0 if self.nodes or self.time is not None else self.stored.run.conditions.time_control.nodes

    def __call__(self, index: int) -> Budget:
        """For the answer with this index in the record; the time runs from now."""
        taken = MULTIPLE * self.stored.record.times[index]
        limit = min(max(taken, SHORTEST), LONGEST) if self.time is None else self.time
        return Budget(now() + int(limit * MILLISECOND), nodes=self.nodes or MULTIPLE * self._given)

    @property
    def text(self) -> str:
        """The same for people, for one answer."""
        if self._given:
            return f"{MULTIPLE * self._given:,} nodes, {MULTIPLE} times what the player had"
        if self.nodes:
            return f"{self.nodes:,} nodes"
        if self.time is not None:
            return f"{self.time:g} ms"
        return f"{MULTIPLE} times what the player took, {SHORTEST:g} to {LONGEST:,g} ms"


def review(
    rules: Game,
    stored: StoredGame,
    seat: int,
    bot: Judge,
    budget: JudgeBudget,
    progress: Callable[[int], None] = lambda turn: None,
) -> Review:
    """Let a bot judge every answer that a seat gave; with a budget for each."""
    kind, changes = bot
    judge = kind.bot(changes)
    lines = stored.record.lines
    turns: list[ReviewedTurn] = []
    contexts: list[TurnContext] = []
    clock = Clock(stored.run.conditions.time_control)
    unit = ""

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        nonlocal unit
        for index, request in enumerate(requests, first):
            if request.seat == seat:
                progress(referee.turn + 1)
                judged = judge.judge(request.lines, lines[index], budget(index))
                unit = judged.thoughts.unit if judged.thoughts else unit
                turns.append(_reviewed(referee.turn + 1, lines[index], judged, kind))
                clock.start(request)
                others = tuple(other for other in range(first, first + len(requests)) if other != index)
                contexts.append(TurnContext(index, clock.limit, others))
                clock.spend(stored.record.times[index])

    _, departure = stored.replay(rules, watch)
    if departure:
        raise PodiumError(f"g{stored.id} cannot be reviewed: the rules have changed since it was played")
    row, player = stored.row, stored.bots[seat]
    found = surprises_of(stored, seat, turns, contexts, kind, rules.bots.get(player.kind))
    return Review(
        f"g{stored.id}", rules.name, seat, player.label, kind.name, unit, tuple(turns), row.sentence, found, budget.text
    )


def _reviewed(turn: int, played: str | None, judged: Judgement, kind: BotKind) -> ReviewedTurn:
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
        win=kind.win(judged.value),
        played_win=kind.win(judged.played),
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
