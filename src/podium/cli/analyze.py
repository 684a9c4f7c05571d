"""`podium analyze`: the best moves of a position."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from podium.arena import bounds
from podium.arena.analysis.analyze import MILLISECONDS, analyze_position
from podium.arena.analysis.stored_turn import TurnReference
from podium.arena.analysis.trace_position import trace_position
from podium.arena.entrants.bot_names import bot_kind
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import Sheet
from podium.cli.options import BOT, DEFAULT_BOT, GameName, Json, Nodes, StorePath, numeric
from podium.files import writing
from podium.games import load
from podium.games.game import Thoughts
from podium.model.params import Parameter
from podium.search.trace import Trace

TIME = Parameter("time", MILLISECONDS, "Thinking time in ms.", 1, 1e9)
TOP = Parameter("top", 10, "Number of moves to show.", 1, 1e6)
MATRIX_COLUMNS = 4  # others' choices that fit into 80 columns
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
        numeric(bounds.SEAT, help="Seat whose view of a stored game is analyzed; default: the one to move."),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also record the search of the bot's choice, node by node (docs/traces.md)."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the page of that search, which opens without a server."),
    ] = None,
    compare: Annotated[
        str, typer.Option(metavar="BOT", help="With --html: a second bot, whose search is shown beside the first.")
    ] = "",
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
    if trace or html:

        def record(who: str) -> Trace:
            where = TurnReference(turn, seat, store)
            return trace_position(game, position or (), bot=who, time=time, nodes=nodes, turn=where)

        with errors.status("recording the search ..."):
            write_traces([record(bot), *([record(compare)] if compare else [])], trace, html)
    if json:
        print_json(opinion.data())
        return
    thoughts = opinion.thoughts
    console.print(rules.pictures.picture(opinion.analysis.scene))
    if thoughts.options:
        console.print(_options(thoughts, top))
    if thoughts.matrix:
        console.print(_matrix(thoughts.matrix))
    if thoughts.line:
        console.print(Text.assemble("expected line: ", (", ".join(thoughts.line), "bold")))
    of = (
        f" of {nodes:,} nodes: the other half compares the moves;"
        if nodes and thoughts.nodes == nodes // 2
        else " nodes in"
    )
    effort = f"{thoughts.nodes:,}{of} {thoughts.seconds:.2f} s, depth {thoughts.depth}" if thoughts.nodes else ""
    console.print(". ".join(filter(None, (effort, thoughts.note))))


def write_traces(traces: list[Trace], file: Path | None, html: Path | None) -> None:
    """Write the first search to a file, and all of them to a page; say what was written."""
    if file:
        with writing(file):
            traces[0].save(file)
        errors.print(f"{file}: {traces[0].headline}", highlight=False, markup=False)
    if html:
        from podium.web.search_file import search_file

        with writing(html):
            html.write_text(search_file(traces), encoding="utf-8")
        for found in traces:
            errors.print(f"{html}: {found.facts['bot']}, {found.headline}", highlight=False, markup=False)


def _options(thoughts: Thoughts, top: int) -> Sheet:
    mixed = any(option.share for option in thoughts.options)
    titles = ("move", thoughts.unit, "behind the first", *(["share"] if mixed else []), "visits", "proof", "line")
    table = Sheet(*titles, typed=("move",))
    for option in thoughts.options[:top]:
        line = ", ".join(option.line[:8])
        cost = round(thoughts.options[0].value - option.value, 3) or 0.0  # compared with the first; no -0
        share = [f"{option.share:.0%}"] if mixed else []
        cells = [f"{option.value:.3f}", f"{cost:.3f}", *share, f"{option.visits:,}", option.proof, line]
        table.add_row(option.move, *cells)
    return table


def _matrix(matrix: Mapping[str, Any]) -> Sheet:
    """The turn as a matrix: the bot's moves against the others' most probable choices, with values and shares."""
    columns = matrix["columns"][:MATRIX_COLUMNS]
    table = Sheet("against", "share", *columns)
    table.add_row("share", "", *(f"{share:.0%}" for share in matrix["column_shares"][:MATRIX_COLUMNS]))
    order = sorted(range(len(matrix["rows"])), key=lambda i: -matrix["row_shares"][i])
    for i in order:
        values = matrix["values"][i][:MATRIX_COLUMNS]
        cells = ["" if value is None else f"{value:.2f}" for value in values]
        table.add_row(matrix["rows"][i], f"{matrix['row_shares'][i]:.0%}", *cells)
    return table
