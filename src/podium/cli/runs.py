"""`podium runs`: what was played."""

from datetime import datetime

from rich.table import Table

from podium.arena.store import Store
from podium.cli.common import Json, console, print_json
from podium.cli.running import DEFAULT_STORE, StorePath


def command(store: StorePath = DEFAULT_STORE, json: Json = False) -> None:
    """List the runs of a store; `podium show r1` shows one."""
    with Store(store, create=False) as opened:
        runs = opened.runs()
    if json:
        print_json(
            [
                {
                    "run": f"r{run.id}",
                    "kind": run.kind,
                    "game": run.game,
                    "name": run.name,
                    "seed": run.seed,
                    "games": games,
                    "created": run.created,
                    "last": last,
                }
                for run, games, last in runs
            ]
        )
        return
    table = Table("run", "kind", "game", "who", "games", "limits", "last game")
    for run, games, last in runs:
        allowance = run.conditions.allowance
        limits = [f"{allowance.nodes:,} nodes"] if allowance.nodes else []
        limits += [f"{allowance.milliseconds:g} ms"] if allowance.milliseconds else []
        when = datetime.fromtimestamp(last).strftime("%Y-%m-%d %H:%M")
        table.add_row(f"r{run.id}", run.kind, run.game, run.name, f"{games:,}", " ".join(limits) or "contest", when)
    console.print(table)


command.__name__ = "runs"
