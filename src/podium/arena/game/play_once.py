"""Games that are watched and not stored: `podium play`, and `podium.play` in Python."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from podium.arena.entrants.entrant import Entrant, entrant
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import TimeControl
from podium.arena.game.play import play_recorded
from podium.arena.game.players import seated, warm
from podium.arena.game.record import Recorder
from podium.arena.game.sentences import game_sentence
from podium.arena.game.turn import Turn, answer_data
from podium.display import Displayable
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Ending, Game, Referee, Scene, Thoughts
from podium.games.parsing import checked_seed

WatchGame = Callable[[Referee, Turn], None]

PICTURE_WIDTH = 100
PICTURE = '<pre style="line-height: 1.15; font-family: monospace">{code}</pre>'


@dataclass(frozen=True, repr=False)
class PlayedGame(Displayable):
    """A finished game: who sat where, every answer, the outcome and the last position."""

    game: str
    seed: int
    bots: tuple[str, ...]  # by seat
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    ending: Ending
    sentence: str
    turns: tuple[Turn, ...]
    scene: Scene

    @property
    def headline(self) -> str:
        """How the game ended, in one sentence."""
        scores = ", ".join(f"{bot} {score:g}" for bot, score in zip(self.bots, self.scores, strict=True))
        return f"{self.sentence} ({scores})"

    def __repr__(self) -> str:
        return self.headline

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
        """As plain data; its answers in the words of a stored game's, with their prompts."""
        return {
            **{name: getattr(self, name) for name in ("game", "seed", "bots", "scores", "ranks", "ending", "sentence")},
            "turns": [_turn_data(turn) for turn in self.turns],
            "scene": self.scene,
        }

    def picture(self) -> str:
        """The last position."""
        return html_picture(load(self.game), self.scene)


def _turn_data(turn: Turn) -> dict[str, Any]:
    """An answer as plain data, with its prompt."""
    return {
        **answer_data(turn, turn.thoughts.data() if turn.thoughts else None),
        "prompt": turn.prompt,
        "answer": turn.line,
        "milliseconds": turn.milliseconds,
        "verdict": turn.verdict,
        "reason": turn.reason,
    }


def html_picture(game: Game, scene: Scene) -> str:
    """A position's picture for the terminal as HTML."""
    page = Console(file=io.StringIO(), record=True, width=PICTURE_WIDTH)
    page.print(game.pictures.picture(scene))
    return page.export_html(inline_styles=True, code_format=PICTURE)


def play_once(
    game: str,
    bots: Sequence[str],
    *,
    seed: int = 1,
    time: float = 0.0,
    nodes: int = 0,
    settings: Mapping[str, object] | None = None,
    watch: WatchGame | None = None,
) -> PlayedGame:
    """Play one game between bots, one for each seat; `watch` is called after each answer was played."""
    rules = load(game)
    if len(bots) != rules.seats:
        raise PodiumError(f"{rules.title} needs {rules.seats} bots, not {len(bots)}")
    seed = checked_seed(seed)
    entrants = [entrant(rules, spec) for spec in bots]
    warm(rules, entrants)
    return play_watched(
        rules, entrants, seed, [seed + seat for seat in range(rules.seats)], TimeControl(time, nodes), settings, watch
    )


def play_watched(
    rules: Game,
    entrants: Sequence[Entrant],
    seed: int,
    bot_seeds: Sequence[int],
    time_control: TimeControl,
    settings: Mapping[str, object] | None = None,
    watch: WatchGame | None = None,
) -> PlayedGame:
    """The same for entrants in their seats, who are warm. A PodiumError if the referee fails."""
    referee = rules.new_referee(seed, settings)
    turns: list[Turn] = []

    def note(turn: Turn) -> None:
        turns.append(turn)
        if watch:
            watch(referee, turn)

    try:
        with seated(rules, entrants, bot_seeds, Conditions(rules.name, time_control=time_control)) as players:
            outcome = play_recorded(referee, players, time_control, Recorder(keep_thoughts=False), watch=note)
        if outcome.ending is Ending.ANNULLED:
            raise PodiumError(outcome.detail)
        scene = rules.scene_of(referee)
    finally:
        referee.close()
    return PlayedGame(
        game=rules.name,
        seed=seed if outcome.seed is None else outcome.seed,
        bots=tuple(who.label for who in entrants),
        scores=outcome.scores,
        ranks=outcome.ranks,
        ending=outcome.ending,
        sentence=game_sentence(outcome.ending, outcome.annulment, outcome.detail, outcome.faults),
        turns=tuple(turns),
        scene=scene,
    )
