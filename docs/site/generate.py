"""Writes the pages of the reference that the program knows best: its commands, and its bots with their parameters."""

import json
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_type_hints

import typer

from podium.arena.tournament.options import MatchOptions, RunOption
from podium.cli.app import application
from podium.cli.help_text import help_sections, usage

BAR = r"\|"  # inside a cell
GAMES = Path(__file__).parents[1] / "games"


def write(folder: Path) -> None:
    """Write all generated pages; one that did not change keeps its time, so that it is not built again."""
    for name, text in (
        ("commands.md", "\n".join(commands())),
        ("bots.md", "\n".join(bots())),
        ("options.md", "\n".join(options())),
    ):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def printed(*words: str) -> str:
    """What a module prints when it is run with these words."""
    return subprocess.run([sys.executable, "-m", *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def commands() -> Iterator[str]:
    """The command line: every command with its arguments and options, in the groups of its help."""
    root = typer.main.get_command(application())
    context = typer.Context(root, info_name="podium")
    yield f"# Commands\n\n{root.help}\n"
    for title, rows in help_sections(root, context).items():
        if any(name in root.commands for name, _ in rows):
            yield f"## {title}\n"
            for name, _ in rows:
                yield from described(root.commands[name], context, name, "###")


def described(command: Any, parent: typer.Context, name: str, heading: str) -> Iterator[str]:
    """One command, and those that it has of its own."""
    context = typer.Context(command, info_name=name, parent=parent)
    yield f"{heading} podium {context.command_path.partition(' ')[2]}\n\n{command.help}\n"
    yield f"```\n{usage(command, context)}\n```\n"
    own = getattr(command, "commands", {})
    for title, rows in help_sections(command, context).items():
        rows = [(written, meaning) for written, meaning in rows if written not in own and "--help" not in written]
        if rows:
            yield f"{row(title, '')}\n| --- | --- |"
            yield from (row(f"`{written}`", meaning) for written, meaning in rows)
            yield ""
    for each in own:
        yield from described(own[each], context, each, heading + "#")


def options() -> Iterator[str]:
    """The options of runs, which the calls in Python and the commands share."""
    yield "# Options of runs\n"
    yield "Keyword arguments of `podium.match` and `podium.league`; the commands have the same as `--name`.\n"
    yield "| option | default | meaning |\n| --- | --- | --- |"
    for name, hint in get_type_hints(MatchOptions, include_extras=True).items():
        option = next(each for each in hint.__metadata__ if isinstance(each, RunOption))
        default = option.default.value if isinstance(option.default, Enum) else option.default
        yield row(f"`{name}`", shown(default), option.help)


def bots() -> Iterator[str]:
    """All bots of the games that have a page, with their parameters."""
    yield "# Bots and their parameters\n"
    yield "`champion:playouts=5,rave=off` is the champion with two parameters changed.\n"
    for game in json.loads(printed("podium", "games", "--json"))["games"]:
        if not (GAMES / f"{game['name']}.md").exists():
            continue  # of another package
        yield f"## {game['title']}\n"
        for bot in json.loads(printed("podium", "bots", game["name"], "--json"))["bots"]:
            yield f"### {game['title']}: {bot['name']}\n\n{bot['summary']}\n"
            yield from table(bot["parameters"])


def table(parameters: list[dict[str, Any]]) -> Iterator[str]:
    """The parameters of a bot."""
    if not parameters:
        return
    yield "| parameter | default | values | meaning |\n| --- | --- | --- | --- |"
    for parameter in parameters:
        yield row(f"`{parameter['name']}`", shown(parameter["default"]), parameter["range"], parameter["help"])
    yield ""


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def shown(value: Any) -> str:
    """A value as it is written on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, int | float) else str(value)
