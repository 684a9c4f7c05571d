"""`podium runs`: what was played."""

from datetime import datetime
from typing import Any

from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.cli.common import Json, console, print_json
from podium.cli.running import StorePath
from podium.cli.tables import Sheet
from podium.referees.names import title_of


def command(store: StorePath = DEFAULT_STORE, json: Json = False) -> None:
    """List the runs of a store; `podium show r1` shows one."""
    with Store(store, create=False) as opened:
        runs = opened.runs()
    if json:
        print_json({"runs": [_data(run, games, last) for run, games, last in runs]})
        return
    table = Sheet("run", "kind", "game", "who", "games", "limits", "last game", typed=("run", "game"))
    for run, games, last in runs:
        limits = run.conditions.limits() or "contest"
        when = datetime.fromtimestamp(last).strftime("%Y-%m-%d %H:%M")
        table.add_row(f"r{run.id}", run.kind, title_of(run.game), run.name, f"{games:,}", limits, when)
    console.print(table)


def _data(run: Run, games: int, last: float) -> dict[str, Any]:
    return {
        "run": f"r{run.id}",
        "kind": run.kind,
        "game": run.game,
        "name": run.name,
        "seed": run.seed,
        "games": games,
        "created": run.created,
        "last": last,
    }
