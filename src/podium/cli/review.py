"""`podium review`: where was a game lost?"""

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from podium.arena import bounds
from podium.arena.analysis.review import LONGEST, MULTIPLE, SHORTEST, Review, scenes_at
from podium.arena.analysis.reviewed_turn import ReviewedTurn
from podium.arena.analysis.stored_runs import find_stored_game, judge_of, review_stored
from podium.arena.analysis.stored_turn import seat_of
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
NOTHING = 0.005  # a cost that would be written 0.00, or 0 %
CHANCES = "chances"  # the column of winning chances
RATE = "win rate"  # the unit of bots whose values are winning chances
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
    head = (
        f"{found.game}: {found.player} in seat {found.seat}. {found.sentence}. "
        f"{found.bot} reviews each answer with {found.budget}."
    )
    parts: list[RenderableType] = [Text(head)]
    for turn in shown:
        parts += [Text(""), _headline(turn, found.unit), rules.pictures.picture(scenes[turn.turn]), *_lines(turn)]
    if not found.worst(1):
        parts.append(Text(f"{found.bot} found no better move at any turn."))
    scale = _scale(found)
    parts += [Text(""), *_course(found, scale), _table(found, scale)]
    for collapse in found.surprises.collapses:
        first, *particulars = collapse.lines
        parts += [Text(first), *(Text(f"  {line}", style="dim") for line in particulars)]
    parts += [Text(remark) for remark in found.surprises.remarks(found.player)]
    if shown:
        parts.append(Text.assemble("the worst was ", _headline(shown[0], found.unit)))
    return Group(*parts)


def _headline(turn: ReviewedTurn, unit: str) -> Text:
    price = "the game" if _is_decisive(turn) else f"{evaluation_text(turn.cost or 0.0)} {unit}"
    if turn.lost_win is not None:
        particulars = ", ".join(filter(None, (price if unit != RATE else "", turn.mark)))
        price = f"{_percent(turn.lost_win)} of the winning chances" + (f" ({particulars})" if particulars else "")
    return Text(f"turn {turn.turn}: {turn.played} instead of {turn.better} cost {price}", style="bold")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _lines(turn: ReviewedTurn) -> list[RenderableType]:
    told = (("better", turn.expected), ("played", turn.feared))
    return [Text(f"  {name}: {', '.join(line[:EXPECTED])}", style="dim") for name, line in told if line]


def _is_decisive(turn: ReviewedTurn) -> bool:
    """Whether the played move gave away a win, or lost, where the better one did not."""
    return bool(turn.cost) and ((turn.win is None) != (turn.played_win is None) or (turn.cost or 0.0) >= DECIDED)


def _scale(found: Review) -> str:
    """What the table shows of each turn: the winning chances, if they are known wherever there is a value."""
    known = [turn for turn in found.turns if turn.value is not None]
    return CHANCES if known and all(turn.win is not None for turn in known) else found.unit or "value"


def _course(found: Review, scale: str) -> list[RenderableType]:
    """The values of the better moves as a row of bars, and what the columns of the table are."""
    values = [turn.win if scale == CHANCES else turn.value for turn in found.turns]
    known = [value for value in values if value is not None]
    if not known:
        return []
    text = _percent if scale == CHANCES else evaluation_text
    what = "winning chances" if scale == CHANCES else scale
    legend = (
        f"better: what {found.bot} would have played (empty: the same); {scale}: with that move; cost: what the played "
        "move gave away (?: not known)"
    )
    return [
        Text(sparkline(values)),
        Text(f"{text(min(known))} to {text(max(known))} {what}, turn by turn", style="dim"),
        Text(legend, style="dim"),
    ]


def _value(turn: ReviewedTurn, scale: str) -> str:
    if turn.value is None:
        return ""
    if scale == CHANCES:
        return _percent(turn.win or 0.0)
    if turn.win is not None:  # of values in a unit only believed wins and losses have chances
        return "a win" if turn.win > 0.5 else "a loss"
    return evaluation_text(turn.value)


def _cost(turn: ReviewedTurn, scale: str) -> str:
    if turn.cost is None:
        return "?"
    if scale == CHANCES:
        lost = turn.lost_win or 0.0
        return f"{_percent(lost)} {turn.mark}".strip() if lost >= NOTHING else ""
    if _is_decisive(turn):
        return "the game"
    return evaluation_text(turn.cost) if turn.cost >= NOTHING else ""


def _table(found: Review, scale: str) -> Sheet:
    table = Sheet("turn", "played", "better", scale, "cost")
    for turn in found.turns:
        agreed = turn.better == turn.played or (turn.cost == 0.0 and turn.played_value == turn.value)
        table.add_row(
            str(turn.turn),
            Text(turn.played if turn.played is not None else "nothing"),
            Text("" if agreed else turn.better),
            _value(turn, scale),
            _cost(turn, scale),
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
