"""The traces of searches that pages show: made in the worker process, kept by the server while they are looked at.

A page gets the whole file of a trace (docs/traces.md) at once, and asks for the position and the moves of single nodes,
which only the rules can tell.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from podium.arena.analysis.trace_position import load_trace, trace_turn, trace_words
from podium.arena.store.stored_game import StoredGame
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget, Thoughts
from podium.model.rules import before_turn, is_over
from podium.search.trace import Trace
from podium.search.trace_walk import JOINED
from podium.web.game_document import position, rules_data
from podium.web.repository import MissingError

KEPT_TRACES = 8
MOST_TEXTS = 500  # in one request
LONGEST_POSITION = 20_000  # characters


@dataclass(frozen=True)
class TraceRequest:
    """A turn of a stored game, or a position of a game, and the bot that searches it; plain data, for the worker."""

    game: str
    bot: str
    nodes: int
    seat: int | None = None
    stored: StoredGame | None = None
    turn: int = 0  # from 1
    position: str = ""


def run_trace(task: TraceRequest) -> bytes:
    """The content of the trace's file."""
    rules = load(task.game)

    def budget() -> Budget:
        return Budget(nodes=task.nodes)

    if task.stored:
        trace = trace_turn(rules, task.stored, task.turn, task.seat, task.bot, budget)
    else:
        trace = trace_words(rules, rules.words_of(task.position), task.seat, task.bot, budget)
    return trace.packed(compressed=False)


class Traces:
    """The last few traces, by their number."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[bytes, Trace]] = OrderedDict()
        self._numbers = count(1)

    def add(self, packed: bytes) -> dict[str, Any]:
        """Keep a trace; returns what a page needs to know of it."""
        number, trace = str(next(self._numbers)), load_trace(packed)
        self._kept[number] = packed, trace
        while len(self._kept) > KEPT_TRACES:
            self._kept.popitem(last=False)
        return {"id": number, **about(trace)}

    def __getitem__(self, number: str) -> tuple[bytes, Trace]:
        if number not in self._kept:
            raise MissingError("this search is no longer kept: search again")
        self._kept.move_to_end(number)
        return self._kept[number]


def about(trace: Trace) -> dict[str, Any]:
    """What a page needs to know of a trace besides its rows."""
    return {"rules": rules_data(load(trace.rules.name)), "facts": trace.facts, "line": result_line(trace)}


def result_line(trace: Trace) -> list[str]:
    """The principal variation as text; what several seats choose in the same turn is one of its moves."""
    state, joint = trace.state(0).copy(), "move2" in trace.columns or "seat" in trace.columns
    found: list[str] = []
    begins = True
    for move in trace.facts["result"]["line"]:
        text = trace.rules.move_text(state, move)
        if begins:
            found.append(text)
        else:
            found[-1] += JOINED + text
        trace.step(state, move)
        begins = not joint or is_over(state) or before_turn(state)
    return found


def node_data(trace: Trace, row: int) -> dict[str, Any]:
    """The position of a node, the line that leads to it, and who moves."""
    game, state = load(trace.rules.name), trace.state(row)
    data = {**position(game, game.scene(state)), "line": trace.line(row), "mover": trace.mover(row)}
    turn, beliefs = trace.turn(row), trace.facts.get("beliefs")
    if turn:
        data["turn"] = turn
    if beliefs and row == trace.root and game.pictures.sketch:
        sketch = game.pictures.sketch(data["scene"], trace.facts["seat"], Thoughts(beliefs=beliefs))
        data["beliefs"] = sketch.get("beliefs", [])
    return data


def texts_of(trace: Trace, rows: Sequence[int]) -> Mapping[str, str]:
    """The texts of the moves that lead to some rows."""
    if len(rows) > MOST_TEXTS:
        raise PodiumError(f"at most {MOST_TEXTS} rows at a time, not {len(rows)}")
    return {str(row): text for row, text in zip(rows, trace.texts(rows), strict=True)}
