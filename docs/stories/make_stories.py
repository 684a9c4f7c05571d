"""Makes the figures of the stories: searches positions again, writes the live traces and the tables in the pages.

`make pictures` runs it; all budgets are nodes, so the same version gives the same figures. The traces go to the
folder `live`, the tables between the marks in the pages beside this file.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from podium.arena.analysis.trace_position import thinking_bot, trace_choice
from podium.games import load
from podium.model.budget import Budget
from podium.model.ruleset import rules_of
from podium.search.trace import Trace
from podium.search.trace_room import KEPT
from podium.web.search_file import search_file

HERE = Path(__file__).parent
FILES = HERE / "live"
BOARDS = 60  # of each live trace
WHERE = {  # what the positions are called
    "wondev_woman": "the start, seed 3",
    "zuniq": "E5v A2h B3h C4v",
    "fall_challenge_2020": "the start, seed 1",
    "code_of_kutulu": "the start, seed 2",
}
NO_ORDER = "hash_move=off,killers=off,history=off,tie_break=off"


def traced(game: str, state: Any, bot: str, nodes: int) -> Trace:
    """The search with which a bot chooses in a state, for the seat to move."""
    rules = load(game)
    seat = rules.mover(state)
    name, thinker = thinking_bot(rules, bot)
    assert rules.view
    thinker.view = type(rules.view()).of(rules_of(rules).seen(state, seat), seat)
    return trace_choice(thinker, lambda: Budget(nodes=nodes), name, WHERE[game])


def write(name: str, traces: Sequence[Trace], head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write the live traces of a story and the table in its page."""
    FILES.mkdir(parents=True, exist_ok=True)
    (FILES / f"{name}.html").write_text(search_file(traces, BOARDS), encoding="utf-8")
    lines = [head, ["---:"] * len(head), *rows]
    table = "\n".join(f"| {' | '.join(text(cell) for cell in line)} |" for line in lines)
    page = HERE / f"{name}.md"
    if page.exists():
        old = page.read_text(encoding="utf-8")
        page.write_text(
            re.sub(r"(?s)(<!-- figures -->\n).*?(\n<!-- end -->)", rf"\g<1>{table}\2", old), encoding="utf-8"
        )
    print(f"{name}: {(FILES / f'{name}.html').stat().st_size // 1000} kB\n{table}")


def text(cell: object) -> str:
    """A cell of a table."""
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def nodes_by_depth(trace: Trace) -> dict[int, int]:
    """The nodes of each finished iteration."""
    columns = trace.columns
    roots = np.flatnonzero((columns["parent"] == -1) & (columns["source"] == 1))
    return {int(columns["depth"][row]): int(columns["nodes"][row]) for row in roots}


def move_ordering() -> None:
    """Wondev Woman: the nodes of each depth, without move ordering and with more and more of it."""
    game = "wondev_woman"
    state = load(game).initial_state(seed=3)
    steps = {
        "no ordering": NO_ORDER,
        "hash move": "killers=off,history=off,tie_break=off",
        "and killers": "history=off,tie_break=off",
        "and history": "tie_break=off",
        "all": "",
    }
    counts = [nodes_by_depth(traced(game, state, f"champion:{off}".rstrip(":"), 3_000_000)) for off in steps.values()]
    depths = range(1, max(max(found) for found in counts) + 1)
    rows = [[depth, *(found.get(depth, "-") for found in counts)] for depth in depths]
    shown = [
        traced(game, state, f"champion:depth=3,{NO_ORDER}", 50_000),
        traced(game, state, "champion:depth=3", 50_000),
    ]
    write("move_ordering", shown, ["depth", *steps], rows)


def rave() -> None:
    """Zuniq: how good the most visited wall is early, and how sure the search is of it, with RAVE and without."""
    game = "zuniq"
    bots, moments = ["champion", "champion:rave=off"], [50, 100, 200, 500, 1000, 2000]
    losses: dict[tuple[str, int], list[float]] = {(bot, moment): [] for bot in bots for moment in moments}
    shares: dict[tuple[str, int], list[float]] = {(bot, moment): [] for bot in bots for moment in moments}
    for moves in random_openings(game, positions=24, walls=8):
        state = load(game).position(moves)
        traces = {bot: traced(game, state, bot, moments[-1]) for bot in bots}
        early = {(bot, n): most_visited(traces[bot], n) for bot in bots for n in moments}
        values = {wall: -value_of(game, [*moves, wall]) for wall, _ in early.values()}
        for key, (wall, share) in early.items():
            losses[key].append(50 * (max(values.values()) - values[wall]))  # values are from -1 to 1
            shares[key].append(100 * share)
    rows = [
        [n, *(text for bot in bots for text in (mean_text(losses[bot, n]), f"{np.mean(shares[bot, n]):.0f} %"))]
        for n in moments
    ]
    state = load(game).position(["E5v", "A2h", "B3h", "C4v"])
    head = ["simulations", "loss with RAVE", "share of visits", "loss without RAVE", "share of visits"]
    write("rave", [traced(game, state, bot, 500) for bot in bots], head, rows)


def random_openings(game: str, positions: int, walls: int) -> list[list[str]]:
    """Positions after some random moves; the same every time."""
    rules, random, found = load(game), Random(1), list[list[str]]()
    for _ in range(positions):
        moves: list[str] = []
        while len(moves) < walls:
            legal = rules.legal_moves(rules.position(moves))
            moves.append(random.choice([move for move in legal if move != "!"]))  # a wall, not a claim
        found.append(moves)
    return found


def most_visited(trace: Trace, simulations: int) -> tuple[str, float]:
    """The most visited move of the root after some simulations, and its share of the visits."""
    rows, parent = trace.log["row"], trace.columns["parent"]
    visits = np.bincount(rows[parent[rows] == 0][:simulations], minlength=len(trace))
    return trace.texts([int(visits.argmax())])[0], float(visits.max() / visits.sum())


def value_of(game: str, moves: Sequence[str]) -> float:
    """The value of a position for the seat to move, by 10,000 simulations."""
    return float(traced(game, load(game).position(moves), "champion", 10_000).facts["result"]["value"])


def mean_text(values: Sequence[float]) -> str:
    """A mean with its standard error."""
    return f"{np.mean(values):.2f} ± {np.std(values) / np.sqrt(len(values)):.2f}"


def beam() -> None:
    """Fall Challenge: where narrow beams drop the line that a wide one finds."""
    game = "fall_challenge_2020"
    state = load(game).initial_state(seed=1)
    widths = [350, 100, 30, 10]
    traces = {width: traced(game, state, f"champion:width={width},depth=8", 200_000) for width in widths}
    line = traces[widths[0]].facts["result"]["line"]
    rows = [[depth, *(fate(traces[width], line[:depth]) for width in widths)] for depth in range(1, len(line) + 1)]
    values = ["value found", *(float(traces[width].facts["result"]["value"]) for width in widths)]
    shown = [traces[10], traced(game, state, "champion:width=30,depth=8", 200_000)]
    write("beam_forgets", shown, ["depth", *(f"width {width}" for width in widths)], [*rows, values])


def fate(trace: Trace, moves: Sequence[int]) -> str:
    """The place of a sequence in its layer, or that it is not in the beam."""
    row, columns = 0, trace.columns
    for move in moves:
        found = np.flatnonzero((columns["parent"] == row) & (columns["move"] == move))
        if not found.size:
            return "forgotten"
        row = int(found[-1])
    layer = (columns["ply"] == len(moves)) & (columns["source"] == KEPT)
    if columns["source"][row] != KEPT:
        return "dropped here"
    return f"{int((columns['value'][layer] > columns['value'][row]).sum()) + 1} of {int(layer.sum())}"


def paranoid() -> None:
    """Kutulu: the nodes of each depth in turns, one against the rest and everyone for themselves."""
    game = "code_of_kutulu"
    state = load(game).initial_state(seed=2)
    traces = [traced(game, state, bot, 300_000) for bot in ("champion", "maxn")]
    counts = []
    for found in map(nodes_by_depth, traces):
        plies = min(found)  # of a turn: depths are whole turns
        counts.append({depth // plies: nodes for depth, nodes in found.items()})
    turns = sorted({*counts[0], *counts[1]})
    rows = [[turn, *(found.get(turn, "-") for found in counts)] for turn in turns]
    write(
        "paranoid",
        [traced(game, state, bot, 3000) for bot in ("champion", "maxn")],
        ["turns", "Paranoid", "max^n"],
        rows,
    )


STORIES: tuple[Callable[[], None], ...] = (move_ordering, rave, beam, paranoid)

if __name__ == "__main__":
    for story in STORIES:
        story()
