"""The name of an external referee: its protocol, its program, and the options to start it with.

    referee:path/to/referee.jar               CodinGame's engine in a jar, or in the folder of its Maven project
    referee:cmd:python3 fake.py               any program that speaks the engine's protocol, started for each game
    referee:old:java -jar old.jar             brutaltester's line protocol (its "old" mode)
    referee:brutaltester:java -jar x.jar      a program that runs the bots itself and prints scores
    referee:psyleague:python3 play_game.py    a script that runs the bots itself and prints JSON

Options follow a last colon, like those of a bot: `referee:x.jar:players=3,league=4`. In a value, special characters
are written %XX. A name holds all that a worker on another machine needs; a file `referees.toml` beside the store gives
short names to such names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from podium.errors import PodiumError
from podium.model.params import Parameter, Value, read_values

SCHEME = "referee"
ENGINE, PROGRAM, LINES, BRUTALTESTER, PSYLEAGUE = "", "cmd", "old", "brutaltester", "psyleague"
CONTRACTS = (PROGRAM, LINES, BRUTALTESTER, PSYLEAGUE)
SETTING, PROPERTY = "set.", "-D"  # prefixes of options: a parameter of the game, a Java system property
MOST_PLAYERS = 9  # the most that the engine was tried with

OPTION_LIST = re.compile(r"[A-Za-z-][^\s,=:]*=[^\s,:]*(,[A-Za-z-][^\s,=:]*=[^\s,:]*)*")

COMMON = (
    Parameter("players", 2, "number of players", 2, MOST_PLAYERS),
    Parameter("title", "", "name shown to people"),
    Parameter("scene", "", "a scene.js that draws its games"),
    Parameter("patience", 150.0, "timeout in seconds, for a message of a referee or a game of a script", 0.01, 1e6),
)
LEAGUE = Parameter("league", 0, "league level; it may change rules and input (0: the referee's default)", 0, 99)
PIPE = (
    Parameter("times", "judged", "times reported to engines from 4.6 on", choices=("judged", "measured")),
    Parameter("views", True, "store the data of the contest's viewer"),
)
JAVA = (
    Parameter("memory", 512, "heap of the JVM (MB)", 16, 1 << 20),
    Parameter("java", "java", "the Java program"),
    Parameter("warm", True, "one JVM plays many games"),
)
LIMITS = (
    Parameter("first", 1000.0, "limit of a player's first answer (ms)", 1, 1e6),
    Parameter("later", 100.0, "limit of each later answer (ms)", 1, 1e6),
)


def _seeds(*ways: str) -> Parameter:
    return Parameter("seeds", "auto", "how a seed is passed (auto: found by trying)", choices=("auto", *ways, "none"))


OPTIONS: dict[str, tuple[Parameter, ...]] = {
    ENGINE: (*COMMON, LEAGUE, *PIPE, *JAVA),
    PROGRAM: (*COMMON, *PIPE),
    LINES: (*COMMON, *LIMITS, _seeds("line")),
    BRUTALTESTER: (*COMMON, LEAGUE, _seeds("d", "seed")),
    PSYLEAGUE: COMMON,
}


@dataclass(frozen=True)
class RefereeName:
    """The parsed name of a referee."""

    contract: str
    target: str  # a path, or a command
    given: tuple[tuple[str, Value], ...] = ()  # the options that differ from their defaults, sorted
    settings: tuple[tuple[str, str], ...] = ()  # parameters of the game
    properties: tuple[tuple[str, str], ...] = ()  # Java system properties

    @property
    def options(self) -> dict[str, Value]:
        """All options of the protocol with their values."""
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
    """The referee of a name; PodiumError if the text is not a referee's name."""
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
    """A referee from its parts, with options as texts; PodiumError for what the protocol does not know."""
    settings = {name.removeprefix(SETTING): value for name, value in options.items() if name.startswith(SETTING)}
    properties = {name.removeprefix(PROPERTY): value for name, value in options.items() if name.startswith(PROPERTY)}
    if settings and contract not in (ENGINE, PROGRAM):
        raise PodiumError(f"a referee of the kind {contract} takes no parameters of the game")
    if properties and contract != ENGINE:
        raise PodiumError(f"a referee of the kind {contract} is started by your own command: put -D into it")
    others = {name: value for name, value in options.items() if not name.startswith((SETTING, PROPERTY))}
    return RefereeName(
        contract, target, _given(contract, others), tuple(sorted(settings.items())), tuple(sorted(properties.items()))
    )


def _given(contract: str, options: Mapping[str, object]) -> tuple[tuple[str, Value], ...]:
    known = {option.name: option for option in OPTIONS[contract]}
    values = read_values("option of a referee", known.values(), options.items())
    return tuple(sorted((name, value) for name, value in values.items() if value != known[name].default))


def _split(text: str) -> tuple[str, dict[str, str]]:
    """A target and its options: the text after the last colon, if it is a list of name=value."""
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
    """A game's name for tables: of a referee its title, or the last part of its target."""
    if not game.startswith(f"{SCHEME}:"):
        return game
    found = parse(game)
    league = dict(found.given).get("league")
    title = str(found.options["title"]) or found.target.rpartition("/")[2]
    return f"{title}, league {league}" if league else title
