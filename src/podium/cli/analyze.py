"""`podium analyze`: the best moves of a position."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from podium.arena.analysis.analyze import MILLISECONDS, TurnReference, analyze_position
from podium.arena.analysis.trace_position import trace_position
from podium.arena.entrants.entrant import bot_kind
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import BOT, DEFAULT_BOT, GameName, Json, Nodes, StorePath, numeric
from podium.games import load
from podium.games.game import Thoughts
from podium.model.params import Parameter

TIME = Parameter("time", MILLISECONDS, "Thinking time in ms.", 1, 1e9)
TOP = Parameter("top", 10, "Number of moves to show.", 1, 1e6)
TURN = Parameter("turn", 0, "Turn of a stored game, from 1; 0: the last.", 0, 1e6)


def command(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MOVE|GAME-ID",
            help="The moves that lead to the position, or a prompt (see docs/games); or a stored game such as g125; a "
            "run such as r3 stands for its last game.",
        ),
    ] = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help=f"The analyzing bot: {BOT}; {DEFAULT_BOT}")] = "",
    time: Annotated[float, numeric(TIME, metavar="MS")] = MILLISECONDS,
    nodes: Nodes = 0,
    top: Annotated[int, numeric(TOP)] = 10,
    turn: Annotated[int, numeric(TURN)] = 0,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Seat whose view of a stored game is analyzed; default: the one to move."
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also record the search of the bot's choice, node by node (docs/traces.md)."),
    ] = None,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot analyze a position: its best moves, their evaluations and the expected line."""
    rules = load(game)
    with compilation_shown():
        kind, changes = bot_kind(rules, bot or rules.default_bot)
        kind.bot(changes).warm_up()
    with errors.status("analyzing ..."):
        opinion = analyze_position(
            game, position or (), bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
        )
    if trace:
        with errors.status("recording the search ..."):
            found = trace_position(
                game, position or (), bot=bot, time=time, nodes=nodes, turn=TurnReference(turn, seat, store)
            )
            found.save(trace)
        errors.print(f"{trace}: {found.headline}", highlight=False)
    if json:
        print_json(opinion.data())
        return
    thoughts = opinion.thoughts
    console.print(rules.pictures.picture(opinion.analysis.scene))
    console.print(_options(thoughts, top))
    console.print(Text.assemble("expected line: ", (", ".join(thoughts.line), "bold")))
    of = (
        f" of {nodes:,} nodes: the other half compares the moves;"
        if nodes and thoughts.nodes == nodes // 2
        else " nodes in"
    )
    effort = f"{thoughts.nodes:,}{of} {thoughts.seconds:.2f} s, depth {thoughts.depth}"
    console.print(". ".join(filter(None, (effort, thoughts.note))))


def _options(thoughts: Thoughts, top: int) -> Sheet:
    table = Sheet("move", thoughts.unit, "behind the first", "visits", "proof", "line", typed=("move",))
    for option in thoughts.options[:top]:
        line = ", ".join(option.line[:8])
        cost = round(thoughts.options[0].value - option.value, 3) or 0.0  # compared with the first; no -0
        table.add_row(option.move, f"{option.value:.3f}", f"{cost:.3f}", f"{option.visits:,}", option.proof, line)
    return table
