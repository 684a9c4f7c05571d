"""What a bot thinks of a position: `podium analyze`, and `podium.analyze` in Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from podium.arena.entrants import bot_kind
from podium.arena.exhibition import html_picture
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Analysis, Budget, Thoughts
from podium.kernel.clock import SECOND, now
from podium.tables import Shown

BEST_KNOWN = "champion"


@dataclass(frozen=True)
class Opinion(Shown):
    """A position and what a bot thinks of it."""

    game: str
    bot: str
    analysis: Analysis

    @property
    def thoughts(self) -> Thoughts:
        """All that the bot tells."""
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
        """The position."""
        return html_picture(load(self.game), self.analysis.scene)


def think(
    game: str, position: Sequence[str] = (), *, bot: str = BEST_KNOWN, time: float = 5.0, nodes: int = 0
) -> Opinion:
    """Let a bot think about a position for so many seconds, or so many nodes."""
    rules = load(game)
    if rules.analyze is None:
        raise PodiumError(f"{rules.title} has no analysis yet")
    kind, changes = bot_kind(rules, bot)
    kind.bot(changes).warm_up()
    budget = Budget(now() + int(time * SECOND), nodes=nodes)
    return Opinion(rules.name, bot, rules.analyze(list(position), kind, changes, budget))
