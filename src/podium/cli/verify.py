"""`podium verify`: replay recorded games and compare."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.table import Table

from podium.arena.recordings import Comparison, Difference, read, verify
from podium.cli.common import GameName, Json, compilation_shown, console, errors, load_game, print_json

SHOWN = 40  # lines of a prompt in which a difference was found


def command(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Recordings: JSON lines, gzipped or not.")],
    json: Json = False,
) -> None:
    """Replay recorded games through the referee and compare every line, legal move and result."""
    rules = load_game(game)
    total = Comparison()
    with compilation_shown():
        for path in files:
            recorded = list(read(path))
            for number, one in track(recorded, "verifying", console=errors, transient=True, disable=json):
                total.add(verify(rules, number, one))
    if json:
        first = total.first and {
            "game": total.first.game,
            "seed": total.first.seed,
            "where": total.first.where,
            "expected": total.first.expected,
            "found": total.first.found,
        }
        print_json(
            {
                "games": total.games,
                "differing": total.differing,
                "positions": total.positions,
                "lines": total.lines,
                "facts": total.facts,
                "first": first,
            }
        )
    else:
        table = Table("", "agree", "differ")
        table.add_row("games", str(total.games), str(total.differing))
        table.add_row("positions (prompts)", str(total.positions), "")
        table.add_row("lines", str(total.lines), "")
        table.add_row("results and other facts", str(total.facts), "")
        console.print(table)
        if total.first:
            _show(total.first)
    if total.differing:
        raise typer.Exit(1)


def _show(difference: Difference) -> None:
    console.print(f"First difference: game {difference.game}, seed {difference.seed}, {difference.where}", style="red")
    console.print(f"  expected: {difference.expected!r}")
    console.print(f"  found:    {difference.found!r}")
    for line in difference.context[:SHOWN]:
        console.print(f"    {line}", style="dim")


command.__name__ = "verify"
