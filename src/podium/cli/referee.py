"""`podium referee`: short names for other contests' referees."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from podium.arena import bounds
from podium.arena.analysis.stored_runs import number_of
from podium.arena.store.store import DEFAULT_STORE, Store
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.cli.console import console, print_json
from podium.cli.help_text import HelpfulCommand, HelpfulGroup
from podium.cli.options import HELP, Json, Settings, StorePath, numeric, settings_of
from podium.errors import PodiumError
from podium.games.game import Game
from podium.model.params import Parameter, pair
from podium.referees import resolve
from podium.referees.java import class_path_of
from podium.referees.messages import ExternalRefereeError
from podium.referees.names import SCHEME, SETTING, named, parse
from podium.referees.registry import absolute, add, file_of, registered, remove
from podium.referees.transcript import transcript_from
from podium.referees.viewer import ViewerServer, ViewFiles, engine_result

PLAYERS = Parameter("players", 2, "Number of players.", 2, bounds.PLAYERS.high)
LEAGUE = Parameter("league", 0, "League level; 0: the referee's default.", 0, 1000)

app = typer.Typer(
    name="referee",
    cls=HelpfulGroup,
    help="Name other contests' referees, so that they are played like any game.",
    no_args_is_help=True,
    context_settings=HELP,
)

StoreOption = Annotated[Path, typer.Option("--store", help="The names are kept beside this store.")]
ShortName = Annotated[str, typer.Argument(metavar="NAME", help="A short name of letters, digits, _ and -.")]


@app.command("add", cls=HelpfulCommand)
def add_referee(
    name: ShortName,
    target: Annotated[
        str,
        typer.Argument(
            metavar="REFEREE", help="A jar, a Maven project, or cmd:, old:, brutaltester: or psyleague: with a command."
        ),
    ],
    players: Annotated[int, numeric(PLAYERS)] = 2,
    league: Annotated[int, numeric(LEAGUE)] = 0,
    setting: Settings = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Any other option; may be repeated.")
    ] = None,
    trial: Annotated[bool, typer.Option("--try/--no-try", help="Start a game, to check that it can be played.")] = True,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Give a referee a short name, after a trial start: `podium match NAME A B` then plays it."""
    given = parse(target if target.startswith(f"{SCHEME}:") else f"{SCHEME}:{target}")
    options = dict(pair("option", text) for text in option or [])
    options |= {f"{SETTING}{key}": str(value) for key, value in settings_of(setting).items()}
    options |= {"players": str(players)} if players != 2 else {}
    options |= {"league": str(league)} if league else {}
    more = named(given.contract, given.target, {**{key: str(value) for key, value in given.given}, **options})
    full = absolute(str(more))
    game = resolve(str(full))
    console.print(f"{name}: {game.contest.source}, {game.seats} players")
    if trial and not game.external.script_runner:
        console.print(tried(game))
    file = file_of(store)
    add(file, name, full)
    console.print(f"kept in {file}; now: podium match {name} cmd:./mybot cmd:./other", soft_wrap=True)


def tried(game: Game) -> str:
    """Start a game and describe its first question; PodiumError if there is none."""
    start = time.monotonic()
    referee = game.new_referee(1)
    try:
        requests = referee.requests()
    except ExternalRefereeError as error:
        raise PodiumError(f"it cannot be played: {error}") from None
    finally:
        referee.close()
    if not requests:
        raise PodiumError("it cannot be played: the game ends before anybody is asked")
    (first,) = requests
    wanted = "no answer is wanted" if not first.answers else f"{first.answers} wanted within {first.milliseconds:g} ms"
    sent = f"{len(first.lines)} line{'' if len(first.lines) == 1 else 's'}"
    return f"tried: after {time.monotonic() - start:.1f} s player {first.seat} is sent {sent}, {wanted}"


@app.command("list", cls=HelpfulCommand)
def list_referees(store: StoreOption = DEFAULT_STORE, json: Json = False) -> None:
    """List the short names."""
    found = registered(file_of(store))
    if json:
        print_json({"referees": {name: str(referee) for name, referee in found.items()}})
        return
    table = Table("name", "referee", "players")
    for name, referee in found.items():
        table.add_row(name, str(referee).removeprefix(f"{SCHEME}:"), str(referee.options["players"]))
    console.print(table)


@app.command("remove", cls=HelpfulCommand)
def remove_referee(name: ShortName, store: StoreOption = DEFAULT_STORE) -> None:
    """Remove a short name; stored games stay."""
    remove(file_of(store), name)
    console.print(f"{name} is no name of a referee any more")


@app.command("view", cls=HelpfulCommand)
def view_game(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A stored game such as g125.")],
    port: Annotated[int, numeric(bounds.PORT)] = 0,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Show a stored game in the contest's own viewer, served from the referee's project and jars, until Ctrl-C."""
    kind, number = number_of(game, "g")
    if kind != "g":
        raise PodiumError(f"name a stored game such as g125, not {game}")
    with Store(store, create=False) as opened:
        stored = stored_game(opened, opened.game(number))
    server = viewer_of(stored, port)
    console.print(f"g{number} in the viewer of its contest: {server.address} (Ctrl-C ends it)", soft_wrap=True)
    server.serve_forever()


def viewer_of(stored: StoredGame, port: int = 0) -> ViewerServer:
    """The contest's viewer with a stored game; PodiumError if its referee is no jar, or has no viewer."""
    if not stored.run.game.startswith(f"{SCHEME}:"):
        raise PodiumError(f"{stored.run.game} is a game of this package: podium web shows it")
    found = parse(stored.run.game)
    if found.contract:
        raise PodiumError(
            "only a referee of CodinGame's engine, in a jar or project, has a viewer: podium web shows it"
        )
    path = Path(found.target)
    record = stored.record
    result = engine_result(transcript_from(record.archive), stored.names, record.lines, record.stderr)
    return ViewerServer(ViewFiles(path, class_path_of(path)), result, port)
