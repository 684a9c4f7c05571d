"""`podium analyze`: what does a bot think of a position?"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from podium.arena.entrants import bot_kind
from podium.arena.record import unpack
from podium.arena.review import position as position_of
from podium.arena.review import seat_asked, seat_of
from podium.arena.store import DEFAULT_STORE, Store
from podium.cli.common import GameName, Json, Nodes, compilation_shown, console, errors, load_game, numeric, print_json
from podium.cli.running import StorePath
from podium.cli.show import STORED, game_named
from podium.errors import PodiumError
from podium.games.follow import Follower
from podium.games.game import Analysis, BotKind, Budget, Game, Thoughts
from podium.kernel.clock import MILLISECOND, now
from podium.kernel.minds import Parameter, Value

TIME = Parameter("time", 5000.0, "Milliseconds to think.", 1, 1e9)
TOP = Parameter("top", 10, "How many moves to show.", 1, 1e6)
TURN = Parameter("turn", 0, "Of a stored game: which turn, from 1; 0: the last.", 0, 1e6)


def command(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVE]...|g41|r7",
            help="The moves that lead to the position, or a prompt (docs/games says how for each game); or a stored "
            "game, or a run: its last game.",
        ),
    ] = None,
    bot: Annotated[str, typer.Option(help="Who thinks: name, name:parameter=value,... or py:file.py")] = "champion",
    time: Annotated[float, numeric(TIME, metavar="MS")] = 5000.0,
    nodes: Nodes = 0,
    top: Annotated[int, numeric(TOP)] = 10,
    turn: Annotated[int, numeric(TURN)] = 0,
    seat: Annotated[int | None, typer.Option(min=0, help="Of a stored game: who thinks; else who was asked.")] = None,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot think about a position: the board, the best moves, the expected line."""
    rules = load_game(game)
    kind, changes = bot_kind(rules, bot)
    with compilation_shown():
        kind.bot(changes).warm_up()
    with errors.status("thinking ..."):

        def budget() -> Budget:
            return Budget(now() + int(time * MILLISECOND), nodes=nodes)

        if position and len(position) == 1 and STORED.fullmatch(position[0]):
            analysis = _stored(rules, position[0], turn, seat, store, (kind, changes), budget)
        elif rules.analyze is None:
            raise PodiumError(f"{rules.title} has no analysis of positions yet; a stored game such as g41 has one")
        else:
            analysis = rules.analyze(position or [], kind, changes, budget())
    if json:
        print_json({"scene": analysis.scene, "thoughts": analysis.thoughts.data()})
        return
    console.print(rules.picture(analysis.scene))
    console.print(_options(analysis.thoughts, top))
    thoughts = analysis.thoughts
    console.print(Text.assemble("expected line: ", (", ".join(thoughts.line), "bold")))
    effort = f"{thoughts.nodes:,} nodes in {thoughts.seconds:.2f} s, depth {thoughts.depth}."
    console.print(effort, thoughts.note, markup=False)


def _stored(
    rules: Game,
    text: str,
    turn: int,
    seat: int | None,
    store: Path,
    bot: tuple[BotKind, dict[str, Value]],
    budget: Callable[[], Budget],
) -> Analysis:
    """What a bot thinks in a turn of a stored game, of which it knows what the seat knew."""
    with Store(store, create=False) as opened:
        stored = game_named(opened, text)
        run = opened.run(stored.run)
        record = unpack(opened.record(stored.id))
    if run.game != rules.name:
        raise PodiumError(f"g{stored.id} is a game of {run.game}, not of {rules.name}")
    kind, changes = bot
    thinker = kind.bot(changes)
    if not isinstance(thinker, Follower):
        raise PodiumError(f"{kind.name} cannot be led into a game; analyze with another bot")
    settings = run.conditions.settings
    whose = seat_of(stored, seat if seat is not None or not turn else seat_asked(rules, settings, stored, record, turn))
    found = position_of(rules, settings, stored, record, turn, whose, thinker)
    thoughts = thinker.analyze(found.lines, budget())
    played = "nothing" if found.played is None else found.played
    thoughts.note = f"g{stored.id}, turn {found.turn}, seat {whose}: played was {played}. {thoughts.note}".strip()
    return Analysis(found.scene, thoughts)


def _options(thoughts: Thoughts, top: int) -> Table:
    table = Table("move", thoughts.unit, "cost", "visits", "proof", "line")
    for option in thoughts.options[:top]:
        line = ", ".join(option.line[:8])
        cost = thoughts.options[0].value - option.value  # of playing it instead of the first
        table.add_row(option.move, f"{option.value:.3f}", f"{cost:.3f}", f"{option.visits:,}", option.proof, line)
    return table


command.__name__ = "analyze"
