"""`podium export`: stored games as JSON lines, CSV or HTML."""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Annotated, TextIO

import typer

from podium.arena.analysis.stored_runs import number_of, stored_positions
from podium.arena.game.start_positions import turns_of
from podium.arena.store.game_data import game_data, row_data
from podium.arena.store.store import DEFAULT_STORE, Run, Store
from podium.arena.store.stored_game import stored_game
from podium.cli.console import errors, json_text
from podium.cli.options import StorePath
from podium.errors import PodiumError
from podium.files import writing
from podium.lab.run_list import run_numbered

# Of the table of results, a row for each seat of a game.
COLUMNS = "game run rules round part seed seat bot fingerprint score rank ending fault".split()


class Format(Enum):
    """The format of an export."""

    JSONL = "jsonl"
    CSV = "csv"
    HTML = "html"


def command(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Runs such as r3; default: all. With --format html also a game."),
    ] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="jsonl: complete games, one per line; csv: results, one row per seat; html: a standalone page.",
        ),
    ] = Format.JSONL,
    positions: Annotated[
        str, typer.Option(metavar="TURNS", help="Export a position of each game, from 'turn 20' or 'turn 20..40'.")
    ] = "",
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Output file; default: standard output.")] = None,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Export stored games as JSON lines or their results as CSV, or one game or run as an HTML page.

    With --positions: export start positions for podium match --from, one from a random turn of each game.
    """
    if positions and form is not Format.JSONL:
        raise PodiumError(f"positions are written as JSON lines, not as {form.value}: leave --format away")
    if form is Format.HTML:
        text = _page(runs or [], store)
        with _target(output) as file:
            file.write(text)
        return
    with Store(store, create=False) as opened:
        chosen = [opened.run(run_numbered(text)) for text in runs or []] or [run for run, _, _ in opened.runs()]
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
    from podium.web.repository import Repository
    from podium.web.standalone_html import game_file, run_file

    kind, number = number_of(what[0], "r")
    return game_file(Repository(store), number) if kind == "g" else run_file(Repository(store), number)


@contextmanager
def _target(path: Path | None) -> Iterator[TextIO]:
    if path is None:
        yield sys.stdout
        return
    with writing(path), path.open("w", encoding="utf-8", newline="") as file:
        yield file
    errors.print(f"wrote {path}", soft_wrap=True)


def _write_lines(store: Store, runs: list[Run], file: TextIO) -> None:
    for run in runs:
        for game in store.games(run):
            file.write(json_text(game_data(stored_game(store, game))) + "\n")


def _write_table(store: Store, runs: list[Run], file: TextIO) -> None:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for run in runs:
        bots = store.bots(run)
        for game in store.games(run):
            data = row_data(game, [bots[number].label for number in game.bots])
            faults = {fault["seat"]: fault["why"] for fault in data["faults"]}
            place = [data["game"], data["run"], run.game, data["round"], data["part"], data["seed"]]
            for seat, number in enumerate(game.bots):
                result = [f"{game.scores[seat]:g}", game.ranks[seat], game.ending, faults.get(seat, "")]
                writer.writerow([*place, seat, data["bots"][seat], bots[number].fingerprint, *result])
