"""`podium pack`: a bot as one Python file, for a judge or as a version that never changes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from podium.arena.entrants.project import find_project, is_of_project
from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.options import BOT, GameName, Json, built, of_project
from podium.errors import PodiumError
from podium.pack.judges import FILE, JUDGES, Judge, judge_named
from podium.pack.merging import write_merged
from podium.pack.packing import CPUS, PackReport, write_pack
from podium.pack.releases import write_release
from podium.pack.verifying import verify_pack

SHOWN = 5  # answers that differ


def command(
    game: GameName = "",
    bot: Annotated[str, typer.Argument(metavar="BOT", help=BOT)] = "",
    source: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead of a bot: your own Python program, with the modules of its folder."),
    ] = None,
    release: Annotated[
        str,
        typer.Option(metavar="NAME", help="Instead of a bot: the champion of GAME, or of every game, as GAME-NAME.py."),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The file to write (bot.py); the folder of a release."),
    ] = None,
    judge: Annotated[str, typer.Option("--for", metavar="JUDGE", help=f"One of {', '.join(JUDGES)}.")] = "file",
    cpu: Annotated[
        str, typer.Option(metavar="CPU", help=f"One of {', '.join(CPUS)}; default: what suits the judge.")
    ] = "",
    verify: Annotated[
        int, typer.Option(min=0, metavar="N", help="Compare N answers of the file with those of the bot.")
    ] = 0,
    python: Annotated[
        str, typer.Option(metavar="PATH", help="The Python that runs the file for --verify; it needs NumPy.")
    ] = "",
    json: Json = False,
) -> None:
    """Write a bot as one Python file that plays without Podium and without Numba.

    The file needs Python 3.8 or newer with NumPy on Linux with a 64-bit processor of Intel or AMD. It plays on standard
    input and output in the contest's protocol; `pack:FILE` names it as a bot of matches and leagues.

    With --source, a Python program of several files becomes one that stays readable: podium pack --source mybot.py

    With --release, the champions of today become files that next year's can meet: podium pack --release v1 -o releases
    """
    if release:
        if source or bot or cpu or verify or python or judge != FILE.name:
            raise PodiumError("--release takes at most a GAME: no BOT, --source, --for, --cpu, --verify or --python")
        _release(release, out or Path(), game, json)
        return
    out = out or Path("bot.py")
    if source:
        if game or cpu or verify or python:
            raise PodiumError("--source takes a Python program: no GAME and BOT, --cpu, --verify or --python")
        _merge(source, out, judge_named(judge), json)
        return
    if not bot and not is_of_project(game):
        raise PodiumError("name a game and a bot, or your own program with --source FILE")
    game, bot = named_bot((game, bot))
    if python and not verify:
        raise PodiumError("--python names the Python that runs the file for --verify: give both")
    with compilation_shown(), errors.status("recording the bot while it plays ..."):
        report = write_pack(game, bot, out, judge_named(judge), cpu)
    compared = None
    if verify:
        with errors.status(f"comparing {verify} answers ..."):
            compared = verify_pack(game, bot, out, verify, python=python)
    if json:
        differences = compared.differences if compared else []
        positions = compared.positions if compared else 0
        print_json({**report.data(), "verified": positions, "differences": differences})
    else:
        _show(report)
        if compared and not compared.differences:
            console.print(f"{compared.positions} answers compared with the bot: all the same")
    if compared and compared.differences:
        shown = "; ".join(compared.differences[:SHOWN])
        raise PodiumError(f"{len(compared.differences)} of {compared.positions} answers differ: {shown}")


def named_bot(words: Sequence[str]) -> tuple[str, str]:
    """The game and the bot that words name, the bot built if it is one of the project."""
    game, *bots = of_project(words)
    if len(bots) != 1:
        raise PodiumError(f"name one bot of {game} to pack, not {len(bots)}")
    project = find_project()
    store = (project.store if project else None) or DEFAULT_STORE  # beside which a revision is built
    return game, built(game, bots, store)[0]


def _release(name: str, folder: Path, game: str, json: bool) -> None:
    found = []
    for one in write_release(name, folder, game):
        found.append({"game": one.game, "file": str(one.file), "new": one.is_new})
        if not json:
            remark = "" if one.is_new else "  (was there already, and stays as it is)"
            console.print(f"{one.file}{remark}", markup=False)
    if json:
        print_json({"files": found})


def _merge(source: Path, out: Path, judge: Judge, json: bool) -> None:
    merged, size = write_merged(source, out, judge)
    if json:
        about = {"file": str(out), "for": judge.name, "size": size, "unit": judge.unit, "limit": judge.most}
        print_json({**about, "modules": [*merged.modules], "packages": merged.packages, "remarks": merged.remarks})
        return
    console.print(f"{out}: {_size(judge, size)}")
    console.print(f"merged: {', '.join(merged.modules) or 'no modules, the program imports none of its folder'}")
    if merged.packages:
        console.print(f"needs there: {', '.join(merged.packages)}")
    for remark in merged.remarks:
        console.print(remark, markup=False)


def _size(judge: Judge, size: int) -> str:
    limit = f" of {judge.most:,}" if judge.most else ""
    return f"{size:,}{limit} {judge.unit}"


def _show(report: PackReport) -> None:
    judge = report.judge
    console.print(f"{report.file}: {_size(judge, report.size)}, for {report.cpu}")
    console.print("compressed: " + ", ".join(f"{name} {size:,} bytes" for name, size in report.parts.items()))
    needs = f"Python {judge.python}" if judge.python else "Python 3.8 or newer"
    numpy = f"NumPy {judge.numpy}" if judge.numpy else "NumPy"
    memory = f"; {judge.memory} MB of memory there" if judge.memory else ""
    console.print(f"runs with {needs} and {numpy} on Linux{memory}")
    if judge.remark:
        console.print(judge.remark)
