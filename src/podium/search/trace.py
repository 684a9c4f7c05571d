"""A trace: what one search did, node by node, as arrays; recorded on request, kept in memory or in one file.

    with recording() as traces:         # every search that decides in here is recorded
        bot.choose(budget)
    trace = traces[-1]

    trace = podium.AlphaBeta(game, evaluate=f).trace(state, depth=6)

A row is a node; row 0 is the root, a parent comes before its children. docs/traces.md describes every column, and the
file: one `.npz` that NumPy loads. Searches write the rows into room of the recorder's (`trace_room.py`); tree searches
keep their tree anyway, from which `tree_trace.py` makes the rows.
"""

import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.display import Displayable
from podium.errors import PodiumError
from podium.kernel import allocate, copy_of
from podium.kernel.records import registered
from podium.model.hooks import advance
from podium.model.result import PROOFS, Result
from podium.model.rules import is_over, mover, play
from podium.model.ruleset import Rules
from podium.search.trace_room import (
    LOG_STEPS,
    NO_ROW,
    ROWS,
    SPARE,
    UNFINISHED,
    SimulationStep,
    TraceRow,
    thinned,
)
from podium.search.trace_walk import text_of, turn_data, walk

if TYPE_CHECKING:
    from podium.search.base import Search

FORMAT = 1  # of the file; it changes when something is no longer where it was
LEAST_ROWS = 4096

# The words of the numbers in `trace_room.py`, in their order.
REASONS = (
    "",
    "hash move",
    "killer",
    "history",
    "order of generation",
    "best of the last iteration",
    "cost in the last iteration",
)
SOURCES = (
    "unfinished",
    "searched",
    "evaluated",
    "game over",
    "table hit",
    "kept",
    "too low",
    "worse twin",
    "kept by an earlier beam",
)
ATTEMPTS = ("reduced", "null window", "full window")
BOUNDS = ("", "exact", "at least", "at most")

Columns = dict[str, Any]  # arrays by name, all of the same length
Step = Callable[[Any, int], Any]


class Trace(Displayable):
    """What one search did. `columns` has an array for each property of a node; `log` those of simulations."""

    def __init__(
        self,
        rules: Rules,
        state: Any,
        columns: Columns,
        facts: Mapping[str, Any],
        *,
        log: Mapping[str, Any] | None = None,
        seats: Mapping[str, Any] | None = None,
        context: Any = None,
    ) -> None:
        """`seats` are the moves of each seat where several choose at the same time; `context` is given if a move is
        advanced with it, rather than just played."""
        self.rules = rules
        self.columns = columns
        self.facts = dict(facts)
        self.log = dict(log or {})
        self.seats = dict(seats or {})
        self._context = context
        self._root = allocate(rules.state, 1)
        self._root[0] = state

    def __len__(self) -> int:
        return len(self.columns["parent"])

    @property
    def search(self) -> str:
        """The search's title."""
        return str(self.facts["search"])

    @property
    def root(self) -> int:
        """The row of the root whose children hold the result: that of the last iteration that counts."""
        return int(self.facts["root"])

    @property
    def width(self) -> str:
        """The column that tells the size of a subtree: nodes or visits."""
        return "visits" if "visits" in self.columns else "nodes"

    @property
    def headline(self) -> str:
        """The search in one sentence."""
        result = self.facts["result"]
        text = f"{self.search}: {result['nodes']:,} {self.facts['counted']}, {len(self):,} rows"
        return f"{text}; {self.facts['cut']}" if self.facts["cut"] else text

    def rows(self) -> list[dict[str, Any]]:
        """A row for each move of the root, the largest subtree first; `frame()` has all nodes."""
        return sorted(self.children(self.root), key=lambda row: -row[self.width])

    def frame(self) -> Any:
        """All nodes as a pandas DataFrame, one row each; moves are numbers."""
        try:
            from pandas import DataFrame
        except ImportError:
            raise PodiumError("a frame needs pandas: pip install pandas") from None
        return DataFrame(self.columns)

    def children(self, row: int) -> list[dict[str, Any]]:
        """What is known of the children of a node, in the order in which they were searched, with moves as text."""
        state = self.state(row)
        numbers = np.flatnonzero(self.columns["parent"] == row).tolist()
        return [self._data(number, text_of(self, copy_of(state), number)) for number in numbers]

    def path(self, row: int) -> list[int]:
        """The rows from the root to a node, without the root."""
        self._check(row)
        rows = []
        while self.columns["parent"][row] != NO_ROW:
            rows.append(int(row))
            row = self.columns["parent"][row]
        return rows[::-1]

    def line(self, row: int) -> list[str]:
        """The moves that lead to a node, as text."""
        return [text for text, _ in walk(self, self.path(row))]

    def state(self, row: int) -> Any:
        """The position of a node."""
        position = self.root_states()[0]
        for _, after in walk(self, self.path(row)):
            position = after
        return position

    def texts(self, rows: Sequence[int]) -> list[str]:
        """The text of the move of each of these rows; the root has none."""
        known: dict[int, Any] = {}
        found = []
        for row in rows:
            self._check(row)
            parent = int(self.columns["parent"][row])
            if parent != NO_ROW and parent not in known:
                known[parent] = self.state(parent)
            found.append("" if parent == NO_ROW else text_of(self, copy_of(known[parent]), row))
        return found

    def mover(self, row: int) -> int | None:
        """The seat that moves in a node; None where the game is over."""
        state = self.state(row)
        return None if is_over(state) else int(mover(state))

    def turn(self, row: int) -> dict[str, Any] | None:
        """The turn at a node: every seat's moves with visits, value and share, and the matrix of their joint choices;
        None for a search in which one seat chooses after the other."""
        self._check(row)
        return turn_data(self, row)

    def root_states(self) -> Any:
        """Room with a copy of the root's position."""
        return self._root.copy()

    @property
    def step(self) -> Step:
        """What leads from a position to the next: a move, in place."""
        if self._context is None:
            return play
        return lambda state, move: advance(state, self._context, move)

    def _check(self, row: int) -> None:
        if not 0 <= row < len(self):
            raise PodiumError(f"this trace has the rows 0 to {len(self) - 1}, not {row}")

    def _data(self, row: int, text: str) -> dict[str, Any]:
        """A row as plain data, with words for numbers."""
        data = {name: column[row].item() for name, column in self.columns.items()}
        words = {"reason": REASONS, "source": SOURCES, "bound": BOUNDS, "proof": PROOFS}
        for name, texts in words.items():
            if name in data:
                data[name] = texts[data[name]]  # type: ignore[index]
        return {"row": row, **data, "move": text}

    def save(self, path: Path | str) -> None:
        """Write the trace to a file (docs/traces.md)."""
        Path(path).write_bytes(self.packed())

    def packed(self, *, compressed: bool = True) -> bytes:
        """The content of the file."""
        arrays = dict(self.columns)
        for prefix, more in (("log_", self.log), ("seat_", self.seats)):
            arrays |= {f"{prefix}{name}": array for name, array in more.items()}
        if self._context is not None:
            arrays["context"] = np.array([self._context])
        file = io.BytesIO()
        save: Any = np.savez_compressed if compressed else np.savez
        facts = np.frombuffer(json.dumps(self.facts).encode(), np.uint8)
        save(file, facts=facts, state=np.asarray(self._root), **arrays)
        return file.getvalue()


def read_trace(source: Path | str | bytes, rules_named: Callable[[str], Rules]) -> Trace:
    """The trace of a file, or of its content; PodiumError if it is none.

    `rules_named` gives the rules of the game that a trace names.
    """
    name = "the file" if isinstance(source, bytes) else str(source)
    try:
        file = io.BytesIO(source) if isinstance(source, bytes) else io.BytesIO(Path(source).read_bytes())
        with np.load(file, allow_pickle=False) as loaded:
            arrays = {key: loaded[key] for key in loaded.files}
        facts = json.loads(bytes(arrays.pop("facts")).decode())
        kept_state = arrays.pop("state")
        context = arrays.pop("context")[0] if "context" in arrays else None
    except OSError as error:
        raise PodiumError(f"{name} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise PodiumError(f"{name} is not a trace of Podium: {error}") from None
    if facts.get("format") != FORMAT:
        raise PodiumError(f"{name} has format {facts.get('format')}; this version reads format {FORMAT}")
    rules = rules_named(facts["game"])
    if kept_state.dtype != rules.state:
        raise PodiumError(f"{name} is of another version of {rules.name}: its positions have other fields")
    log, seats = (
        {key.removeprefix(prefix): arrays.pop(key) for key in list(arrays) if key.startswith(prefix)}
        for prefix in ("log_", "seat_")
    )
    if context is not None:
        context = np.frombuffer(context.tobytes(), registered(context.dtype)).copy()[0]
    return Trace(rules, kept_state[0], arrays, facts, log=log, seats=seats, context=context)


# ---- Recording


def touched(array: Any) -> Any:
    """The array, all of whose memory the system has handed out, so that no search waits for it."""
    array.view(np.uint8).fill(0)
    return array


class TraceRecording(list[Trace]):
    """The traces of all searches that were made while it was on, and the room that they are written to."""

    def __init__(self, rows: int, steps: int) -> None:
        super().__init__()
        self._rows: dict[np.dtype, Any] = {}  # by the type of a row
        self.most_rows = max(LEAST_ROWS, rows)
        self.most_steps = steps

    @cached_property
    def _steps(self) -> Any:
        return touched(allocate(SimulationStep, self.most_steps))

    def room(self, row: np.dtype = TraceRow) -> Any:
        """The room for rows of a type; the last search's are lost."""
        if row not in self._rows:
            self._rows[row] = touched(allocate(row, self.most_rows))
        return self._rows[row]

    def log(self) -> Any:
        """The room for simulations; the last search's are lost."""
        return self._steps


_recording: ContextVar[TraceRecording | None] = ContextVar("recording", default=None)


@contextmanager
def unrecorded() -> Iterator[None]:
    """No search is recorded in this block: for the searches that another one makes."""
    token = _recording.set(None)
    try:
        yield
    finally:
        _recording.reset(token)


@contextmanager
def recording(rows: int = ROWS, steps: int = LOG_STEPS) -> Iterator[TraceRecording]:
    """Record all searches in this block, each in at most `rows` rows and `steps` steps of simulations."""
    found = TraceRecording(rows, steps)
    token = _recording.set(found)
    try:
        yield found
    finally:
        _recording.reset(token)


def current_recording() -> TraceRecording | None:
    """Where the present search is recorded; None if it is not."""
    return _recording.get()


def make_room(work: Any) -> None:
    """Drop the rows of the deepest plies if a search by iterations has no longer room for SPARE more."""
    status = work.status[0]
    if not status.traced_plies or status.rows + SPARE <= work.trace.size:
        return
    moved, limit = thinned(work.trace, int(status.rows), int(status.traced_plies))
    for ply in range(min(int(status.ply) + 1, limit)):
        work.frames[ply].row = moved[work.frames[ply].row]
    kept = int(moved.max()) + 1
    status.lost_rows += status.rows - kept
    status.rows, status.traced_plies = kept, limit


def close_open_rows(work: Any) -> None:
    """Count the nodes below nodes whose search the budget ended; what is known of their values stays unknown."""
    status = work.status[0]
    for ply in range(min(int(status.ply) + 1, int(status.traced_plies))):
        number = int(work.frames[ply].row)
        if number < status.rows and work.trace[number].source == UNFINISHED:
            work.trace[number].nodes = status.nodes - work.frames[ply].nodes_before
            work.trace[number].value = np.nan


def trace_of_iterations(search: "Search", state: Any, seat: int, work: Any, context: Any, result: Result) -> Trace:
    """The trace of a search by iterations, each with a root of its own; moves are advanced with the context."""
    status = work.status[0]
    rows = work.trace[: status.rows].view(np.ndarray)
    facts = facts_of(search.title, search.rules, seat, search.params, result, "nodes")
    roots = np.flatnonzero((rows["parent"] == NO_ROW) & (rows["depth"] == result.depth))
    facts["root"] = int(roots[-1]) if roots.size else 0
    lost = f"only the first {int(status.traced_plies) - 1} plies have rows: the others did not fit"
    facts["cut"] = lost if status.lost_rows else ""
    columns = columns_of(rows)
    columns["value"][facts["root"]] = result.value  # also of an iteration that the budget ended
    return Trace(search.rules, state, columns, facts, context=context)


def columns_of(rows: Any) -> Columns:
    """The rows that a search has written, column by column."""
    return {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names}


def subtree_sizes(parents: Any) -> Any:
    """The number of rows of each subtree, its own root included; row 0 is the only root."""
    sizes, above = [1] * len(parents), parents.tolist()
    for row in range(len(sizes) - 1, 0, -1):
        sizes[above[row]] += sizes[row]
    return np.array(sizes, np.int32)


def facts_of(search: str, rules: Rules, seat: int, params: Any, result: Result, counted: str) -> dict[str, Any]:
    """The facts that all traces have."""
    return {
        "format": FORMAT,
        "search": search,
        "game": rules.name,
        "seat": seat,
        "counted": counted,
        "root": 0,
        "parameters": {name: _plain(params[name]) for name in params.dtype.names},
        "result": {
            "move": result.move,
            "value": _plain(result.value),
            "depth": result.depth,
            "nodes": result.nodes,
            "line": [int(move) for move in result.line],
            "proof": str(result.proof),
        },
    }


def _plain(value: Any) -> Any:
    """A value of a record as JSON takes it: arrays as lists, texts as texts, infinity and nan as texts."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, bytes):
        return plain.decode(errors="replace")
    return str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain
