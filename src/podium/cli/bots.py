"""`podium bots`: the bots of a game and their parameters."""

import math
from typing import Annotated

import typer
from rich.table import Table

from podium.cli.common import GameName, Json, console, load_game, print_json
from podium.kernel.minds import Parameter


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Only this bot.", show_default=False)] = "",
    json: Json = False,
) -> None:
    """List the bots of a game with their parameters."""
    rules = load_game(game)
    kinds = [rules.kind(bot)] if bot else list(rules.bots.values())
    if json:
        print_json(
            [
                {
                    "name": kind.name,
                    "summary": kind.summary,
                    "parameters": [
                        {"name": p.name, "default": p.default, "range": _range(p), "help": p.help} for p in kind.minds
                    ],
                }
                for kind in kinds
            ]
        )
        return
    for kind in kinds:
        console.print(f"[bold]{kind.name}[/]: {kind.summary}")
        table = Table("parameter", "default", "values", "meaning", show_lines=False)
        for parameter in kind.minds:
            table.add_row(parameter.name, _value(parameter), _range(parameter), parameter.help)
        console.print(table)
    console.print("A parameter is changed by writing, for example, champion:playouts=5,rave=off", style="dim")


def _value(parameter: Parameter) -> str:
    if isinstance(parameter.default, bool):
        return "on" if parameter.default else "off"
    return f"{parameter.default:g}" if isinstance(parameter.default, float) else str(parameter.default)


def _range(parameter: Parameter) -> str:
    if parameter.choices:
        return " | ".join(parameter.choices)
    if isinstance(parameter.default, bool):
        return "on | off"
    if math.isinf(parameter.low) and math.isinf(parameter.high):
        return ""
    return f"{parameter.low:g} .. {parameter.high:g}"


command.__name__ = "bots"
