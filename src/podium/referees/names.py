"""What a referee is named by: its contract, where it is, and what else has to be known to start it.

    referee:path/to/referee.jar               CodinGame's engine in a jar, or in the folder of its Maven project
    referee:cmd:python3 fake.py               any program that speaks the engine's protocol, started for each game
    referee:old:java -jar old.jar             the older protocol of lines that begin with ###
    referee:brutaltester:java -jar x.jar      a program that runs the bots itself and prints scores
    referee:psyleague:python3 play_game.py    a script that runs the bots itself and prints JSON

Options follow a last colon, as those of a bot do: `referee:x.jar:players=3,league=4`. In a value, %XX stands for what
has a meaning here. A name holds all that a worker on another machine needs; a file `referees.toml` beside the store
gives such names a short one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from podium.errors import PodiumError, unknown
from podium.kernel.minds import Parameter, Value, read_values

SCHEME = "referee"
ENGINE, PROGRAM, OLD, BRUTALTESTER, PSYLEAGUE = "", "cmd", "old", "brutaltester", "psyleague"
CONTRACTS = (PROGRAM, OLD, BRUTALTESTER, PSYLEAGUE)
SETTING, PROPERTY = "set.", "-D"  # prefixes of options: a parameter of the game, a property of the Java machine
MOST_PLAYERS = 9  # the engine was tried with so many

OPTION_LIST = re.compile(r"[A-Za-z-][^\s,=:]*=[^\s,:]*(,[A-Za-z-][^\s,=:]*=[^\s,:]*)*")

COMMON = (
    Parameter("players", 2, "players of a game", 2, MOST_PLAYERS),
    Parameter("title", "", "name for people"),
    Parameter("scene", "", "a scene.js that draws its games"),
    Parameter("patience", 150.0, "seconds that a referee may take for a message, a script for a game", 0.01, 1e6),
)
LEAGUE = Parameter("league", 0, "league level, which may change rules and input; 0: the referee's default", 0, 99)
PIPE = (
    Parameter("times", "judged", "what engines from 4.6 on are told of times", choices=("judged", "measured")),
    Parameter("views", True, "keep what the contest's viewer would draw"),
)
JAVA = (
    Parameter("memory", 512, "MB of the Java machine's heap", 16, 1 << 20),
    Parameter("java", "java", "the Java program"),
    Parameter("warm", True, "one Java machine plays many games"),
)
LIMITS = (
    Parameter("first", 1000.0, "ms for a player's first answer", 1, 1e6),
    Parameter("later", 100.0, "ms for each later answer", 1, 1e6),
)


def _seeds(*ways: str) -> Parameter:
    return Parameter("seeds", "auto", "how a seed is handed over; auto: it is tried", choices=("auto", *ways, "none"))


OPTIONS: dict[str, tuple[Parameter, ...]] = {
    ENGINE: (*COMMON, LEAGUE, *PIPE, *JAVA),
    PROGRAM: (*COMMON, *PIPE),
    OLD: (*COMMON, *LIMITS, _seeds("line")),
    BRUTALTESTER: (*COMMON, LEAGUE, _seeds("d", "seed")),
    PSYLEAGUE: COMMON,
}


@dataclass(frozen=True)
class RefereeName:
    """A referee, taken apart."""

    contract: str
    target: str  # a path, or a command
    given: tuple[tuple[str, Value], ...] = ()  # the options that differ from their defaults, sorted
    settings: tuple[tuple[str, str], ...] = ()  # parameters of the game
    properties: tuple[tuple[str, str], ...] = ()  # of the Java machine

    @property
    def options(self) -> dict[str, Value]:
        """All options of the contract with their values."""
        return {**{option.name: option.default for option in OPTIONS[self.contract]}, **dict(self.given)}

    def __str__(self) -> str:
        words = [
            *(f"{name}={_quoted(value)}" for name, value in self.given),
            *(f"{SETTING}{name}={_quoted(value)}" for name, value in self.settings),
            *(f"{PROPERTY}{name}={_quoted(value)}" for name, value in self.properties),
        ]
        parts = [SCHEME, self.contract, self.target, ",".join(words)]
        return ":".join(part for part in parts if part)

    def with_options(self, **options: Value) -> "RefereeName":
        """The same referee with other options."""
        return replace(self, given=_given(self.contract, {**dict(self.given), **options}))


def parse(name: str) -> RefereeName:
    """The referee that a name stands for; a PodiumError if it is none."""
    scheme, _, rest = name.partition(":")
    if scheme != SCHEME or not rest.strip():
        raise PodiumError(f"a referee is named {SCHEME}:path/to/referee.jar or {SCHEME}:cmd:program, not {name!r}")
    contract, colon, target = rest.partition(":")
    if not (colon and contract in CONTRACTS):
        contract, target = ENGINE, rest
    target, options = _split(target)
    if not target.strip():
        raise PodiumError(f"{name!r} names no {'jar' if contract == ENGINE else 'program'}")
    return named(contract, target.strip(), options)


def named(contract: str, target: str, options: Mapping[str, str]) -> RefereeName:
    """A referee by its parts; options as texts."""
    settings = {name.removeprefix(SETTING): value for name, value in options.items() if name.startswith(SETTING)}
    properties = {name.removeprefix(PROPERTY): value for name, value in options.items() if name.startswith(PROPERTY)}
    if settings and contract not in (ENGINE, PROGRAM):
        raise PodiumError(f"a referee of the contract {contract} takes no parameters of the game")
    if properties and contract != ENGINE:
        raise PodiumError(f"a referee of the contract {contract} is started by your own command: put -D into it")
    others = {name: value for name, value in options.items() if not name.startswith((SETTING, PROPERTY))}
    return RefereeName(
        contract, target, _given(contract, others), tuple(sorted(settings.items())), tuple(sorted(properties.items()))
    )


def _given(contract: str, options: Mapping[str, object]) -> tuple[tuple[str, Value], ...]:
    known = {option.name: option for option in OPTIONS[contract]}
    values = read_values("option of a referee", known.values(), options.items())
    return tuple(sorted((name, value) for name, value in values.items() if value != known[name].default))


def _split(text: str) -> tuple[str, dict[str, str]]:
    """A target and its options: what follows the last colon, if it is a list of name=value."""
    target, colon, tail = text.rpartition(":")
    if not colon or not OPTION_LIST.fullmatch(tail):
        return text, {}
    pairs = (word.partition("=") for word in tail.split(","))
    return target, {name: unquote(value) for name, _, value in pairs}


def _quoted(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return quote(f"{value:g}" if isinstance(value, float) else str(value), safe="/._-+")


def title_of(game: str) -> str:
    """A game's name for tables: of a referee's full name its title, or the last of its target."""
    if not game.startswith(f"{SCHEME}:"):
        return game
    found = parse(game)
    return str(found.options["title"]) or found.target.rpartition("/")[2]


def with_players(name: str, players: int) -> str:
    """The name of the same referee for another number of players."""
    if not name.startswith(f"{SCHEME}:"):
        raise unknown("referee", name, [])
    return str(parse(name).with_options(players=players))
