"""`podium review`: why was this game lost?"""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena.review import STRONGEST, Review, ReviewedTurn, scenes_at, seat_of
from podium.arena.store import DEFAULT_STORE
from podium.arena.stored import case_of, judge_of, review_case
from podium.cli.common import Json, Nodes, compilation_shown, console, errors, numeric, print_json
from podium.cli.running import StorePath
from podium.cli.tables import DECIDED, Sheet, bars, number
from podium.games.game import Game, Scene
from podium.kernel.minds import Parameter

WIDEST = 70  # bars of a row
FENCE = 1.5  # ranges of the middle half beyond which a value is far from all others (Tukey)
NOTHING = 0.005  # a cost that would be written 0.00
EXPECTED = 6  # moves of an expected line
TIME = Parameter("time", 200.0, "Milliseconds to think about each turn.", 1, 1e9)
WORST = Parameter("worst", 3, "How many of the worst turns to show with a picture.", 0, 1e6)


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A stored game such as g41, or a run: its last game.")],
    seat: Annotated[int | None, typer.Option(min=0, help="Whose answers; without it those of the loser.")] = None,
    bot: Annotated[str, typer.Option(help="Who judges: name, name:parameter=value,... or py:file.py")] = STRONGEST,
    time: Annotated[float, numeric(TIME, metavar="MS")] = 200.0,
    nodes: Nodes = 0,
    worst: Annotated[int, numeric(WORST)] = 3,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot go through a stored game and say where it was lost: what it would have played, and what that costs."""
    case = case_of(game, store)
    with compilation_shown():
        judge = judge_of(case, bot)
    with errors.status("") as status:

        def progress(turn: int) -> None:
            status.update(f"turn {turn}: {bot} thinks about seat {seat_of(case.game, seat)} ...")

        found = review_case(case, judge, seat=seat, time=time, nodes=nodes, progress=progress)
        shown = found.worst(worst)
        turns = [] if json else [turn.turn for turn in shown]
        scenes = scenes_at(case.rules, case.settings, case.game, case.record, turns)
    if json:
        print_json(found.data())
        return
    console.print(view(case.rules, found, shown, scenes))


def view(rules: Game, found: Review, shown: list[ReviewedTurn], scenes: dict[int, Scene]) -> RenderableType:
    """A review for people: the worst turns with pictures, how the game went, all turns, and the worst one again."""
    head = f"{found.game}: {found.player} in seat {found.seat}, judged by {found.bot}. {found.sentence}"
    parts: list[RenderableType] = [Text(head)]
    for turn in shown:
        parts += [Text(""), _headline(turn, found.unit), rules.picture(scenes[turn.turn]), *_lines(turn)]
    if not shown:
        parts.append(Text(f"{found.bot} would have played nothing better in any turn."))
    values = [turn.value for turn in found.turns]
    known = [value for value in values if value is not None]
    if known:
        scale = f"{number(min(known))} to {number(max(known))} {found.unit}, turn by turn"
        parts += [Text(""), Text(sparkline(values)), Text(scale, style="dim")]
    parts.append(_table(found))
    if shown:
        parts.append(Text.assemble("the worst was ", _headline(shown[0], found.unit)))
    return Group(*parts)


def _headline(turn: ReviewedTurn, unit: str) -> Text:
    cost = turn.cost or 0.0
    price = "the game" if cost >= DECIDED else f"{number(cost)} {unit}"
    return Text(f"turn {turn.turn}: {turn.played} instead of {turn.better} cost {price}", style="bold")


def _lines(turn: ReviewedTurn) -> list[RenderableType]:
    told = (("better", turn.expected), ("played", turn.feared))
    return [Text(f"  {name}: {', '.join(line[:EXPECTED])}", style="dim") for name, line in told if line]


def _table(found: Review) -> Sheet:
    table = Sheet("turn", "played", "better", found.unit or "value", "cost")
    for turn in found.turns:
        agreed = turn.cost == 0.0 and turn.played_value == turn.value
        cost = turn.cost or 0.0
        table.add_row(
            str(turn.turn),
            Text(turn.played if turn.played is not None else "nothing"),
            Text("" if agreed else turn.better),
            "" if turn.value is None else number(turn.value),
            "?" if turn.cost is None else "the game" if cost >= DECIDED else number(cost) if cost >= NOTHING else "",
        )
    return table


def sparkline(values: list[float | None]) -> str:
    """A row of bars, the highest value the tallest; values far from all others do not flatten the rest.

    Of more turns than fit a line, several share a bar, which shows the lowest of them.
    """
    together = -(-len(values) // WIDEST)
    parts = [values[first : first + together] for first in range(0, len(values), together)]
    lowest = [min((value for value in part if value is not None), default=None) for part in parts]
    known = sorted(value for value in lowest if value is not None)
    lower, upper = known[len(known) // 4], known[3 * len(known) // 4]
    reach = FENCE * (upper - lower)
    low, high = max(known[0], lower - reach), min(known[-1], upper + reach)
    return bars(lowest, low, high)
