"""What the commands share: consoles, the game named by the user, JSON, the progress of compilation."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import cleandoc
from typing import Annotated, Any

import typer
from rich.status import Status

from podium.arena import numbers
from podium.cli.printing import console as console
from podium.cli.printing import errors as errors
from podium.cli.printing import print_json as print_json
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Scene
from podium.kernel.minds import Parameter


def flowing(text: str) -> str:
    """A docstring as help: its paragraphs are broken where the terminal ends, not where the source does."""
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in cleandoc(text).split("\n\n"))


def numeric(parameter: Parameter, *names: str, metavar: str = "", help: str = "", shown: bool = True) -> Any:
    """The one way to declare an option that is a number: finite, bounded, and refused in a sentence.

    Its default is `shown` where it says more than the help.
    """
    help = help or parameter.help
    return typer.Option(*names, parser=_Reader(parameter), metavar=metavar or "N", help=help, show_default=shown)


class _Reader:
    """Reads a parameter; the command line asks parsers for their name."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.__name__ = parameter.name

    def __call__(self, value: object) -> Any:
        return self.parameter.read(str(value))


GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `podium games` lists them.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables for people.")]
Seed = Annotated[int, numeric(numbers.SEED)]
Milliseconds = Annotated[float, numeric(numbers.TIME, metavar="MS")]
Nodes = Annotated[int, numeric(numbers.NODES)]
Players = Annotated[int, numeric(numbers.PLAYERS)]


def has_news(game: Game, scene: Scene) -> bool:
    """Whether there is something new to draw: a foreign referee tells of a turn once, and then asks each player."""
    return game.retold is None or (scene["news"] and bool(scene["summary"] or scene["tooltips"]))


def seated(name: str, players: int) -> str:
    """The name of a game for so many players; 0: as many as it says itself."""
    if not players:
        return name
    from podium.referees.names import SCHEME, with_players

    game = load(name)
    if game.seats != players and not game.name.startswith(f"{SCHEME}:"):
        raise PodiumError(f"{game.title} is played by {game.seats}, not by {players}")
    return name if game.seats == players else with_players(game.name, players)


@contextmanager
def compilation_shown() -> Iterator[None]:
    """Show a line on standard error while kernels are compiled, which happens once for each state of the sources."""
    from numba.core import event

    from podium.kernel.generic import kernels_left

    class Compilation(event.Listener):
        def __init__(self) -> None:
            self.kernels = 0
            self.started = time.monotonic()
            self.status: Status | None = None

        def on_start(self, happening: Any) -> None:
            if self.status is None:
                self.started = time.monotonic()
                self.status = errors.status("")
                self.status.start()
            function = happening.data["dispatcher"].py_func
            room = function.__module__.removeprefix("podium.")
            if room == "kernel.generic":
                return  # a call of a generic function, which becomes a part of its caller
            self.kernels += 1
            seconds, left = time.monotonic() - self.started, kernels_left()
            self.status.update(
                f"compiling for the first use: {room}.{function.__name__}, {seconds:.0f} s, at most {left} to go"
            )

        def on_end(self, happening: Any) -> None:
            """The next start, or the end of all, says more."""

    listener = Compilation()
    try:
        with event.install_listener("numba:compile", listener):
            yield
    finally:
        if listener.status:
            listener.status.stop()
            seconds = time.monotonic() - listener.started
            errors.print(f"compiled {listener.kernels} kernels in {seconds:.0f} s", style="dim")
