"""Searches as one HTML file: the page of a search with its traces inside, and the boards of the largest subtrees."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.search.trace import Trace
from podium.search.trace_walk import moves_of
from podium.web.standalone_html import page
from podium.web.traces import about, node_data

BOARDS = 250  # nodes whose position a file carries
TEXTS = 3000  # rows whose move it names


def search_file(traces: Sequence[Trace], boards: int = BOARDS) -> str:
    """The page of a search, or of several beside each other, as one HTML file with the boards of up to
    `boards` nodes of each, and of the principal variation."""
    data: dict[str, Any] = {"/traces": [carried(trace, str(number), boards) for number, trace in enumerate(traces)]}
    for number, trace in enumerate(traces):
        data[f"/traces/{number}"] = base64.b64encode(trace.packed()).decode()
    first = traces[0]
    title = f"{first.facts.get('bot', first.search)} · {first.facts.get('where', '')} · {first.rules.name}"
    return page(title, "/search", data, first.rules.name)


def carried(trace: Trace, number: str, most: int) -> dict[str, Any]:
    """A trace with the positions and moves that a page without a server can show: those of the largest subtrees."""
    rows = np.argsort(-trace.columns[trace.width].astype(np.int64), kind="stable")
    boards = {trace.root, *principal_rows(trace), *rows[:most].tolist()}
    named = sorted({*rows[:TEXTS].tolist(), *boards, *np.flatnonzero(trace.columns["parent"] == trace.root).tolist()})
    return {
        "id": number,
        **about(trace),
        "nodes": {str(row): node_data(trace, row) for row in sorted(boards)},
        "texts": {str(row): text for row, text in zip(named, trace.texts(named), strict=True)},
    }


def principal_rows(trace: Trace) -> list[int]:
    """The rows of the principal variation."""
    row, rows, line = trace.root, [], trace.facts["result"]["line"]
    while line and "seat" not in trace.columns:
        children = np.flatnonzero(trace.columns["parent"] == row).tolist()
        found = [child for child in children if (moves := moves_of(trace, child)) == line[: len(moves)]]
        if not found:
            break
        row = found[-1]
        rows.append(row)
        line = line[len(moves_of(trace, row)) :]
    return rows
