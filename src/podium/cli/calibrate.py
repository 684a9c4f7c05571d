"""`podium calibrate`: what can be measured on this machine?"""

from typing import Annotated, Any

import typer
from rich.table import Table

from podium.arena.limits import Policy
from podium.arena.machine import load_per_core, machine_warnings, seat_scores, spin
from podium.arena.runner import workers
from podium.arena.schedule import duel, fixtures
from podium.arena.session import CALIBRATION, Session, copy_of
from podium.arena.tally import MatchTally
from podium.cli.common import GameName, Json, Milliseconds, Nodes, Seed, console, errors, load_game, print_json
from podium.cli.match import Progress, view
from podium.cli.running import (
    DEFAULT_STORE,
    Jobs,
    Memory,
    PolicyOption,
    StorePath,
    conditions_of,
    entrants_of,
    jobs_of,
    prepare,
    shown,
)


def command(
    game: GameName,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot that plays itself.")],
    games: Annotated[int, typer.Option(min=2, help="Games to play.")] = 100,
    seed: Seed = 1,
    time: Milliseconds = 0.0,
    nodes: Nodes = 0,
    policy: PolicyOption = Policy.SOFT,
    memory: Memory = 0,
    jobs: Jobs = 0,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Let a bot play itself: the noise of this machine, whether seats are fair, whether time limits can be kept."""
    rules = load_game(game)
    (original,) = entrants_of(rules, [bot], [])
    entrants = [original, copy_of(original)]
    conditions = conditions_of(rules, time, nodes, policy, 1000.0, 0.0, memory, [], False)
    meeting = duel(entrants, 0, 1, rules.seats)
    rounds = -(-games // len(meeting.seatings))
    prepare(rules, entrants, conditions)
    team_size = jobs_of(jobs)
    with (
        Session(store, CALIBRATION, original.label, entrants, conditions, seed, [meeting.key]) as session,
        workers(team_size) as team,
    ):
        session.store.want(session.run, {"games": rounds * len(meeting.seatings), "block": len(meeting.seatings)})
        with errors.status("watching the machine ..."):
            stalls = [future.result() for future in [team.executor.submit(spin) for _ in range(team_size)]]
        tally = MatchTally(session.ids[0], session.ids[1], rules.seats, len(meeting.seatings))
        for stored in session.games:
            tally.add(stored)
        progress = Progress(tally, (entrants[0].label, entrants[1].label), None, rounds * len(meeting.seatings))
        schedule = fixtures([meeting], seed, session.is_done, range(rounds))
        with shown(lambda: view(progress.report()), progress.line, json) as look:
            session.play(team, schedule, tally.add, lambda: False, look)
        limit = 0.0 if nodes else (time or rules.limits.later)
        report = {
            "run": f"r{session.run.id}",
            "game": rules.name,
            **progress.report(),
            "seat_scores": seat_scores(session.games),
            "worst_stall_ms": max(quiet.worst for quiet in stalls),
            "time_lost_to_stalls": max(quiet.lost for quiet in stalls),
            "load_per_core": load_per_core(),
        }
        report["warnings"] += machine_warnings(stalls, limit, load_per_core())
    report |= _findings(report)
    if json:
        print_json(report)
    else:
        _print(report)


def _findings(report: dict[str, Any]) -> dict[str, Any]:
    """What the figures mean, in sentences."""
    low, high = report["elo"][1:]
    noise = max(abs(low), abs(high))
    overruns = sum(marks.get("overrun", 0) + marks.get("late", 0) for marks in report["marks"])
    answers = sum(times["answers"] for times in report["clocks"])
    found = [f"after {report['games']:,} games, differences below {noise:.0f} Elo cannot be told from nothing here"]
    if not low <= 0 <= high:
        report["warnings"].append(
            "one of two equal bots won significantly: one in twenty calibrations shows this by chance"
        )
    for seat, (score, error) in enumerate(report["seat_scores"]):
        fair = "fair" if abs(score - 0.5) <= error else "not fair; blocks of swapped seats cancel it"
        found.append(f"seat {seat} scores {score:.1%} ± {error:.1%}: {fair}")
    found.append(f"{overruns:,} of {answers:,} answers overran their limit")
    found.append(
        f"longest stall {report['worst_stall_ms']:.1f} ms, {report['time_lost_to_stalls']:.1%} of the time lost, "
        f"{report['load_per_core']:.1f} programs per core"
    )
    return {"findings": found, "noise_elo": noise, "overruns": overruns}


def _print(report: dict[str, Any]) -> None:
    table = Table("ms per answer", "mean", "99 %", "worst")
    for name, times in zip(report["bots"], report["clocks"], strict=True):
        table.add_row(name, f"{times['mean']:.2f}", f"{times['p99']:.2f}", f"{times['worst']:.2f}")
    console.print(table)
    for text in report["findings"]:
        console.print(text, markup=False)
    for text in report["warnings"]:
        console.print(f"warning: {text}", style="yellow", markup=False)
    if not report["warnings"]:
        console.print("nothing speaks against measuring here", style="bold")


command.__name__ = "calibrate"
