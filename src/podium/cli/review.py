"""`podium review`: where was a game lost?"""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena import bounds
from podium.arena.analysis.review import LONGEST, MULTIPLE, SHORTEST, Review, scenes_at, seat_of
from podium.arena.analysis.reviewed_turn import ReviewedTurn
from podium.arena.analysis.stored_runs import find_stored_game, judge_of, review_stored
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.formatting import DECIDED, Sheet, bars, evaluation_text
from podium.cli.options import BOT, DEFAULT_BOT, Json, Nodes, StoredGameName, StorePath, numeric
from podium.games import load
from podium.games.game import Game, Scene
from podium.model.params import Parameter

WIDEST = 70  # bars of a row
FENCE = 1.5  # ranges of the middle half beyond which a value is far from all others (Tukey)
NOTHING = 0.005  # a cost that would be written 0.00
EXPECTED = 6  # moves of an expected line
MULTIPLES = f"{MULTIPLE} times what the player took, {SHORTEST:g} to {LONGEST:g}; or {MULTIPLE} times its nodes"
TIME = Parameter("time", SHORTEST, f"Thinking time per turn in ms; default: {MULTIPLES}.", 1, 1e9)
WORST = Parameter("worst", 3, "Number of the worst turns to show with a picture.", 0, 1e6)


def command(
    game: StoredGameName,
    seat: Annotated[int | None, numeric(bounds.SEAT, help="Seat to review; default: the loser's.")] = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help=f"The reviewing bot: {BOT}; {DEFAULT_BOT}")] = "",
    time: Annotated[float | None, numeric(TIME, metavar="MS")] = None,
    nodes: Nodes = 0,
    worst: Annotated[int, numeric(WORST)] = 3,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot review a stored game: its own move at each turn, and what the played move cost in its evaluation."""
    stored = find_stored_game(game, store)
    rules = load(stored.run.game)
    with compilation_shown():
        judge = judge_of(rules, bot)
    with errors.status("") as status:

        def progress(turn: int) -> None:
            status.update(f"turn {turn}: {judge[0].name} reviews seat {seat_of(stored.row, seat)} ...")

        found = review_stored(rules, stored, judge, seat=seat, time=time, nodes=nodes, progress=progress)
        shown = found.worst(worst)
        turns = [] if json else [turn.turn for turn in shown]
        scenes = scenes_at(rules, stored, turns)
    if json:
        print_json(found.data())
        return
    console.print(view(rules, found, shown, scenes))


def view(rules: Game, found: Review, shown: list[ReviewedTurn], scenes: dict[int, Scene]) -> RenderableType:
    """A review as text: the worst turns with pictures, a sparkline of the game, all turns, and the worst one again."""
    head = f"{found.game}: {found.player} in seat {found.seat}, reviewed by {found.bot}. {found.sentence}"
    parts: list[RenderableType] = [Text(head)]
    for turn in shown:
        parts += [Text(""), _headline(turn, found.unit), rules.pictures.picture(scenes[turn.turn]), *_lines(turn)]
    if not shown:
        parts.append(Text(f"{found.bot} found no better move at any turn."))
    values = [turn.value for turn in found.turns]
    known = [value for value in values if value is not None]
    if known:
        scale = f"{evaluation_text(min(known))} to {evaluation_text(max(known))} {found.unit}, turn by turn"
        parts += [Text(""), Text(sparkline(values)), Text(scale, style="dim")]
    parts.append(_table(found))
    parts += [Text(sentence) for sentence in found.surprises.sentences(found.player)]
    if shown:
        parts.append(Text.assemble("the worst was ", _headline(shown[0], found.unit)))
    return Group(*parts)


def _headline(turn: ReviewedTurn, unit: str) -> Text:
    cost = turn.cost or 0.0
    price = "the game" if cost >= DECIDED else f"{evaluation_text(cost)} {unit}"
    if turn.mark:
        price = f"{100 * (turn.lost_win or 0.0):.0f} % of the winning chances ({price}, {turn.mark})"
    return Text(f"turn {turn.turn}: {turn.played} instead of {turn.better} cost {price}", style="bold")


def _lines(turn: ReviewedTurn) -> list[RenderableType]:
    told = (("better", turn.expected), ("played", turn.feared))
    return [Text(f"  {name}: {', '.join(line[:EXPECTED])}", style="dim") for name, line in told if line]


def _cost(cost: float | None) -> str:
    if cost is None:
        return "?"
    if cost >= DECIDED:
        return "the game"
    return evaluation_text(cost) if cost >= NOTHING else ""


def _table(found: Review) -> Sheet:
    table = Sheet("turn", "played", "better", found.unit or "value", "cost")
    for turn in found.turns:
        agreed = turn.better == turn.played or (turn.cost == 0.0 and turn.played_value == turn.value)
        table.add_row(
            str(turn.turn),
            Text(turn.played if turn.played is not None else "nothing"),
            Text("" if agreed else turn.better),
            "" if turn.value is None else evaluation_text(turn.value),
            _cost(turn.cost),
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
