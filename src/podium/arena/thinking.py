"""What a bot thinks of a position: `podium analyze`, and `podium.analyze` in Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.arena.entrants import bot_kind
from podium.arena.exhibition import html_picture
from podium.arena.record import unpack
from podium.arena.review import STRONGEST, seat_asked, seat_of
from podium.arena.review import position as position_of
from podium.arena.store import DEFAULT_STORE, Store
from podium.arena.stored import NAMED, game_named
from podium.errors import PodiumError
from podium.games import load
from podium.games.follow import Follower
from podium.games.game import Analysis, Bot, Budget, Game, Thoughts
from podium.kernel.clock import MILLISECOND, now
from podium.tables import Shown

MILLISECONDS = 5000.0


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


@dataclass(frozen=True)
class Moment:
    """A turn in a stored game: which turn, from 1 (0: the last), and whose view (None: who was asked)."""

    turn: int = 0
    seat: int | None = None
    store: Path | str = DEFAULT_STORE


LAST_TURN = Moment()


def think(
    game: str,
    position: Sequence[str] = (),
    *,
    bot: str = STRONGEST,
    time: float = MILLISECONDS,
    nodes: int = 0,
    moment: Moment = LAST_TURN,
) -> Opinion:
    """Let a bot think about a position for so many milliseconds, or so many nodes.

    A position is what the game takes for one (docs/games), or a stored game such as `g41`, or `r7` for the last game of
    a run; of these the moment counts.
    """
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    thinker = kind.bot(changes)
    thinker.warm_up()

    def budget() -> Budget:
        return Budget(now() + int(time * MILLISECOND), nodes=nodes)

    if len(position) == 1 and NAMED.fullmatch(position[0]):
        return Opinion(rules.name, bot, _stored(rules, position[0], moment, kind.bot(changes), budget))
    if rules.analyze is None:
        raise PodiumError(f"{rules.title} has no analysis of positions yet; a stored game such as g41 has one")
    return Opinion(rules.name, bot, rules.analyze(list(position), kind, changes, budget()))


def _stored(rules: Game, text: str, moment: Moment, thinker: Bot, budget: Callable[[], Budget]) -> Analysis:
    """What a bot thinks in a turn of a stored game, of which it knows what the seat knew."""
    with Store(Path(moment.store), create=False) as opened:
        stored = game_named(opened, text)
        run = opened.run(stored.run)
        record = unpack(opened.record(stored.id))
    if run.game != rules.name:
        raise PodiumError(f"g{stored.id} is a game of {run.game}, not of {rules.name}")
    if not isinstance(thinker, Follower):
        raise PodiumError(f"{type(thinker).__name__} cannot be led into a game; analyze with another bot")
    settings, turn, seat = run.conditions.settings, moment.turn, moment.seat
    whose = seat_of(stored, seat if seat is not None or not turn else seat_asked(rules, settings, stored, record, turn))
    found = position_of(rules, settings, stored, record, turn, whose, thinker)
    thoughts = thinker.analyze(found.lines, budget())
    played = "nothing" if found.played is None else found.played
    thoughts.note = f"g{stored.id}, turn {found.turn}, seat {whose}: played was {played}. {thoughts.note}".strip()
    return Analysis(found.scene, thoughts)
