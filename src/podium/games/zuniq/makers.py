"""Makers of the champion's opening knowledge: the opening book, and the list of good opening walls.

Both are long computations of independent jobs. Each result is written as soon as it is there, so that an interrupted
run continues where it stopped.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import PodiumError
from podium.games.game import Budget, MakeOptions, Maker
from podium.games.loop import play_bots
from podium.games.zuniq.board import NAMES
from podium.games.zuniq.book import Book, Entry, Position, read, wanted, write_entry, write_header
from podium.games.zuniq.bots.alphazero import AlphaZero
from podium.games.zuniq.bots.champion import Champion
from podium.games.zuniq.bots.params import ALPHAZERO_PARAMS, CHAMPION_PARAMS
from podium.games.zuniq.referee import ZuniqReferee
from podium.games.zuniq.state import SEATS
from podium.games.zuniq.symmetry import orbits

BOOKLESS = {"book": False, "symmetry": False, "memory": 128}
BOOK_MEMORY = 1024  # megabytes: room for every node of 200,000 simulations, each with some 55 edges
OPENING_PLIES = 20  # the write-up's: the walls drawn before are counted
GAMES_PER_JOB = 20


def make_book(options: MakeOptions) -> None:
    """Make the opening book: one search of `nodes` simulations for each position, ply by ply.

    The entries go into a journal beside the book, which takes the book's place when it is whole: an interrupted run
    continues with the positions that are missing. Entries of the book and of the journal that were found with as many
    simulations are kept.
    """
    journal, fresh = options.path.with_suffix(".part"), options.path.with_suffix(".new")
    known = {**entries_of(options.path, options.nodes), **entries_of(journal, options.nodes)}
    book: Book = {}
    with journal.open("a", encoding="utf-8", newline="") as file:
        if not file.tell():
            write_header(file)
        for layer in wanted(book):
            book |= {position: known[position] for position in layer if position in known}
            jobs = [(position, options.nodes, options.seed) for position in layer if position not in book]
            options.announce(f"{len(layer)} positions of {len(layer[0]) if layer else 0} walls", len(jobs))
            for position, entry in options.run(search_position, jobs):
                book[position] = entry
                write_entry(file, position, entry)
                file.flush()
    with fresh.open("w", encoding="utf-8", newline="") as file:
        write_header(file)
        for position in sorted(book):
            write_entry(file, position, book[position])
    fresh.replace(options.path)
    journal.unlink()


def entries_of(path: Path, simulations: int) -> Book:
    """The entries of a file that were found with at least this many simulations.

    A last line that an interrupted run could not finish is cut off.
    """
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    found = read(path) if whole else {}
    return {position: entry for position, entry in found.items() if entry.simulations >= simulations}


def search_position(job: tuple[Position, int, int]) -> tuple[Position, Entry]:
    """The best wall in a position, found by the search of `alphazero`, which is the stronger one in the opening."""
    position, simulations, seed = job
    bot = AlphaZero(ALPHAZERO_PARAMS.params({"memory": BOOK_MEMORY}), seed)
    for wall in position:
        bot.view.draw(wall)
    bot.view.seat = len(position) & 1
    wall = bot.choose(Budget(nodes=simulations))
    assert bot.result is not None
    return position, Entry(wall, bot.result.value, simulations)


def make_walls(options: MakeOptions) -> None:
    """Make the list of good opening walls of each side: the kinds (up to symmetry) that won more often than average.

    Each line of the journal names its job, because parallel jobs end in any order.
    """
    journal = options.path.with_suffix(".part")
    jobs = [(options.nodes, options.seed + number) for number in range(-(-options.games // GAMES_PER_JOB))]
    counted = read_journal(journal)
    missing = [job for job in jobs if job not in counted]
    options.announce(f"self-play games, {GAMES_PER_JOB} at a time", len(missing))
    with journal.open("a", encoding="utf-8") as file:
        for job, counts in options.run(count_walls, missing):
            counted[job] = counts
            file.write(json.dumps({"nodes": job[0], "seed": job[1], "counts": counts}) + "\n")
            file.flush()
    total = np.sum([counted[job] for job in jobs], axis=0)
    options.path.write_text(json.dumps(good_walls(total), indent=1) + "\n", encoding="utf-8")
    journal.unlink()


Job = tuple[int, int]  # simulations per move, and the seed of its games


def read_journal(path: Path) -> dict[Job, list[Any]]:
    """The counts of the jobs that an interrupted run has done. A last line that it could not finish is cut off."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        return {(line["nodes"], line["seed"]): line["counts"] for line in lines}
    except (ValueError, KeyError, TypeError):
        raise PodiumError(f"{path} is not the journal of an interrupted run; remove it to begin anew") from None


def count_walls(job: Job) -> tuple[Job, list[Any]]:
    """Self-play games: the job, and how often each side drew each kind of wall in the opening, and won."""
    simulations, seed = job
    kind_of = {wall: kind for kind, walls in enumerate(orbits()) for wall in walls}
    counts = np.zeros((SEATS, len(orbits()), 2), np.int64)  # side, kind of wall, [draws, of these won]
    for number in range(GAMES_PER_JOB):
        referee = ZuniqReferee(0)
        params = CHAMPION_PARAMS.params({**BOOKLESS, "opening": 0, "memory": 16})
        bots = [Champion(params, (seed * GAMES_PER_JOB + number) * 2 + seat) for seat in range(SEATS)]
        outcome = play_bots(referee, bots, Budget(nodes=simulations))
        for ply, wall in enumerate(referee.moves[:OPENING_PLIES]):
            won = outcome.ranks[ply & 1] == 1
            counts[ply & 1, kind_of[wall]] += (1, won)
    return job, counts.tolist()


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


MAKERS = {
    "book": Maker("the best wall for every position of plies 1 to 5", "book.csv", make_book, nodes=200_000),
    "walls": Maker("the walls that win in the opening", "opening_walls.json", make_walls, nodes=200, games=4000),
}
