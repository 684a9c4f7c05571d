"""How strong a network is: matches against its teacher (the gate) and against fixed opponents (the ladder).

The gate only says that a network beats its teacher; a student may do that by exploiting its teacher's habits. Opponents
that never change show whether it really improves. All of them are ordinary matches in the run's store: pairs of games
with the seats swapped, which go on after an interruption, and which `podium show` and the pages show. A network plays
by the bot `puct`, so anybody can repeat them.

Each pair of games begins in another position, after a few random moves: two networks without any randomness would play
the same game again and again.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from podium.arena.tournament.match import Match
from podium.arena.tournament.report import MatchReport
from podium.arena.tournament.runner import Workers
from podium.arena.tournament.worker import seed_of
from podium.errors import PodiumError
from podium.games.game import PUCT, Answer, Game
from podium.games.puct_bot import PUCT_PARAMS
from podium.games.toolkit import moves_of
from podium.kernel.random import draw_below, generator
from podium.lab.learn.run_folder import json_objects, write_whole
from podium.lab.learn.tasks import ProgressCallback
from podium.model.params import LONGEST_TEXT, Value
from podium.search.selfplay_kernels import SELF_PLAY_PARAMS

LADDER = "ratings.jsonl"
OPENING_PLIES = 4  # random moves before a game
PUCT_SHARES = frozenset(PUCT_PARAMS.parameters) & frozenset(SELF_PLAY_PARAMS.parameters)


@dataclass(frozen=True)
class LadderPlan:
    """Which generations play against the fixed opponents, and how."""

    every: int = 10  # the first and every Nth generation; 0: none
    games: int = 40  # against each opponent
    nodes: int = 200  # per move

    def includes(self, number: int) -> bool:
        """Whether a generation plays."""
        return bool(self.every) and (number == 1 or number % self.every == 0)


@dataclass(frozen=True)
class LadderResult:
    """The result of a generation against a fixed opponent."""

    generation: int
    opponent: str
    nodes: int  # per move, of both
    won: int = 0
    drawn: int = 0
    lost: int = 0
    low: float | None = None  # the 95 % interval of the score
    high: float | None = None
    run: str = ""  # of the store

    @property
    def score(self) -> float:
        """The share of the points."""
        return (self.won + 0.5 * self.drawn) / max(1, self.games)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def measured(self) -> tuple[int, str, int]:
        """What was measured: the generation, its opponent, the nodes per move."""
        return self.generation, self.opponent, self.nodes


def read_ladder(folder: Path) -> list[LadderResult]:
    """The results against fixed opponents so far."""
    found: list[LadderResult] = []
    for data in json_objects(folder / LADDER):
        try:
            found.append(LadderResult(**data))
        except TypeError:
            continue
    return found


def add_to_ladder(folder: Path, result: LadderResult) -> None:
    """Append a result; half a line that a sudden end has left behind stays a line of its own."""
    path = folder / LADDER
    cut = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * cut + json.dumps(asdict(result)) + "\n")


def network_player(name: str, path: Path, self_play: dict[str, Value]) -> str:
    """The text that names a network's bot, which searches as self-play does."""
    known = [str(path.absolute()), os.path.relpath(path)]
    usable = [text for text in known if "," not in text and len(text.encode()) <= LONGEST_TEXT]
    if not usable:
        raise PodiumError(f"{path} cannot be a bot's parameter: no commas, and at most {LONGEST_TEXT} bytes")
    values = SELF_PLAY_PARAMS.values(SELF_PLAY_PARAMS.params(self_play))
    defaults = PUCT_PARAMS.values(PUCT_PARAMS.params())
    changes = [f"{each}={values[each]}" for each in values if each in PUCT_SHARES and values[each] != defaults[each]]
    return f"{name}={PUCT}:{','.join([f'network={usable[0]}', *changes])}"


def write_openings(game: Game, path: Path, number: int, seed: int) -> None:
    """Write positions to begin games in, each after a few random moves, unless the file is there."""
    if not path.exists():
        positions = (_opening(game, seed_of(seed, place)) for place in range(number))
        write_whole(path, "".join(f"{json.dumps(position)}\n" for position in positions))


def _opening(game: Game, seed: int) -> dict[str, Any]:
    """The game of a seed after a few random moves; never the end of a game."""
    assert game.view  # or no network could play
    random, views = generator(seed), [game.view() for _ in range(game.seats)]
    referee, answers = game.new_referee(seed), list[str]()
    while len(answers) < OPENING_PLIES and (requests := referee.requests()):
        view = views[requests[0].seat]
        view.read(requests[0].lines)
        moves = moves_of(referee.state)
        line = view.answer_of(moves[draw_below(random, len(moves))])
        view.answered(line)
        referee.answer([Answer(line)])
        answers.append(line)
    if not referee.requests():
        answers.pop()
    return {"game": game.name, "settings": {}, "seed": seed, "answers": answers}


@dataclass(frozen=True)
class NetworkMatch:
    """A match of a network, found again in its store by all of this but the number of games."""

    game: str
    first: str  # the bots, as texts
    second: str
    nodes: int  # per move
    seed: int
    openings: Path | None  # the file of the positions in which games begin; None: at their start

    def play(self, games: int, store: Path, workers: Workers, progress: ProgressCallback, doing: str) -> MatchReport:
        """Play all games that are not stored yet; `progress` gets the number of stored games and of all games."""

        def watch(match: Match) -> None:
            notice = f" ({match.session.notice})" if match.session.notice else ""
            progress(f"{doing}{notice}", match.tally.finished, match.target)

        with Match(
            self.game,
            self.first,
            self.second,
            games=games,
            nodes=self.nodes,
            seed=self.seed,
            store=store,
            positions=self.openings or "",
            thoughts=False,
        ) as match:
            watch(match)
            return match.play(team=workers, progress=watch)
