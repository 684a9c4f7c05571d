"""`podium analyze`: what does a bot think of a position?"""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from podium.arena.entrants import bot_kind
from podium.cli.common import GameName, Json, Nodes, compilation_shown, console, errors, load_game, numeric, print_json
from podium.errors import PodiumError
from podium.games.game import Budget, Thoughts
from podium.kernel.clock import SECOND, now
from podium.kernel.minds import Parameter

SECONDS = Parameter("time", 5.0, "Seconds to think.", 0.01, 1e6)
TOP = Parameter("top", 10, "How many moves to show.", 1, 1e6)


def command(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVE]...",
            help="The moves that lead to the position, or a prompt; the page of each game in docs/games says how.",
        ),
    ] = None,
    bot: Annotated[str, typer.Option(help="Who thinks: name, name:parameter=value,... or py:file.py")] = "champion",
    time: Annotated[float, numeric(SECONDS, metavar="SECONDS")] = 5.0,
    nodes: Nodes = 0,
    top: Annotated[int, numeric(TOP)] = 10,
    json: Json = False,
) -> None:
    """Let a bot think about a position: the board, the best moves, the expected line."""
    rules = load_game(game)
    if rules.analyze is None:
        raise PodiumError(f"{rules.title} has no analysis yet")
    kind, changes = bot_kind(rules, bot)
    with compilation_shown():
        kind.bot(changes).warm_up()
    with errors.status("thinking ..."):
        budget = Budget(now() + int(time * SECOND), nodes=nodes)
        analysis = rules.analyze(position or [], kind, changes, budget)
    if json:
        print_json({"scene": analysis.scene, "thoughts": analysis.thoughts.data()})
        return
    console.print(rules.picture(analysis.scene))
    console.print(_options(analysis.thoughts, top))
    thoughts = analysis.thoughts
    console.print(Text.assemble("expected line: ", (", ".join(thoughts.line), "bold")))
    console.print(f"{thoughts.nodes:,} nodes in {thoughts.seconds:.2f} s, depth {thoughts.depth}. {thoughts.note}")


def _options(thoughts: Thoughts, top: int) -> Table:
    table = Table("move", thoughts.unit, "cost", "visits", "proof", "line")
    for option in thoughts.options[:top]:
        line = ", ".join(option.line[:8])
        cost = thoughts.options[0].value - option.value  # of playing it instead of the first
        table.add_row(option.move, f"{option.value:.3f}", f"{cost:.3f}", f"{option.visits:,}", option.proof, line)
    return table


command.__name__ = "analyze"
