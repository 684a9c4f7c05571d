"""Games that are watched and not stored: `podium play`, and `podium.play` in Python."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from podium.arena.entrants import Entrant, entrant
from podium.arena.limits import Allowance
from podium.arena.play import Turn, play_game
from podium.arena.players import Player, player
from podium.arena.runner import warm
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Referee, Scene, Thoughts
from podium.tables import Shown

Watch = Callable[[Referee, Turn], None]

PICTURE_WIDTH = 100
PICTURE = '<pre style="line-height: 1.15; font-family: monospace">{code}</pre>'


@dataclass(frozen=True)
class PlayedTurn:
    """An answer in a game."""

    seat: int
    prompt: tuple[str, ...]
    answer: str | None  # None: nothing in time
    milliseconds: float
    verdict: str  # what the arena saw of it
    reason: str
    stderr: str
    thoughts: Thoughts | None


@dataclass(frozen=True)
class PlayedGame(Shown):
    """A finished game: who sat where, every answer, the outcome and the last position."""

    game: str
    seed: int
    bots: tuple[str, ...]  # by seat
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    ending: str
    sentence: str
    turns: tuple[PlayedTurn, ...]
    scene: Scene

    @property
    def headline(self) -> str:
        """How it ended."""
        scores = ", ".join(f"{bot} {score:g}" for bot, score in zip(self.bots, self.scores, strict=True))
        return f"{self.sentence} ({scores})"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each answer, with what its bot thought."""
        rows = []
        for number, turn in enumerate(self.turns, 1):
            thoughts = turn.thoughts or Thoughts()
            row = {"turn": number, "seat": turn.seat, "bot": self.bots[turn.seat], "answer": turn.answer}
            row |= {"ms": turn.milliseconds, "verdict": turn.verdict}
            rows.append(row | {"value": thoughts.value, "depth": thoughts.depth, "nodes": thoughts.nodes})
        return rows

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    def picture(self) -> str:
        """The last position."""
        return html_picture(load(self.game), self.scene)


def html_picture(game: Game, scene: Scene) -> str:
    """A position's picture for the terminal as HTML."""
    page = Console(file=io.StringIO(), record=True, width=PICTURE_WIDTH)
    page.print(game.picture(scene))
    return page.export_html(inline_styles=True, code_format=PICTURE)


def exhibit(
    game: str,
    bots: Sequence[str],
    *,
    seed: int = 1,
    time: float = 0.0,
    nodes: int = 0,
    settings: Mapping[str, object] | None = None,
    watch: Watch | None = None,
) -> PlayedGame:
    """Play one game between bots, one for each seat; `watch` is called after each answer was played."""
    rules = load(game)
    if len(bots) != rules.seats:
        raise PodiumError(f"{rules.title} needs {rules.seats} bots, not {len(bots)}")
    entrants = [entrant(rules, spec) for spec in bots]
    warm(rules, entrants)
    return play_watched(
        rules, entrants, seed, [seed + seat for seat in range(rules.seats)], Allowance(time, nodes), settings, watch
    )


def play_watched(
    rules: Game,
    entrants: Sequence[Entrant],
    seed: int,
    bot_seeds: Sequence[int],
    allowance: Allowance,
    settings: Mapping[str, object] | None = None,
    watch: Watch | None = None,
) -> PlayedGame:
    """The same for entrants in their seats, who are warm."""
    referee = rules.new_referee(seed, settings)
    turns: list[PlayedTurn] = []

    def note(turn: Turn) -> None:
        heard = turn.heard
        answer = (turn.answer.line, turn.answer.milliseconds, heard.verdict.value, heard.reason, heard.stderr)
        turns.append(PlayedTurn(turn.request.seat, tuple(turn.request.lines), *answer, turn.thoughts))
        if watch:
            watch(referee, turn)

    players: list[Player] = []
    try:
        for who, own in zip(entrants, bot_seeds, strict=True):
            players.append(player(rules, who, own))
        outcome = play_game(referee, players, allowance, note)
        scene = rules.scene(referee)
    finally:
        for seat, one in enumerate(players):
            one.close(referee.farewell(seat))
        referee.close()
    names = tuple(who.label for who in entrants)
    ending = outcome.ending.value
    played = seed if outcome.seed is None else outcome.seed
    return PlayedGame(
        rules.name, played, names, outcome.scores, outcome.ranks, ending, outcome.sentence, tuple(turns), scene
    )
