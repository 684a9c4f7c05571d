"""The arguments and options that commands share; those of runs are built from their one declaration in the arena."""

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer

from podium.arena import bounds
from podium.arena.entrants.bot_names import is_name
from podium.arena.entrants.project import FILE as PROJECT_FILE
from podium.arena.entrants.project import GIT, find_project, is_of_project, resolved
from podium.arena.game.limits import LatePolicy
from podium.arena.store.versions import version_named
from podium.arena.tournament.options import MatchOptions, declared
from podium.cli import completion
from podium.cli.console import errors
from podium.errors import PodiumError, unknown
from podium.games import load
from podium.games.game import PUCT
from podium.model.params import Parameter, pair
from podium.referees import full_name
from podium.referees.registry import FILE, VARIABLE

BOT = "name, name:parameter=value,... or py:file.py"
ANY_BOT = "name, name:parameter=value,..., py:file.py or 'cmd:program args'"
DEFAULT_BOT = "default: the champion, or the game's first bot"
HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}
FORMER = {  # names of options that are still accepted
    "standing": "continuous",
    "omens": "auxiliary-weight",
    "search-share": "root-value-weight",
    "practice": "self-play",
    "rate": "learning-rate",
    "rate-every": "ladder-every",
    "rate-games": "ladder-games",
    "rate-nodes": "ladder-nodes",
}

LIMITS, GAMES, MACHINE, OUTPUT = "Limits of the bots", "The games", "Machine and store", "Output"  # panels of options
PANELS = {
    **dict.fromkeys(
        ("time", "nodes", "policy", "reserve", "startup", "memory", "suspend", "fair", "handicaps"), LIMITS
    ),
    **dict.fromkeys(("seed", "seeds", "settings", "positions"), GAMES),
    **dict.fromkeys(("jobs", "cluster", "store", "archive", "thoughts"), MACHINE),
}


def present_name(token: str) -> str:
    """The present name of an option that had another one."""
    return FORMER.get(token, token)


def flowing(text: str) -> str:
    """A docstring as help text: paragraphs wrap where the terminal ends, not where the source does."""
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in cleandoc(text).split("\n\n"))


class _Reader:
    """A parser of a bounded number; typer asks parsers for their name."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.__name__ = parameter.name

    def __call__(self, value: object) -> Any:
        try:
            return self.parameter.read(str(value))
        except PodiumError as error:
            raise typer.BadParameter(str(error)) from None


def numeric(parameter: Parameter, *names: str, metavar: str = "", help: str = "", panel: str | None = None) -> Any:
    """The one way to declare an option that is a number: finite, bounded, and refused with a sentence."""
    help, metavar = help or parameter.help, metavar or "N"
    return typer.Option(*names, parser=_Reader(parameter), metavar=metavar, help=help, rich_help_panel=panel)


def _referees_beside(store: Path) -> Path:
    """Use the short names of referees in the folder of the store."""
    file = store.parent / FILE
    if file.is_file():
        os.environ.setdefault(VARIABLE, str(file.absolute()))
    return store


def run_option(name: str) -> Any:
    """An option of runs for the command line, as the arena declares it."""
    option = declared()[name][1]
    if option.bounds:
        return numeric(option.bounds, metavar=option.metavar, panel=PANELS[name])
    flags = [option.flag or f"--{name}" + (f"/--no-{name}" if isinstance(option.default, bool) else "")]
    callback = _referees_beside if name == "store" else None
    return typer.Option(
        *flags, metavar=option.metavar or None, help=option.help, callback=callback, rich_help_panel=PANELS[name]
    )


STORED = "RUN|GAME-ID"  # metavar of what is in a store
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=completion.games,
        help="A game (`podium games` lists them), or a file such as mygame.py.",
    ),
]
StoredGameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME-ID",
        autocompletion=completion.runs,
        help="A stored game such as g125; a run such as r3 stands for its last game.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.", rich_help_panel=OUTPUT)]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Print the conclusion alone, and no progress.", rich_help_panel=OUTPUT),
]
Players = Annotated[int, numeric(bounds.PLAYERS, panel=GAMES)]
Seed = Annotated[int, run_option("seed")]
Milliseconds = Annotated[float, run_option("time")]
Nodes = Annotated[int, run_option("nodes")]
Jobs = Annotated[int, run_option("jobs")]
Cluster = Annotated[str, run_option("cluster")]
Settings = Annotated[list[str] | None, run_option("settings")]
Archive = Annotated[bool | None, run_option("archive")]
StorePath = Annotated[Path, run_option("store")]

# Where the command line has another type than a call in Python.
TYPES: dict[str, Any] = {
    "policy": LatePolicy,
    "settings": list[str] | None,
    "handicaps": list[str] | None,
    "positions": Path | None,
    "store": Path,
}


def settings_of(texts: Sequence[str] | None) -> dict[str, str]:
    """Settings written as name=value; the game reads them."""
    return dict(pair("setting", text) for text in texts or ())


def handicaps_of(texts: Sequence[str] | None) -> dict[str, float]:
    """Handicaps written as bot=factor."""
    factors = {}
    for text in texts or ():
        bot, _, factor = text.rpartition("=")
        try:
            factors[bot] = float(factor)
        except ValueError:
            raise PodiumError(f"a handicap is written bot=factor, for example 2=0.5, not {text!r}") from None
    return factors


READERS: dict[str, Callable[[Any], Any]] = {
    "settings": settings_of,
    "handicaps": handicaps_of,
    "positions": lambda path: str(path) if path else "",
}


def with_run_options(
    without: Collection[str] = (), **defaults: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of runs behind those of a command, which takes them together as `options`.

    A command leaves out those in `without`, and may have other `defaults`.
    """
    chosen = {name: found for name, found in declared().items() if name not in without}
    shared = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if name in READERS else defaults.get(name, option.default),
            annotation=Annotated[TYPES.get(name, kind), run_option(name)],
        )
        for name, (kind, option) in chosen.items()
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_options(**given: Any) -> None:
            options = {name: READERS.get(name, lambda value: value)(given.pop(name)) for name in chosen}
            command(**given, options=options)

        signature = inspect.signature(command)
        own = [each for each in signature.parameters.values() if each.name != "options"]
        last = [each for each in own if each.kind is inspect.Parameter.KEYWORD_ONLY]
        parameters = [*(each for each in own if each not in last), *shared, *last]
        with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_options

    return decorate


# Commands to which limits of the project apply.
RUNS = ("play", "match", "gate", "league", "calibrate", "ablate", "tune")
SUBCOMMANDS = ("list", "delete", "rename", "tag", "untag", "note", "add", "remove", "pause", "resume")


def project_defaults(commands: Iterable[str]) -> dict[str, Any]:
    """The defaults of commands and their subcommands from the project file, if there is one."""
    project = find_project()
    if project is None:
        return {}
    for name, value in project.limits.items():
        if name not in declared():
            raise unknown(f"limit in {project.folder / PROJECT_FILE}", name, declared())
        try:
            declared()[name][1].read(name, value)
        except PodiumError as error:
            raise PodiumError(f"{project.folder / PROJECT_FILE}: {error}") from None
    stored = {"store": str(project.store)} if project.store and not os.environ.get("PODIUM_STORE") else {}
    of_runs = {**project.limits, **stored}
    below = dict.fromkeys(SUBCOMMANDS, stored)
    found: dict[str, Any] = {name: of_runs if name in RUNS else stored for name in commands}
    return found | {"league": {**below, "": of_runs}, "runs": {**below, "": stored}, "referee": below}


def of_project(words: Sequence[str | None]) -> list[str]:
    """The words GAME BOT ..., the first of which may be missing if the project file names the game."""
    given = [word for word in words if word]
    if given and not is_of_project(given[0]) and len(given) == len(words):
        return given
    project = find_project()
    if project is None or not project.game:
        came = f", not just {' '.join(given)}" if given else ""
        raise PodiumError(
            f'expected a game, then its bots{came} (game = "NAME" in {PROJECT_FILE} makes the game optional)'
        )
    return [project.game, *given]


def built(game: str, bots: Sequence[str], store: Path) -> list[str]:
    """The bots with those of the project built, which a status line says."""
    found = []
    for text in bots:
        _refuse_misspelled(game, text, store)
        found.append(built_if_of_project(text, store))
    return found


def two_bots(words: Sequence[str], options: MatchOptions, what: str) -> tuple[str, str, str]:
    """The game and the two bots that words name, those of the project built; a program of a revision is archived."""
    game, *bots = of_project(words)
    if len(bots) != 2:
        raise PodiumError(f"{what}, not {len(bots)}{': ' if bots else ''}{', '.join(bots)}")
    options["archive"] = options["archive"] or any(bot.startswith(GIT) for bot in bots)
    first, second = built(game, bots, Path(options["store"]))
    return game, first, second


def built_if_of_project(bot: str, store: Path) -> str:
    """A bot of the project built, which a status line says; any other as it is."""
    if not is_of_project(bot):
        return bot
    with errors.status(f"building {bot} ..."):
        return resolved(bot, store)


def _refuse_misspelled(game: str, text: str, store: Path) -> None:
    """PodiumError, with near names of the project too, for a plain name of no bot."""
    project = find_project()
    if project is None or not project.bots or text in project.bots or not is_name(text):
        return
    rules = load(game)
    known = text in rules.bots or text == PUCT or rules.external.program is not None
    if not known and version_named(rules, text, store) is None:
        raise unknown(f"bot of {rules.name} and {PROJECT_FILE}", text, [*rules.bots, *project.bots])


def name_for_players(name: str, players: int) -> str:
    """The name of a game for this number of players; 0: the number that the name or the game has."""
    if not players:
        return name
    chosen = full_name(name, players) or name
    game = load(chosen)
    if game.seats != players:
        raise PodiumError(f"{game.title} has {game.seats} players, not {players}")
    return chosen
