"""`podium bots`: the bots of a game and their parameters."""

import math
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.text import Text

from podium.cli import completion
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import GameName, Json
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import BotKind, Game
from podium.model.params import Parameter

EVERYDAY = 1e4  # defaults below this make a good example


def command(
    game: GameName,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="Only this bot.", autocompletion=completion.bots, show_default=False)
    ] = "",
    json: Json = False,
) -> None:
    """List the bots of a game with their parameters, and the settings of the game.

    With BOT all its parameters are listed, without it only what the bots before it do not have.
    """
    rules = load(game)
    kinds = [rules.kind(bot)] if bot else _all(rules)
    if json:
        print_json({"bots": [_data(kind) for kind in kinds]})
        return
    shown: dict[tuple[str, str], Parameter] = {}
    for kind in kinds:
        _print_bot(kind, shown)
    if example := _example(kinds):
        console.print(f"Change parameters like this: {example}", style="dim")
    if rules.contest.settings and not bot:
        console.print(Text.assemble((f"settings of {rules.name}", "bold"), " (matches and leagues: --set NAME=VALUE)"))
        console.print(_table("setting", rules.contest.settings))


def _print_bot(kind: BotKind, shown: dict[tuple[str, str], Parameter]) -> None:
    """A bot with its parameters; of those that an earlier bot has shown, only the defaults that differ."""
    console.print(Text.assemble((kind.name, "bold"), f": {kind.summary}"))
    if kind.least_nodes:
        console.print(f"at least {kind.least_nodes:,} nodes per move: {kind.least_nodes_measured}", style="dim")
    new = [p for p in kind.param_spec if (p.name, p.help) not in shown]
    if new:
        console.print(_table("parameter", new))
    if old := [p for p in kind.param_spec if (p.name, p.help) in shown]:
        changed = [f"{p.name}={_value(p)}" for p in old if _value(p) != _value(shown[p.name, p.help])]
        line = f"{len(old)} parameters as above{', with ' if changed else ''}{', '.join(changed)}"
        console.print(f"and {line}" if new else line, highlight=False)
    shown.update({(p.name, p.help): p for p in new})


def _data(kind: BotKind) -> dict[str, Any]:
    parameters = [parameter_data(parameter) for parameter in kind.param_spec]
    least = {"least_nodes": kind.least_nodes or None, "least_nodes_measured": kind.least_nodes_measured or None}
    return {"name": kind.name, "summary": kind.summary, **least, "parameters": parameters}


def _example(kinds: Iterable[BotKind]) -> str:
    """One of these bots with a number and a switch changed, as a user writes it; empty if none has any."""
    for kind in kinds:
        numbers = [p for p in kind.param_spec if not isinstance(p.default, bool | str) and not p.choices]
        switches = [p for p in kind.param_spec if isinstance(p.default, bool)]
        changes = [f"{p.name}={_other(p):g}" for p in numbers if abs(float(p.default)) < EVERYDAY][:1]
        changes += [f"{p.name}={'off' if p.default else 'on'}" for p in switches[:1]]
        if changes:
            return f"{kind.name}:{','.join(changes)}"
    return ""


def _other(parameter: Parameter) -> float:
    """An allowed value that is not the default."""
    default = float(parameter.default)
    half = default // 2 if isinstance(parameter.default, int) else default / 2
    return next(v for v in (half, default + 1, parameter.low, parameter.high) if v != default and _allows(parameter, v))


def _allows(parameter: Parameter, value: float) -> bool:
    return parameter.low <= value <= parameter.high


def _all(rules: Game) -> list[BotKind]:
    """All bots of a game; a plug-in bot that cannot be loaded causes a warning."""
    kinds = []
    for name in rules.bots:
        try:
            kinds.append(rules.kind(name))
        except PodiumError as error:
            errors.print(str(error), style="yellow", markup=False, highlight=False)
    return kinds


def _table(title: str, parameters: Iterable[Parameter]) -> Sheet:
    table = Sheet(title, "default", "values", "meaning", typed=(title,))
    for parameter in parameters:
        table.add_row(parameter.name, _value(parameter), parameter_range(parameter), parameter.help)
    return table


def _value(parameter: Parameter) -> str:
    if parameter.drawn:
        return "drawn from the seed"
    if isinstance(parameter.default, bool):
        return "on" if parameter.default else "off"
    return f"{parameter.default:g}" if isinstance(parameter.default, float) else str(parameter.default)


def parameter_data(parameter: Parameter) -> dict[str, Any]:
    """A parameter of a bot or a setting of a game as plain data; no default where it is drawn from the seed."""
    default = None if parameter.drawn else parameter.default
    return {"name": parameter.name, "default": default, "range": parameter_range(parameter), "help": parameter.help}


def parameter_range(parameter: Parameter) -> str:
    """The range of a parameter as text."""
    if parameter.choices:
        return " | ".join(parameter.choices)
    if isinstance(parameter.default, bool):
        return "on | off"
    if math.isinf(parameter.low) and math.isinf(parameter.high):
        return ""
    return f"{_bound(parameter.low)} .. {_bound(parameter.high)}"


def _bound(value: float) -> str:
    """A bound, without an exponent where it has few digits."""
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e16 and value == int(value) else f"{value:g}"
