"""The options of a run, declared once for calls in Python and for the command line.

`RunOptions` types the keyword arguments that every run takes, `MatchOptions` those of matches and leagues. Each field
carries a `RunOption`: default, help text, bounds and the spelling on the command line, from which `podium.cli.options`
builds the options of the commands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar, Unpack, cast, get_type_hints

from podium.arena.bounds import JOBS, MEMORY, NODES, RESERVE, SEED, STARTUP, TIME
from podium.arena.game.conditions import Conditions
from podium.arena.game.limits import LatePolicy, TimeControl
from podium.arena.game.start_positions import read_positions
from podium.arena.store.store import DEFAULT_STORE
from podium.errors import PodiumError, unknown
from podium.games.game import Game
from podium.model.params import Parameter

E = TypeVar("E", bound=Enum)


@dataclass(frozen=True)
class RunOption:
    """What is known of an option besides its name and type."""

    default: Any
    help: str
    flag: str = ""  # on the command line, where it is not `--name`
    metavar: str = ""
    bounds: Parameter | None = None  # of a number

    def read(self, name: str, value: Any) -> Any:
        """The value that a caller gave, checked and in its proper type; a PodiumError if it is not allowed."""
        if self.bounds:
            return self.bounds.read(str(value))
        if isinstance(self.default, Enum):
            return choice(name, type(self.default), value)
        if isinstance(self.default, bool) and not isinstance(value, bool):
            raise PodiumError(f"{name} is True or False, not {value!r}")
        return Path(value) if isinstance(self.default, Path) else value


def number(bounds: Parameter, metavar: str = "N") -> RunOption:
    """The option that a bounded number is."""
    return RunOption(bounds.default, bounds.help, metavar=metavar, bounds=bounds)


def choice(name: str, kind: type[E], value: E | str) -> E:
    """The member of an enumeration that a caller named; a PodiumError if there is none of that name."""
    known = {each.value: each for each in kind}
    if isinstance(value, kind):
        return value
    if value not in known:
        raise unknown(name, str(value), known)
    return known[value]


class RunOptions(TypedDict, total=False):
    """The options of every run; all of them may be left out."""

    seed: Annotated[int, number(SEED)]
    time: Annotated[float, number(TIME, "MS")]
    nodes: Annotated[int, number(NODES)]
    policy: Annotated[
        LatePolicy | str,
        RunOption(
            LatePolicy.SOFT,
            "What happens to late answers. strict: they are refused; soft: up to 50 ms are forgiven, but the third "
            "late answer of a game is refused; bank: the time is paid from --reserve.",
        ),
    ]
    reserve: Annotated[float, number(RESERVE, "MS")]
    startup: Annotated[float, number(STARTUP, "MS")]
    memory: Annotated[int, number(MEMORY, "MB")]
    suspend: Annotated[
        bool, RunOption(False, "Stop programs while it is not their turn, as CodeCup does.", flag="--suspend")
    ]
    fair: Annotated[
        bool,
        RunOption(False, "Annul and replay a block of games if the machine's load made a bot late.", flag="--fair"),
    ]
    settings: Annotated[
        Mapping[str, object],
        RunOption({}, "A setting of the game (see podium bots GAME); may be repeated.", "--set", "NAME=VALUE"),
    ]
    positions: Annotated[
        Path | str,
        RunOption("", "Start games from the positions in this file (podium export --positions).", "--from", "FILE"),
    ]
    seeds: Annotated[
        str,
        RunOption("", "Seeds of the blocks, in turn: a file with one per line, or 5,7,9.", "--seeds", "FILE"),
    ]
    thoughts: Annotated[bool, RunOption(True, "Store the bots' evaluations and expected lines with each game.")]
    jobs: Annotated[int, number(JOBS)]
    cluster: Annotated[str, RunOption("", "Play on the Dask cluster at this address instead.", metavar="ADDRESS")]
    store: Annotated[Path | str, RunOption(DEFAULT_STORE, "Database file of all runs and games.", metavar="FILE")]


class MatchOptions(RunOptions, total=False):
    """The options of matches and leagues."""

    handicaps: Annotated[
        Mapping[str, float],
        RunOption(
            {},
            "Multiply the time or nodes of a bot (its name, or its position from 1); may be repeated.",
            "--handicap",
            "BOT=FACTOR",
        ),
    ]
    archive: Annotated[
        bool | None,
        RunOption(
            None,
            "Copy programs beside the store and play the copies, so that rebuilding them does not disturb the run. "
            "Leagues do that by default; with --archive they also pack bots of games, to meet them when they have "
            "changed.",
        ),
    ]


def declared() -> dict[str, tuple[Any, RunOption]]:
    """The type and the declaration of each option by name."""
    hints = get_type_hints(MatchOptions, include_extras=True)
    return {name: (hint.__origin__, hint.__metadata__[0]) for name, hint in hints.items()}


def completed(given: RunOptions) -> MatchOptions:
    """All options, those not given with their defaults; a PodiumError for an unknown name or a wrong value."""
    options = declared()
    for name in given:
        if name not in options:
            raise unknown("option", name, options)
    values = cast(Mapping[str, Any], given)
    read = {name: option.read(name, values.get(name, option.default)) for name, (_, option) in options.items()}
    return cast(MatchOptions, read)


def conditions_of(game: Game, **given: Unpack[MatchOptions]) -> Conditions:
    """The conditions of the games of a run with these options."""
    options = completed(given)
    time_control = TimeControl(
        options["time"],
        options["nodes"],
        choice("policy", LatePolicy, options["policy"]),
        reserve=options["reserve"],
        startup=options["startup"],
    )
    settings, positions = game.read_settings(options["settings"]), None
    if options["positions"]:
        positions, settings = read_positions(game, Path(options["positions"]), settings)
    return Conditions(
        game.name,
        settings,
        time_control,
        options["memory"],
        options["thoughts"],
        options["suspend"],
        options["fair"],
        positions,
        seeds_of(str(options["seeds"])),
    )


def seeds_of(text: str) -> tuple[int, ...]:
    """The seeds of a file, one per line, or of a list such as 5,7,9; a PodiumError if one of them is no seed."""
    if not text:
        return ()
    path = Path(text)
    try:
        words = path.read_text(encoding="utf-8").split() if path.is_file() else text.split(",")
        seeds = tuple(int(word) for word in words)
    except ValueError:
        what = f"{text} holds something else" if path.is_file() else f"there is no file {text!r}"
        raise PodiumError(f"--seeds takes a file with one seed per line, or 5,7,9; {what}") from None
    except OSError as error:
        raise PodiumError(f"cannot read the seeds in {text}: {error.strerror}") from None
    if not seeds or not all(-(2**63) <= seed < 2**63 for seed in seeds):
        raise PodiumError(f"{text} should hold signed 64-bit seeds, one per line")
    return seeds
