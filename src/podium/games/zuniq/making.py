"""Making what the champion opens with: the book, and the list of good opening walls.

Both are long computations of independent jobs. Their results are written as they come, so that an interrupted run
goes on where it stopped.
"""

import json
from typing import Any

import numpy as np

from podium.games.game import Answer, Budget, MakeOptions
from podium.games.zuniq.board import NAMES
from podium.games.zuniq.book import Entry, Position, read, wanted, write_entry, write_header
from podium.games.zuniq.bots.champion import KIND
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.rules import zuniq_play
from podium.games.zuniq.symmetry import orbits
from podium.kernel.clock import NEVER

BOOKLESS = {"book": False, "symmetry": False, "memory": 128}
OPENING_PLIES = 20  # the write-up's: the walls drawn before are counted
GAMES_PER_JOB = 20


def make_book(options: MakeOptions) -> None:
    """The opening book: one search of `nodes` simulations for each position, layer by layer."""
    path = options.path
    book = read(path) if path.exists() else {}
    if not book:
        with path.open("w", encoding="utf-8", newline="") as file:
            write_header(file)
    for layer in wanted(book):
        missing = [position for position in layer if position not in book]
        options.announce(f"{len(layer)} positions of {len(layer[0]) if layer else 0} walls", len(missing))
        with path.open("a", encoding="utf-8", newline="") as file:
            jobs = [(position, options.nodes, options.seed) for position in missing]
            for position, entry in options.run(search_position, jobs):
                book[position] = entry
                write_entry(file, position, entry)
                file.flush()


def search_position(job: tuple[Position, int, int]) -> tuple[Position, Entry]:
    """The best wall in a position."""
    position, simulations, seed = job
    bot: Any = KIND.bot(BOOKLESS, seed)
    for wall in position:
        zuniq_play(bot.state, wall)
    wall, _ = bot.choose(Budget(NEVER, nodes=simulations))
    value = next(choice.value for choice in bot.search.choices() if choice.move == wall)
    return position, Entry(wall, value, simulations)


def make_walls(options: MakeOptions) -> None:
    """The good opening walls: those whose kind (up to symmetry) won more often than the average, for either side."""
    counts = np.zeros((2, len(orbits()), 2), np.int64)  # side, kind of wall, [draws, of these won]
    done = 0
    journal = options.path.with_suffix(".part")
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            counts += np.array(json.loads(line), np.int64)
            done += 1
    jobs = [(options.nodes, options.seed + number) for number in range(done, -(-options.games // GAMES_PER_JOB))]
    options.announce(f"self-play games, {GAMES_PER_JOB} at a time", len(jobs))
    with journal.open("a", encoding="utf-8") as file:
        for part in options.run(count_walls, jobs):
            counts += np.array(part, np.int64)
            file.write(json.dumps(part) + "\n")
            file.flush()
    options.path.write_text(json.dumps(good_walls(counts), indent=1) + "\n", encoding="utf-8")
    journal.unlink()


def count_walls(job: tuple[int, int]) -> list[Any]:
    """Self-play games: how often each side drew each kind of wall in the opening, and won."""
    simulations, seed = job
    kind_of = {wall: kind for kind, walls in enumerate(orbits()) for wall in walls}
    counts = np.zeros((2, len(orbits()), 2), np.int64)
    for number in range(GAMES_PER_JOB):
        referee = ZuniqReferee(0)
        bots = [
            KIND.bot({**BOOKLESS, "opening": 0, "memory": 16}, (seed * GAMES_PER_JOB + number) * 2 + seat)
            for seat in (0, 1)
        ]
        while requests := referee.requests():
            line = bots[requests[0].seat].reply(requests[0].lines, Budget(NEVER, nodes=simulations))
            referee.answer([Answer(line)])
        assert referee.outcome is not None
        for ply, wall in enumerate(referee.moves[:OPENING_PLIES]):
            won = referee.outcome.ranks[ply & 1] == 1
            counts[ply & 1, kind_of[wall]] += (1, won)
    return counts.tolist()


def good_walls(counts: np.ndarray) -> dict[str, Any]:
    """The walls of the kinds that won more often than their side did on average, and the statistics."""
    result: dict[str, Any] = {}
    for seat, side in enumerate(("white", "black")):
        average = counts[seat, :, 1].sum() / max(1, counts[seat, :, 0].sum())
        rates = counts[seat, :, 1] / np.maximum(1, counts[seat, :, 0])
        good = [walls for walls, rate in zip(orbits(), rates, strict=True) if rate >= average]
        result[side] = sorted(NAMES[wall] for walls in good for wall in walls)
        result[f"{side}_statistics"] = {
            NAMES[walls[0]]: {"walls": len(walls), "drawn": int(drawn), "won": int(won)}
            for walls, (drawn, won) in zip(orbits(), counts[seat], strict=True)
        }
    return result
