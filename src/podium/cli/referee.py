"""`podium referee`: short names for other contests' referees."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from podium.arena.store import DEFAULT_STORE
from podium.cli.common import Json, console, print_json
from podium.cli.running import Settings, settings_of
from podium.errors import PodiumError
from podium.games.game import Game
from podium.kernel.minds import pair
from podium.referees import resolve
from podium.referees.messages import ForeignError
from podium.referees.names import SCHEME, SETTING, named, parse
from podium.referees.registry import absolute, add, file_of, registered, remove

app = typer.Typer(
    name="referee",
    help="Name other contests' referees, so that they are played like any game.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

StoreOption = Annotated[Path, typer.Option("--store", help="The names are kept beside this store.")]
ShortName = Annotated[str, typer.Argument(metavar="NAME", help="A short name of letters, digits, _ and -.")]


@app.command("add")
def add_referee(
    name: ShortName,
    target: Annotated[
        str,
        typer.Argument(
            metavar="REFEREE", help="A jar, a Maven project, or cmd:, old:, brutaltester: or psyleague: with a command."
        ),
    ],
    players: Annotated[int, typer.Option(min=2, help="Players of a game.")] = 2,
    league: Annotated[int, typer.Option(min=0, help="League level; 0: the referee's default.")] = 0,
    setting: Settings = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Any other option; may be repeated.")
    ] = None,
    trial: Annotated[bool, typer.Option("--try/--no-try", help="Start a game, to see that it can be played.")] = True,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Give a referee a short name, after trying it: `podium match NAME A B` plays it from then on."""
    given = parse(target if target.startswith(f"{SCHEME}:") else f"{SCHEME}:{target}")
    options = dict(pair("option", text) for text in option or [])
    options |= {f"{SETTING}{key}": str(value) for key, value in settings_of(setting).items()}
    options |= {"players": str(players)} if players != 2 else {}
    options |= {"league": str(league)} if league else {}
    more = named(given.contract, given.target, {**{key: str(value) for key, value in given.given}, **options})
    full = absolute(str(more))
    game = resolve(str(full))
    console.print(f"{name}: {game.source}, {game.seats} players")
    if trial and not game.host:
        console.print(tried(game))
    file = file_of(store)
    add(file, name, full)
    console.print(f"kept in {file}; now: podium match {name} cmd:./mybot cmd:./other", soft_wrap=True)


def tried(game: Game) -> str:
    """Start a game and say what the first question is; a PodiumError if there is none."""
    start = time.monotonic()
    referee = game.new_referee(1)
    try:
        requests = referee.requests()
    except ForeignError as error:
        raise PodiumError(f"it cannot be played: {error}") from None
    finally:
        referee.close()
    if not requests:
        raise PodiumError("it cannot be played: the game ends before anybody is asked")
    (first,) = requests
    wanted = "no answer is wanted" if not first.answers else f"{first.answers} wanted within {first.milliseconds:g} ms"
    sent = f"{len(first.lines)} line{'' if len(first.lines) == 1 else 's'}"
    return f"tried: after {time.monotonic() - start:.1f} s player {first.seat} is sent {sent}, {wanted}"


@app.command("list")
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


@app.command("remove")
def remove_referee(name: ShortName, store: StoreOption = DEFAULT_STORE) -> None:
    """Take a short name away; games that were played stay in the store."""
    remove(file_of(store), name)
    console.print(f"{name} is no name of a referee any more")
