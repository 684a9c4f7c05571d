"""`podium analyze`: what does a bot think of a position?"""

from typing import Annotated

import typer
from rich.text import Text

from podium.arena.entrants import bot_kind
from podium.arena.review import STRONGEST
from podium.arena.store import DEFAULT_STORE
from podium.arena.thinking import MILLISECONDS, Moment, think
from podium.cli.common import GameName, Json, Nodes, compilation_shown, console, errors, numeric, print_json
from podium.cli.running import StorePath
from podium.cli.tables import Sheet
from podium.games import load
from podium.games.game import Thoughts
from podium.kernel.minds import Parameter

TIME = Parameter("time", MILLISECONDS, "Milliseconds to think.", 1, 1e9)
TOP = Parameter("top", 10, "How many moves to show.", 1, 1e6)
TURN = Parameter("turn", 0, "Of a stored game: which turn, from 1; 0: the last.", 0, 1e6)


def command(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVE|g41|r7",
            help="The moves that lead to the position, or a prompt (docs/games says how for each game); or a stored "
            "game, or a run: its last game.",
        ),
    ] = None,
    bot: Annotated[str, typer.Option(help="Who thinks: name, name:parameter=value,... or py:file.py")] = STRONGEST,
    time: Annotated[float, numeric(TIME, metavar="MS")] = MILLISECONDS,
    nodes: Nodes = 0,
    top: Annotated[int, numeric(TOP)] = 10,
    turn: Annotated[int, numeric(TURN)] = 0,
    seat: Annotated[int | None, typer.Option(min=0, help="Of a stored game: who thinks; else who was asked.")] = None,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot think about a position: the board, the best moves, the expected line."""
    rules = load(game)
    with compilation_shown():
        kind, changes = bot_kind(rules, bot)
        kind.bot(changes).warm_up()
    with errors.status("thinking ..."):
        opinion = think(game, position or (), bot=bot, time=time, nodes=nodes, moment=Moment(turn, seat, store))
    if json:
        print_json(opinion.data())
        return
    thoughts = opinion.thoughts
    console.print(rules.picture(opinion.analysis.scene))
    console.print(_options(thoughts, top))
    console.print(Text.assemble("expected line: ", (", ".join(thoughts.line), "bold")))
    effort = f"{thoughts.nodes:,} nodes in {thoughts.seconds:.2f} s, depth {thoughts.depth}"
    console.print(". ".join(filter(None, (effort, thoughts.note))))


def _options(thoughts: Thoughts, top: int) -> Sheet:
    table = Sheet("move", thoughts.unit, "cost", "visits", "proof", "line", typed=("move",))
    for option in thoughts.options[:top]:
        line = ", ".join(option.line[:8])
        cost = round(thoughts.options[0].value - option.value, 3) or 0.0  # of playing it instead of the first; no -0
        table.add_row(option.move, f"{option.value:.3f}", f"{cost:.3f}", f"{option.visits:,}", option.proof, line)
    return table
