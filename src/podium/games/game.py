"""What a game is for the rest of the program.

A game is one folder that offers a `GAME`: a referee to play it under, bots by name, pictures, and what its
recordings hold. The contract fits alternating and simultaneous moves, any number of seats and hidden information:

* The **referee** owns the full state. It says whom to ask now, each with the lines that seat may see; a turn with
  simultaneous moves has several requests at once. Answers go in together, in the order of the requests.
* A **bot** sees nothing but those lines, and answers one line. So it can never look through the fog, and a program in
  any language is a bot.
* Time is measured by whoever runs the game: the referee says the contest's limit with each request, and is told how
  long the answer took. A late answer is handed to it as no answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from podium.errors import PodiumError, unknown
from podium.games.drawing import Choice, Sketch
from podium.kernel.budget import Budget as Budget  # re-exported: what a bot is given with a prompt
from podium.kernel.minds import MindType, Parameter, Value, read_values

Scene = dict[str, Any]  # a position as plain data (what json can write), for pictures


class Ending(Enum):
    """Why a game, or a seat's part in it, came to its end."""

    FINISHED = "finished"  # by the rules of the game
    TURN_LIMIT = "turn limit"
    SURRENDER = "surrender"
    NO_ANSWER = "no answer"  # late, silent or dead
    MALFORMED = "malformed"  # not of the form of an answer
    ILLEGAL = "illegal"  # well formed, but against the rules
    VOID = "void"  # the referee itself failed: nobody won


class MalformedError(ValueError):
    """An answer that is not of the form that the protocol asks for."""


class IllegalError(ValueError):
    """A well-formed answer that the rules forbid."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A contest's time limits in milliseconds: for the first answer and each later one, or for all together."""

    first: float
    later: float
    bank: bool = False  # `first` is for all answers of a game together


@dataclass(frozen=True, slots=True)
class Request:
    """A seat that has to answer now."""

    seat: int
    lines: Sequence[str]  # what it is sent, including the lines that come once before its first turn
    milliseconds: float  # the contest's limit for this answer
    bank: bool = False  # the limit is what is left for all answers of the game
    answers: int = 1  # lines of the answer; 0: the seat is told something, and nobody waits


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a request."""

    line: str | None  # None: nothing in time; several lines are separated by LF
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat put out, and why."""

    seat: int
    ending: Ending
    turn: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    scores: tuple[float, ...]
    ranks: tuple[int, ...]  # 1 is best; equal scores share the better rank
    ending: Ending
    sentence: str  # for people
    note: str = ""  # the word that recordings use for the ending, where it is a fixed one
    faults: tuple[Fault, ...] = ()
    seed: int | None = None  # what was really played, where that is the referee's choice


def ranks_of(scores: Sequence[float]) -> tuple[int, ...]:
    """The rank of each score: 1 + the number of higher ones."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


class Referee(ABC):
    """One game in progress. Deterministic: the same seed, settings and answers give the same game."""

    state: Any  # the full state, a record of the game's State
    turn: int  # how many times `answer` was called
    outcome: Outcome | None  # None while the game goes on

    @abstractmethod
    def requests(self) -> Sequence[Request]:
        """Whom to ask now; empty when the game is over. Calling it again changes nothing."""

    @abstractmethod
    def answer(self, answers: Sequence[Answer]) -> None:
        """Judge and play the answers to the present requests, in their order."""

    def farewell(self, seat: int) -> Sequence[str]:
        """What a seat is sent after the end."""
        return ()

    def chronicle(self) -> Mapping[str, Any]:
        """What recordings of this game hold beside prompts and result, by their keys."""
        return {}

    def archive(self) -> Mapping[str, Any]:
        """What a stored game has to keep as plain data, because playing it again may not be possible."""
        return {}

    def close(self) -> None:  # noqa: B027 - most referees hold nothing
        """Leave the game, over or not; closing it again does nothing."""


@dataclass(slots=True)
class Option:
    """A move that a bot considered."""

    move: str
    value: float  # the bot's opinion, in the unit that `Thoughts.unit` names
    visits: int = 0
    proof: str = ""  # "win", "loss" or "draw" if it is proven
    line: list[str] = field(default_factory=list)  # how it expects the game to go on


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a bot thinks of an answer that was really given."""

    answer: str  # what it would have answered itself
    thoughts: "Thoughts | None"  # why
    value: float | None  # of its own move, where it has an opinion of moves at all
    played: float | None  # of the move that was played, seen as deep as its own; None if it was none, or is not seen
    line: list[str] = field(default_factory=list)  # how it expects the game to go on after the played move


@dataclass(slots=True)
class Thoughts:
    """What a bot thought before it answered."""

    value: float | None = None
    unit: str = "points"
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    line: list[str] = field(default_factory=list)  # the expected moves, its own first
    options: list[Option] = field(default_factory=list)  # best first
    note: str = ""
    beliefs: dict[str, Any] = field(default_factory=dict)  # what it deduced of things it cannot see

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


class Bot(ABC):
    """A player: it reads the lines of the contest's protocol and answers one line. One object plays one game."""

    thoughts: Thoughts | None = None  # of the last answer

    def warm_up(self) -> None:  # noqa: B027 - a bot without kernels has nothing to do here
        """Compile, or load from the cache, all that `reply` will need; the bot is as new afterwards."""

    @abstractmethod
    def reply(self, lines: Sequence[str], budget: Budget) -> str:
        """The answer to a prompt."""

    def follow(self, lines: Sequence[str], line: str) -> None:
        """Be told a prompt and what was really answered to it, without thinking: to join a game later on."""
        raise PodiumError(f"{type(self).__name__} cannot join a game that it has not played from the start")

    def judge(self, lines: Sequence[str], line: str | None, budget: Budget) -> Judgement:
        """Think about a prompt as if it were asked, and about what was really answered to it; then follow that."""
        raise PodiumError(f"{type(self).__name__} has no opinion of what others answer")


def can_follow(bot: object) -> bool:
    """Whether a bot says how it is told of a game that it has not played from the start."""
    return getattr(type(bot), "follow", Bot.follow) is not Bot.follow


@dataclass(frozen=True)
class BotKind:
    """A bot by name: its parameters, and how to make one that plays a game."""

    name: str
    summary: str
    minds: MindType
    make: Callable[[Any, int], Bot]  # (mind, seed of its random choices)

    def bot(self, changes: Mapping[str, Value] | None = None, seed: int = 0) -> Bot:
        """A bot for one game."""
        return self.make(self.minds.mind(changes), seed)


@dataclass(frozen=True)
class Benchmark:
    """Something to count per second. `run` works for about so many seconds and says how much it counted and how
    long it really took; it is called once with a tiny time first, so that compiling is not counted."""

    name: str
    counted: str  # what one unit is
    run: Callable[[float], tuple[int, float]]


@dataclass(frozen=True)
class Findings:
    """What a study found: a table, and what it says in a sentence."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    sentence: str = ""


@dataclass(frozen=True)
class Study:
    """A measurement that a table tells better than a rate; `podium bench GAME --study NAME` runs it."""

    summary: str
    run: Callable[[float], Findings]  # told for about how many seconds, where that is its choice
    quick: bool = False  # part of every `podium bench GAME`


@dataclass(frozen=True)
class MakeOptions:
    """What a maker of opening knowledge is given; `run` maps a module-level function over independent jobs."""

    path: Path
    nodes: int  # per position or per answer
    games: int
    seed: int
    announce: Callable[[str, int], None]  # what comes next, and how many jobs it has
    run: Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]


@dataclass(frozen=True)
class Maker:
    """A way to make opening knowledge, kept in a file of the game's data folder."""

    summary: str
    file: str
    make: Callable[[MakeOptions], None]
    nodes: int  # default
    games: int = 0  # default


@dataclass(frozen=True)
class Learning:
    """What a game of two players offers to a learner, besides the generic functions `features` and `omens`."""

    inputs: int  # of a network
    usually_on: int  # of these, in a position
    omens: int = 0  # what a network may learn to foretell
    # The symmetries: where each moves the moves, inputs and omens, [symmetry, number]; the first leaves all in place.
    symmetries: Callable[[], tuple[Any, Any, Any]] | None = None
    opponents: tuple[str, ...] = ("random",)  # bots to measure a network against
    practice: Mapping[str, Value] = field(default_factory=dict)  # parameters of self-play that suit the game


@dataclass(frozen=True)
class Analysis:
    """A position and what a bot thinks of it."""

    scene: Scene
    thoughts: Thoughts


# A seed, and the command of each seat's program; the outcome, and what to keep of the game as plain data.
Host = Callable[[int, Sequence[Sequence[str]]], tuple[Outcome, Mapping[str, Any]]]


@dataclass(frozen=True)
class Game:
    """A game, as the rest of the program sees it."""

    name: str
    title: str
    source: str  # the contest
    seats: int
    limits: Limits
    state: np.dtype
    referee: Callable[..., Referee]  # (seed, **settings)
    settings: Sequence[Parameter]  # what may differ from game to game, beside the seed
    bots: Mapping[str, BotKind]
    prompts: Callable[[Callable[[], str]], Iterator[list[str]]]  # cuts a stream of lines, which ends in EOFError
    scene: Callable[[Referee], Scene]
    picture: Callable[[Scene], Any]  # a scene for the terminal, as something that rich can print
    benchmarks: Callable[[], Sequence[Benchmark]] = tuple
    studies: Mapping[str, Study] = field(default_factory=dict)
    makers: Mapping[str, Maker] = field(default_factory=dict)  # of opening knowledge
    analyze: Callable[[Sequence[str], BotKind, Mapping[str, Value], Budget], Analysis] | None = None
    seen: Callable[[Referee, int], Scene] | None = None  # a position as a seat may see it; None: nothing is hidden
    choices: Callable[[Referee, int], Sequence[Choice]] | None = None  # the answers that a person in a seat may give
    sketch: Callable[[Scene, int, Thoughts], Sketch] | None = None  # what a seat thought, drawn on the scene
    fingerprint: str = ""  # of the rules, where they are not those of Python sources
    drawing: Path | None = None  # the scene.js, where it is not in the game's folder
    retold: Callable[[Mapping[str, Any]], Referee] | None = None  # a stored game told again from its archive
    host: Host | None = None  # plays whole games by itself, where the arena cannot run the bots
    caveats: Callable[[Sequence[Sequence[str]]], Sequence[str]] | None = None  # of a host, told the bots' commands
    view: Callable[[], Any] | None = None  # makes a `podium.games.follow.View`, for one seat of one game
    learning: Callable[[], Learning] | None = None
    # What searches and tools must know of the rules before they see a position; 0: not told.
    most_moves: int = 0  # legal at once, at most
    codes: int = 0  # moves are whole numbers from 0 to below this
    most_plies: int = 0  # of a game, at most; in a turn of simultaneous moves each seat's choice is a ply
    simultaneous: bool = False  # several seats choose at the same time; searched one after the other
    hidden: bool = False  # seats know less than the state holds

    @property
    def begins_anywhere(self) -> bool:
        """Whether a game can begin in a stored position: the same answers lead its referee there again."""
        return self.host is None and self.retold is None

    def kind(self, name: str) -> BotKind:
        """The bot of that name."""
        if name not in self.bots:
            raise unknown(f"bot of {self.name}", name, self.bots)
        return self.bots[name]

    def named(self, spec: str) -> tuple[BotKind, dict[str, Value]]:
        """The bot and the changed parameters that `name` or `name:parameter=value,...` stands for."""
        name, _, text = spec.partition(":")
        kind = self.kind(name)
        return kind, kind.minds.parse(text)

    def read_settings(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Settings as their types, from texts or plain data; what is not given (or None) is left to the seed."""
        present = ((name, value) for name, value in given.items() if value is not None)
        return read_values(f"setting of {self.name}", self.settings, present)

    def settings_among(self, params: Mapping[str, object]) -> dict[str, Value]:
        """The settings in a recording's params, which also tell what the seed drew."""
        known = {setting.name for setting in self.settings}
        return self.read_settings({name: value for name, value in params.items() if name in known})

    def new_referee(self, seed: int, settings: Mapping[str, Any] | None = None) -> Referee:
        """A referee at the start of a game."""
        if not -(2**63) <= seed < 2**63:
            raise PodiumError(f"a seed is a signed 64-bit integer, not {seed}")
        return self.referee(seed, **self.read_settings(settings or {}))
