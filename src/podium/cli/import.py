"""`podium import`: games saved from a contest's site, played again and stored."""  # noqa: N999 - the command's name

from pathlib import Path
from typing import Annotated

import typer

from podium.arena.store.store import DEFAULT_STORE
from podium.cli.compilation import compilation_shown
from podium.cli.console import console, errors, print_json
from podium.cli.options import Json, StorePath
from podium.cli.slice import results
from podium.errors import PodiumError
from podium.games import load
from podium.pack.site_games import ImportReport, import_replays
from podium.pack.site_verdicts import SiteVerdict

SHOWN = 20  # games that do not agree, and files that are no replays


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Replay files or folders, plain or gzipped.")],
    game: Annotated[
        str,
        typer.Option(metavar="GAME", help="The game or referee:... to replay with; default: the one that agrees."),
    ] = "",
    me: Annotated[
        str, typer.Option(metavar="NAME", help="Your name on the site; default: the one player in all games.")
    ] = "",
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Replace the names of all other players.")] = False,
    store: StorePath = DEFAULT_STORE,
    json: Json = False,
) -> None:
    """Import replay files saved from CodinGame, or game texts of CodeCup: replay, compare and store the games.

    A file tells neither prompts nor times: the referee prints the prompts again, and times are unknown. Imported games
    can be shown, reviewed and exported like all others; importing a file again adds nothing.
    """
    missing = [str(path) for path in files if not path.exists()]
    if missing:
        raise PodiumError(f"there is no file {missing[0]}")
    with compilation_shown(), errors.status("reading ...") as status:
        report = import_replays(
            files,
            store,
            game=game,
            me=me,
            anonymous=anonymous,
            progress=lambda done: status.update(f"{done} games replayed ..."),
        )
    if json:
        print_json(report.data())
    else:
        _show(report)
    if not report.games:
        raise typer.Exit(2)


def _show(report: ImportReport) -> None:
    console.print(report.headline)
    for text in report.refused[:SHOWN]:
        errors.print(f"not imported: {text}", style="yellow")
    departed = [found for found in report.games if found.agreement is not SiteVerdict.AGREES]
    for found in departed[:SHOWN]:
        console.print(f"{found.replay.source}: {found.sentence}", style="yellow")
    if len(departed) > SHOWN or len(report.refused) > SHOWN:
        console.print("--json lists them all")
    for each in report.results:
        console.print(results(each))
    if report.games and not report.me:
        console.print("whose results? --me NAME shows those of a player by opponent and seat")
    for run, game in report.played.items():
        review = f"; why one was lost: podium review {run}" if load(game).bots else ""
        console.print(f"all games: podium show {run}{review}")
