"""How strong a network is, beside the gate: games against fixed opponents, all with the same number of nodes a move.

The gate only tells that a network beats its teacher; a student may beat it by answering its habits. Bots of the game
that never change tell whether it goes on. What was measured is a line of `ratings.jsonl` each, so that it can be done
later, too, for any generation, and an interrupted measurement goes on.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from podium.arena.entrants import bot_kind
from podium.arena.play import Allowance, play_game
from podium.arena.work import seed_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game
from podium.games.kit import SearchBot
from podium.kernel.minds import Value
from podium.lab.jobs import Weights
from podium.lab.selfplay import PRACTICE
from podium.search.puct import Puct

RATINGS = "ratings.jsonl"
PAIRS_OF_A_TRIAL = 5


@dataclass(frozen=True)
class Trial:
    """Pairs of games of a network against a bot, with the seats swapped."""

    game: str
    practice: dict[str, Value]
    opponent: str
    nodes: int  # a move, of either
    pairs: int
    seed: int


@dataclass(frozen=True)
class Rating:
    """What a generation reached against a bot."""

    generation: int
    opponent: str
    nodes: int
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def score(self) -> float:
        """The share of the points."""
        return (self.won + 0.5 * self.drawn) / max(1, self.games)

    @property
    def games(self) -> int:
        """How many games it was."""
        return self.won + self.drawn + self.lost

    @property
    def measured(self) -> tuple[int, str, int]:
        """What was measured."""
        return self.generation, self.opponent, self.nodes

    def with_results(self, won: int, drawn: int, lost: int) -> "Rating":
        """The same with more games."""
        return Rating(self.generation, self.opponent, self.nodes, self.won + won, self.drawn + drawn, self.lost + lost)


def player(game: Game, weights: Weights, practice: dict[str, Value], seed: int) -> SearchBot:
    """A bot that a network leads."""
    if game.view is None:
        raise PodiumError(f"{game.title} has no view, so a network cannot play against bots")
    mind, start = PRACTICE.mind(practice), game.new_referee(seed).state.copy()
    sizes = game.most_moves, game.codes, game.most_plies
    return SearchBot(game.view(), lambda: Puct(game.state, mind, weights.network(), *sizes, seed), start)


def play_trial(job: Trial, weights: Weights) -> tuple[int, int, int]:
    """Games won, drawn and lost by the network."""
    game = load(job.game)
    kind, changes = bot_kind(game, job.opponent)
    counts = [0, 0, 0]
    for number in range(job.pairs):
        seeds = [seed_of(job.seed, number, which) for which in range(3)]
        for seat in range(2):
            bots = [player(game, weights, job.practice, seeds[0]), kind.bot(changes, seeds[1])]
            outcome = play_game(game.new_referee(seeds[2]), bots[:: 1 - 2 * seat], Allowance(nodes=job.nodes))
            own, other = outcome.ranks[seat], outcome.ranks[1 - seat]
            counts[0 if own < other else 1 if own == other else 2] += 1
    return counts[0], counts[1], counts[2]


def trials(game: str, practice: dict[str, Value], rating: Rating, games: int, seed: int) -> Iterator[Trial]:
    """The jobs of a rating."""
    pairs = -(-games // 2)
    for first in range(0, pairs, PAIRS_OF_A_TRIAL):
        size = min(PAIRS_OF_A_TRIAL, pairs - first)
        of_its_own = seed_of(seed, rating.generation, first)
        yield Trial(game, practice, rating.opponent, rating.nodes, size, of_its_own)


def read_ratings(folder: Path) -> list[Rating]:
    """What was measured so far; a line cut short by a sudden end is left out."""
    path = folder / RATINGS
    found: list[Rating] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []:
        try:
            found.append(Rating(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def add_rating(folder: Path, rating: Rating) -> None:
    """Write down what was measured."""
    path = folder / RATINGS
    cut = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" * cut + json.dumps(asdict(rating)) + "\n")
