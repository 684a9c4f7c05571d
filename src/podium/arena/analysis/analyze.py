"""The analysis of a position by a bot: `podium analyze`, and `podium.analyze` in Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from podium.arena.analysis.stored_runs import NAMED, find_stored_game
from podium.arena.analysis.stored_turn import LAST_TURN, TurnReference, lead_to_turn
from podium.arena.entrants.bot_names import bot_kind
from podium.arena.game.play_once import html_picture
from podium.arena.store.stored_game import StoredGame
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Analysis, Bot, Budget, Game, Thoughts
from podium.games.view import ViewBot
from podium.kernel.clock import MILLISECOND, now

MILLISECONDS = 5000.0


@dataclass(frozen=True, repr=False)
class Opinion(Displayable):
    """A position and a bot's analysis of it."""

    game: str
    bot: str
    analysis: Analysis

    @property
    def thoughts(self) -> Thoughts:
        """The bot's evaluation, best moves and expected line."""
        return self.analysis.thoughts

    @property
    def headline(self) -> str:
        """The expected line and what it took to find it."""
        thoughts = self.thoughts
        parts = [f"{self.bot} expects {' '.join(thoughts.line)}" if thoughts.line else self.bot]
        if thoughts.value is not None:
            parts.append(f"{thoughts.value:.4g} {thoughts.unit}")
        parts.append(f"{thoughts.nodes:,} nodes in {thoughts.seconds:.2f} s, depth {thoughts.depth}")
        return "; ".join([*parts, *([thoughts.note] if thoughts.note else [])])

    def rows(self) -> list[dict[str, Any]]:
        """A row for each move that was considered, the best first."""
        return [
            {"move": o.move, "value": o.value, "visits": o.visits, "proof": o.proof, "line": " ".join(o.line)}
            for o in self.thoughts.options
        ]

    def data(self) -> dict[str, Any]:
        """As plain data, which is what `--json` prints."""
        return {"scene": self.analysis.scene, "thoughts": self.thoughts.data()}

    def picture(self) -> str:
        """The position, as text for the terminal."""
        return html_picture(load(self.game), self.analysis.scene)


def budget_from_now(time: float, nodes: int) -> Budget:
    """A budget of `time` ms that begins now, or of nodes."""
    return Budget(now() + int(time * MILLISECOND), nodes=nodes)


def analyze_position(
    game: str,
    position: Sequence[str] | str = (),
    *,
    bot: str = "",
    time: float = MILLISECONDS,
    nodes: int = 0,
    turn: TurnReference = LAST_TURN,
) -> Opinion:
    """Let a bot (default: the champion, or the game's first bot) analyze a position for `time` ms or a limit of nodes.

    A position is what the game accepts as one (docs/games), or a stored game such as `g41`, or `r7` for the last game
    of a run; `turn` says where in it.
    """
    rules = load(game)
    bot = bot or rules.default_bot
    kind, changes = bot_kind(rules, bot)
    thinker = kind.bot(changes)
    thinker.warm_up()

    budget = partial(budget_from_now, time, nodes)
    words = rules.words_of(position)
    if len(words) == 1 and NAMED.fullmatch(words[0]):
        stored = find_stored_game(words[0], turn.store)
        return Opinion(rules.name, bot, _stored(rules, stored, turn, kind.bot(changes), budget))
    if rules.tools.analyze is None:
        raise PodiumError(f"{rules.title} has no analysis of positions yet; a stored game such as g41 has one")
    return Opinion(rules.name, bot, rules.tools.analyze(words, kind, changes, budget()))


def _stored(rules: Game, stored: StoredGame, at: TurnReference, thinker: Bot, budget: Callable[[], Budget]) -> Analysis:
    """The analysis of a turn of a stored game by a bot that knows what the seat knew."""
    if not isinstance(thinker, ViewBot):
        raise PodiumError(f"{type(thinker).__name__} cannot follow a stored game; analyze with another bot")
    found = lead_to_turn(rules, stored, at.turn, at.seat, thinker)
    thoughts = thinker.analyze(found.lines, budget())
    played = "nothing" if found.played is None else found.played
    thoughts.note = f"g{stored.id}, turn {found.turn}, seat {found.seat}: {played} was played. {thoughts.note}".strip()
    return Analysis(found.scene, thoughts)
