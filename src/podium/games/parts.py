"""The parts of a game: its contest, pictures, tools, learning, and what an external referee adds."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.games.contract import BotKind, Budget, Limits, Outcome, Referee, Scene, Thoughts
from podium.games.overlays import Choice, Sketch
from podium.model.params import Parameter, Value


@dataclass(frozen=True)
class Benchmark:
    """A rate to measure. `run(seconds)` works for about that time and returns a count and the seconds it really took.

    It is called once with a tiny time first, so that compiling is not counted.
    """

    name: str
    counted: str  # what is counted: one unit of the rate
    run: Callable[[float], tuple[int, float]]

    def rate(self, seconds: float) -> float:
        """Units per second of the processor's time, so that other programs on the machine do not lower it."""
        wall, own = time.perf_counter(), time.process_time()
        count, elapsed = self.run(seconds)
        share = (time.process_time() - own) / (time.perf_counter() - wall)  # of the processor that it had
        return count / (elapsed * min(share, 1.0))


@dataclass(frozen=True)
class Findings:
    """The result of a study: a table, and a sentence that sums it up."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    sentence: str = ""


@dataclass(frozen=True)
class Study:
    """A measurement whose result is a table; `podium bench GAME --study NAME` runs it."""

    summary: str
    run: Callable[[float], Findings]  # (seconds to work for, about; a study of fixed size ignores it)
    quick: bool = False  # part of every `podium bench GAME`


@dataclass(frozen=True)
class MakeOptions:
    """The options of a maker of opening knowledge; `run` maps a module-level function over independent jobs."""

    path: Path
    nodes: int  # per position or per answer
    games: int
    seed: int
    announce: Callable[[str, int], None]  # (what is made next, number of its jobs)
    run: Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]]


@dataclass(frozen=True)
class Maker:
    """A way to make opening knowledge, such as a book, which is stored in the game's folder `data`."""

    summary: str
    file: str
    make: Callable[[MakeOptions], None]
    nodes: int  # default
    games: int = 0  # default


@dataclass(frozen=True)
class Learning:
    """What a game of two players offers to a learner, besides the hooks `features` and `auxiliary_targets`."""

    inputs: int  # of a network
    usually_on: int  # number of inputs that are on in an average position
    auxiliary_targets: int = 0  # their number
    # Permutations of moves, inputs and auxiliary targets, each [symmetry, index]; the first is the identity.
    symmetries: Callable[[], tuple[Any, Any, Any]] | None = None
    opponents: tuple[str, ...] = ("random",)  # bots that networks are measured against
    self_play: Mapping[str, Value] = field(default_factory=dict)  # self-play parameters that suit the game


@dataclass(frozen=True)
class Analysis:
    """A position with a bot's thoughts about it."""

    scene: Scene
    thoughts: Thoughts


@dataclass(frozen=True)
class Contest:
    """A game as its contest plays it: who sits where, how long they may think, and who judges."""

    title: str
    source: str  # the contest
    seats: int
    limits: Limits
    referee: Callable[..., Referee]  # (seed, **settings)
    prompts: Callable[[Callable[[], str]], Iterator[list[str]]]  # splits lines until EOFError
    settings: Sequence[Parameter] = ()  # what may differ from game to game, besides the seed
    attributes: Callable[[Any], Mapping[str, float | str]] | None = None  # (first state): what the seed drew, by name
    seat_names: Sequence[str] = ()  # what the referee's sentences call the seats, where not by number


@dataclass(frozen=True)
class Pictures:
    """How positions are shown in the terminal and on pages."""

    scene: Callable[..., Scene]  # (state, **history): a position as plain data; a referee knows the history
    picture: Callable[[Scene], Any]  # a scene for the terminal: anything that rich can print
    choices: Callable[..., Sequence[Choice]] | None = None  # (state, seat, **history): answers that a person may click
    seen: Callable[[Scene, int], Scene] | None = None  # what a seat may see of a scene; None: everything
    sketch: Callable[[Scene, int, Thoughts], Sketch] | None = None  # a seat's thoughts as overlays
    scene_js: Path | None = None  # the scene.js, if it is not in the game's folder


@dataclass(frozen=True)
class Tools:
    """What a game offers besides playing: measurements, opening knowledge, analysis of positions that a user types."""

    benchmarks: Callable[[], Sequence[Benchmark]] = tuple
    studies: Mapping[str, Study] = field(default_factory=dict)
    makers: Mapping[str, Maker] = field(default_factory=dict)  # of opening knowledge
    position: Callable[[Sequence[str]], Any] | None = None  # the state that words stand for; None: they are moves
    analyze: Callable[[Sequence[str], BotKind, Mapping[str, Value], Budget], Analysis] | None = None


# (seed, command of each seat's program) -> (outcome, what the store keeps of the game, as plain data)
ScriptRunner = Callable[[int, Sequence[Sequence[str]]], tuple[Outcome, Mapping[str, Any]]]


@dataclass(frozen=True)
class External:
    """What the referee of a game adds if it is a program of its own."""

    fingerprint: str = ""  # of the rules, if they are not Python sources
    from_transcript: Callable[[Mapping[str, Any]], Referee] | None = None  # replays a stored game from its archive
    script_runner: ScriptRunner | None = None  # runs whole games, bots included, where the arena cannot run the bots
    caveats: Callable[[Sequence[Sequence[str]]], Sequence[str]] | None = None  # of a host, for the bots' commands
    program: Callable[[str], tuple[str, ...] | None] | None = None  # the command of a bot in the contest's folder
