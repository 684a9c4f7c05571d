"""`podium league add`, `remove`, `pause` and `resume`: change a standing league, while it is being played or not."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from podium.arena.league import PAUSED, REMOVED
from podium.arena.standing import add_bots, find_league, pause_league, set_state
from podium.arena.store import DEFAULT_STORE, Run, Store
from podium.cli.common import compilation_shown, console
from podium.cli.running import Keep, StorePath

LeagueName = Annotated[str, typer.Option("--name", help="The league's name: one store can hold several.")]
OfGame = Annotated[str, typer.Option("--game", help="Its game, where leagues of several games have that name.")]
Names = Annotated[list[str], typer.Argument(metavar="NAME", help="Bots by the names that the table shows.")]
Some = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these bots.")]


class WithDefault(TyperGroup):
    """A group of commands with one that needs no name: `podium league GAME` beside `podium league add`."""

    default = "GAME"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the name of the default where none is given."""
        return super().parse_args(ctx, args if args and args[0] in self.commands else [self.default, *args])

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command; the default has no name in its usage."""
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == self.default else name), command, rest


def add(
    bots: Annotated[list[str], typer.Argument(metavar="NAME=BOT", help="New bots, for example v2=cmd:./mybot")],
    name: LeagueName = "league",
    game: OfGame = "",
    archive: Keep = True,
    store: StorePath = DEFAULT_STORE,
) -> None:
    """Let bots take part in a league; one that is being played takes them in at once."""
    run = _league(store, name, game)
    with compilation_shown():
        sentences = add_bots(store, run, bots, archive)
    _tell(sentences)


def remove(bots: Names, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Take bots out of a league and its table; their games still count for the others."""
    _tell(set_state(store, _league(store, name, game), bots, REMOVED))


def pause(bots: Some = None, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Let a league rest, or only some of its bots."""
    _rest(_league(store, name, game), bots, store, resting=True)


def resume(bots: Some = None, name: LeagueName = "league", game: OfGame = "", store: StorePath = DEFAULT_STORE) -> None:
    """Let a league go on after a pause, or bots of it."""
    _rest(_league(store, name, game), bots, store, resting=False)


def _rest(run: Run, bots: list[str] | None, store: Path, resting: bool) -> None:
    if bots:
        _tell(set_state(store, run, bots, PAUSED if resting else None))
    else:
        _tell(pause_league(store, run, resting))


def _league(store: Path, name: str, game: str) -> Run:
    with Store(store, create=False) as opened:
        return find_league(opened, name, game)


def _tell(sentences: list[str]) -> None:
    for text in sentences:
        console.print(text, markup=False, soft_wrap=True)
