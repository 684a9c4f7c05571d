"""Scripts that run the bots themselves and tell only the result: brutaltester's and psyleague's.

The arena hands them the bots' commands and the seed, if they take one. Clocks, faults and what bots write are theirs;
what they tell of it is kept.
"""

import json
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games.game import Ending, Fault, Outcome, ranks_of
from podium.referees.messages import UNKNOWN_SEED, ForeignError
from podium.referees.processes import RefereeProcess

MOST_SEED = 2**31 - 1  # brutaltester's seeds are below
TOLD_LINES = 8  # of standard error, in a reason
KEPT_LOG = 1 << 20  # characters of a game's log
JAR = "-jar"
SEEDINGS: dict[str, Callable[[int], list[str]]] = {
    "d": lambda seed: ["-d", f"seed={seed}"],
    "seed": lambda seed: ["-seed", str(seed)],
    "none": lambda seed: [],
}


@dataclass(frozen=True)
class Told:
    """What a script told of a game."""

    scores: tuple[float, ...]
    seed: int | None = None
    faults: tuple[Fault, ...] = ()
    archive: dict[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Brutaltester:
    """A jar with brutaltester's command line: `-p1 COMMAND -p2 COMMAND ... -d seed=N -l LOG`."""

    argv: tuple[str, ...]
    seeds: str = "auto"
    league: int = 0
    patience: float = 150.0

    def play(self, seed: int, commands: Sequence[str]) -> Told:
        """Play a game; the seed told is the one that was really played, None if nobody knows."""
        seeding = self.seeds if self.seeds != "auto" else seeding_of(self, tuple(commands))
        told = self.run(seed % MOST_SEED, commands, seeding)
        if told.seed is None and seeding != "none":
            told = replace(told, seed=seed % MOST_SEED)  # it was found to hold
        return told

    def run(self, seed: int, commands: Sequence[str], seeding: str) -> Told:
        """Play a game with one of the ways to hand a seed over."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "game.json")
            players = [word for index, command in enumerate(commands, 1) for word in (f"-p{index}", command)]
            words = [*self._command(), *players, *SEEDINGS[seeding](seed)]
            words += ["-league", str(self.league)] if self.league and seeding == "seed" else []
            ended = _run([*words, "-l", str(log)], self.patience)
            data = _log(log)
        scores, rest = _leading_scores(ended.out, len(commands))
        if data.get("failCause"):
            raise ForeignError(f"the referee failed: {str(data['failCause']).strip().splitlines()[0]}")
        if len(scores) < len(commands):
            due = f"the referee should print {len(commands)} scores, not {ended.out[:200]!r}"
            raise ForeignError(f"{due}; {ended.complaint()}")
        told = "\n".join([*rest, str(data.get("uinput", ""))])
        found = re.search(r"^\s*seed=(-?\d{1,19})\s*$", told, re.M)
        kept = {name: data[name] for name in ("summaries", "tooltips", "uinput", "metadata") if data.get(name)}
        return Told(tuple(scores), int(found[1]) if found else None, archive=_bounded({"told": kept}))

    def _command(self) -> list[str]:
        """The user's command, with the league as the property that most jars read."""
        words = list(self.argv)
        if self.league and JAR in words:
            words.insert(words.index(JAR), f"-Dleague.level={self.league}")
        return words


@cache
def seeding_of(script: Brutaltester, commands: tuple[str, ...]) -> str:
    """How a jar takes a seed: tried with the same seed twice for each way, until one holds.

    A jar that tells the seed it played settles it at once; one that tells none has to play the same game twice.
    """
    failures: list[ForeignError] = []
    worked = False
    for way in ("d", "seed"):
        try:
            told = [script.run(seed, commands, way) for seed in (20_201_123, 20_201_123)]
        except ForeignError as error:
            failures.append(error)
            continue
        worked = True
        seeds = {one.seed for one in told}
        if seeds == {20_201_123}:
            return way
        if seeds == {None} and told[0] == told[1] and told[0].archive == told[1].archive:
            return way
    if not worked:
        raise failures[0]
    return "none"


@dataclass(frozen=True)
class Psyleague:
    """A script of psyleague's: told the bots' commands, it prints one JSON value."""

    argv: tuple[str, ...]
    patience: float = 150.0

    def play(self, seed: int, commands: Sequence[str]) -> Told:
        """Play a game, or as many as the script plays at a time; the seed is the script's own."""
        ended = _run(placed(self.argv, commands), self.patience)
        text = ended.out.strip()
        if ended.status:
            raise ForeignError(f"the script failed: {ended.complaint()}")
        try:
            data = json.loads(text)
        except ValueError:
            raise ForeignError(f"the script should print one JSON value, not {text[:200]!r}") from None
        games = data if isinstance(data, list) else [data]
        return _told(games, len(commands), text)


def placed(argv: Sequence[str], commands: Sequence[str]) -> list[str]:
    """A command with the bots where psyleague puts them; at its end if it names no place."""
    words: list[str] = []
    for word in argv:
        if "%ALL_PLAYERS%" in word:
            words += [word.replace("%ALL_PLAYERS%", command) for command in commands]
        else:
            words.append(re.sub(r"%P([1-9])%", lambda place: _at(commands, int(place[1])), word))
    if words == list(argv):
        words += commands
    return [word.replace("%DIR%/", "").replace("%DIR%", ".") for word in words]


def _at(commands: Sequence[str], place: int) -> str:
    if place > len(commands):
        raise PodiumError(f"the script has a place for player {place}, but {len(commands)} play")
    return commands[place - 1]


def _told(games: Sequence[Any], players: int, text: str) -> Told:
    """The games of one call as one: a player's score is how many others it left behind, over all of them."""
    scores = [0.0] * players
    errors = [0] * players
    for game in games:
        ranks = game.get("ranks") if isinstance(game, dict) else None
        if not (isinstance(ranks, list) and len(ranks) == players and all(isinstance(r, int | float) for r in ranks)):
            raise ForeignError(f"the script should print `ranks` of {players} players, not {text[:200]!r}")
        for seat, rank in enumerate(ranks):
            scores[seat] += sum(other > rank for other in ranks)
        failed = game.get("errors") or []
        for seat, number in enumerate(failed[:players] if isinstance(failed, list) else []):
            errors[seat] += bool(number)
    if not games:
        raise ForeignError("the script played no game")
    faults = tuple(
        Fault(seat, Ending.NO_ANSWER, 0, f"player {seat} failed, as the script tells")
        for seat, number in enumerate(errors)
        if number
    )
    seeds = [game["test_data"].get("seed") for game in games if isinstance(game.get("test_data"), dict)]
    seed = int(seeds[0]) if len(games) == 1 and seeds and re.fullmatch(r"-?\d{1,18}", str(seeds[0])) else None
    return Told(tuple(scores), seed, faults, _bounded({"told": games}))


def outcome_of(told: Told) -> Outcome:
    """How the game ended."""
    result = " to ".join(f"{score:g}" for score in told.scores)
    why = "".join(f"; {fault.sentence}" for fault in told.faults) + ("" if told.seed is not None else UNKNOWN_SEED)
    ending = told.faults[0].ending if told.faults else Ending.FINISHED
    return Outcome(told.scores, ranks_of(told.scores), ending, f"{result}{why}", "", told.faults, told.seed)


def command_text(argv: Sequence[str]) -> str:
    """A bot's command as these scripts take it: they cut it at blanks and know no quotes."""
    for word in argv:
        if not word or re.search(r"\s", word):
            raise PodiumError(
                f"the script cuts a bot's command at blanks, so {shlex.join(argv)!r} cannot be handed over"
            )
    return " ".join(argv)


def _leading_scores(out: str, players: int) -> tuple[list[float], list[str]]:
    """The first integers, one a line; lines of another form between them are passed over, as brutaltester does."""
    scores: list[float] = []
    rest = []
    for line in out.splitlines():
        words = line.split()
        if len(scores) < players and words and re.fullmatch(r"-?\d{1,9}", words[0]):
            scores.append(float(words[0]))
        else:
            rest.append(line)
    return scores, rest


def _log(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        data = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        if isinstance(data, dict):
            return data
    return {}


def _bounded(data: dict[str, Any]) -> dict[str, Any]:
    return data if len(json.dumps(data)) <= KEPT_LOG else {}


@dataclass(frozen=True)
class Ended:
    """A script that has ended."""

    out: str
    status: int
    errors: str

    def complaint(self) -> str:
        """How it ended, and the last that it wrote to standard error."""
        said = "\n".join(self.errors.strip().split("\n")[-TOLD_LINES:])
        return f"it ended with status {self.status}{'; on standard error: ' if said else ''}{said}"


def _run(words: Sequence[str], patience: float) -> Ended:
    """Run a script to its end; ForeignError if it takes too long. It is killed with its children."""
    script = RefereeProcess(words, listens=False)
    try:
        out, errors = script.popen.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        raise ForeignError(f"the script did not end within {patience:g} s") from None
    finally:
        script.end()
    return Ended(out.decode("utf-8", "replace"), script.popen.returncode, errors.decode("utf-8", "replace"))
