"""`podium export`: games for other programs."""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Annotated, TextIO

import typer

from podium.arena.positions import turns_of
from podium.arena.record import unpack
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.arena.stored import number_of, stored_positions
from podium.cli.printing import json_text
from podium.cli.running import StorePath
from podium.cli.show import game_data
from podium.errors import PodiumError


class Format(Enum):
    """How to write games."""

    JSONL = "jsonl"
    CSV = "csv"
    HTML = "html"


def command(
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="RUN", help="Runs such as r3; all if none. For html also a game.")
    ] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="jsonl: whole games, one a line; csv: one row for each seat of a game; html: one page, data inside.",
        ),
    ] = Format.JSONL,
    positions: Annotated[
        str, typer.Option(metavar="TURNS", help="Instead: a position of each game, from 'turn 20' or 'turn 20..40'.")
    ] = "",
    output: Annotated[Path | None, typer.Option(help="The file to write; standard output without it.")] = None,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Write stored games as JSON lines (all of each game) or as CSV (results); or one game or run as a page.

    With --positions: positions that games can begin in (podium match --from), each from a turn drawn for its game.
    """
    if positions and form is not Format.JSONL:
        raise PodiumError(f"positions are written as JSON lines, not as {form.value}: leave --format away")
    if form is Format.HTML:
        text = _page(runs or [], store)
        with _target(output) as file:
            file.write(text)
        return
    with Store(store, create=False) as opened:
        chosen = [opened.run(_run_number(text)) for text in runs or []] or [run for run, _, _ in opened.runs()]
        lines = _positions(opened, chosen, positions) if positions else iter(())
        with _target(output) as file:
            if positions:
                file.writelines(f"{line}\n" for line in lines)
            elif form is Format.JSONL:
                _write_lines(opened, chosen, file)
            else:
                _write_table(opened, chosen, file)


def _positions(store: Store, runs: list[Run], turns: str) -> Iterator[str]:
    """A position of each game; PodiumError, before anything is written, if none lasted that long."""
    lines = stored_positions(store, runs, turns_of(turns))
    first = next(lines, None)
    if first is None:
        raise PodiumError(f"no game of {', '.join(f'r{run.id}' for run in runs) or store.path} goes on at {turns}")
    return chain([first], lines)


def _page(what: list[str], store: Path) -> str:
    """The page of one game or run as one file."""
    if len(what) != 1:
        raise PodiumError("a page shows one game or one run: podium export g41 --format html")
    try:
        from podium.web.library import Library
        from podium.web.onefile import game_file, run_file
    except ImportError as error:
        raise PodiumError(f"the pages need more libraries ({error.name}): pip install 'podium[web]'") from None
    kind, number = number_of(what[0], "r")
    return game_file(Library(store), number) if kind == "g" else run_file(Library(store), number)


def _run_number(text: str) -> int:
    kind, number = number_of(text, "r")
    if kind != "r":
        raise PodiumError(f"expected a run such as r3, not {text!r}")
    return number


@contextmanager
def _target(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        raise PodiumError(f"cannot write {path}: {error.strerror}") from None


def _write_lines(store: Store, runs: list[Run], file: TextIO) -> None:
    for run in runs:
        bots = store.bots(run)
        for game in store.games(run):
            names = [bots[bot].label for bot in game.bots]
            data = game_data(run, game, names, unpack(store.record(game.id)))
            file.write(json_text(data) + "\n")


def _write_table(store: Store, runs: list[Run], file: TextIO) -> None:
    writer = csv.writer(file)
    writer.writerow(
        [
            "game",
            "run",
            "rules",
            "round",
            "part",
            "seed",
            "seat",
            "bot",
            "fingerprint",
            "score",
            "rank",
            "ending",
            "fault",
        ]
    )
    for run in runs:
        bots = store.bots(run)
        for game in store.games(run):
            faults = {seat: word for seat, word, _ in game.faults}
            for seat, number in enumerate(game.bots):
                bot = bots[number]
                place = [f"g{game.id}", f"r{run.id}", run.game, game.round, game.part, game.seed]
                result = [f"{game.scores[seat]:g}", game.ranks[seat], game.ending, faults.get(seat, "")]
                writer.writerow([*place, seat, bot.label, bot.fingerprint, *result])
