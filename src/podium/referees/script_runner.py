"""Scripts that run the bots themselves and report only the result: brutaltester's and psyleague's.

The arena passes the bots' commands, and the seed if the script accepts one. Clocks, faults and standard error of the
bots are the script's business; what it reports of them is stored.
"""

import json
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from podium.errors import PodiumError
from podium.games.game import Ending, Fault, Outcome, ranks_of
from podium.referees.channel import RefereeProcess, last_lines
from podium.referees.expulsion import expulsion
from podium.referees.messages import UNKNOWN_SEED, ExternalRefereeError

MOST_SEED = 2**31 - 1  # brutaltester's seeds are below this
TRIAL_SEED = 20_201_123
REPORT = "told"  # what a script reported, in the archive of a stored game
KEPT_LOG = 1 << 20  # characters of a game's log
JAR = "-jar"
PLACE = re.compile(r"(?P<folder>%DIR%/)?%(?P<name>ALL_PLAYERS|P[1-9])%(?P<extension>\.\w+)?")  # of a bot
SEEDINGS: dict[str, Callable[[int], list[str]]] = {
    "d": lambda seed: ["-d", f"seed={seed}"],
    "seed": lambda seed: ["-seed", str(seed)],
    "none": lambda seed: [],
}


@dataclass(frozen=True)
class ScriptResult:
    """The result of a game as a script reported it."""

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

    def play(self, seed: int, commands: Sequence[str]) -> ScriptResult:
        """Play a game; the seed of the result is the one that was really played, None if it is unknown."""
        seeding = self.seeds if self.seeds != "auto" else seeding_of(self, tuple(commands))
        result = self.run(seed % MOST_SEED, commands, seeding)
        if result.seed is None and seeding != "none":
            result = replace(result, seed=seed % MOST_SEED)  # the trial has shown that the jar uses it
        return result

    def run(self, seed: int, commands: Sequence[str], seeding: str) -> ScriptResult:
        """Play a game, passing the seed in one of the ways of SEEDINGS."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "game.json")
            players = [word for index, command in enumerate(commands, 1) for word in (f"-p{index}", command)]
            words = [*self._command(), *players, *SEEDINGS[seeding](seed)]
            words += ["-league", str(self.league)] if self.league and seeding == "seed" else []
            done = _run([*words, "-l", str(log)], self.patience)
            data = _log(log)
        scores, rest = _leading_scores(done.out, len(commands))
        if data.get("failCause"):
            raise ExternalRefereeError(f"the referee failed: {str(data['failCause']).strip().splitlines()[0]}")
        if len(scores) < len(commands):
            expected = f"the referee should print {len(commands)} scores, not {done.out[:200]!r}"
            raise ExternalRefereeError(f"{expected}; {done.complaint()}")
        report = "\n".join([*rest, str(data.get("uinput", ""))])
        found = re.search(r"^\s*seed=(-?\d{1,19})\s*$", report, re.M)
        kept = {name: data[name] for name in ("summaries", "tooltips", "uinput", "metadata") if data.get(name)}
        seed_played = int(found[1]) if found else None
        return ScriptResult(tuple(scores), seed_played, _expulsions(data, scores), _bounded({REPORT: kept}))

    def _command(self) -> list[str]:
        """The user's command, with the league as the Java property that most jars read."""
        words = list(self.argv)
        if self.league and JAR in words:
            words.insert(words.index(JAR), f"-Dleague.level={self.league}")
        return words


def _expulsions(log: Mapping[str, Any], scores: Sequence[float]) -> tuple[Fault, ...]:
    """The players that the referee disqualified, as the log of a game tells it."""
    outputs, summaries = log.get("outputs"), log.get("summaries")
    tooltips: dict[int, list[tuple[str, int]]] = {}
    for mark in log.get("tooltips") or ():
        with suppress(KeyError, TypeError, ValueError):
            tooltips.setdefault(int(mark["turn"]), []).append((str(mark["text"]), int(mark["event"])))
    told = {step: str(text) for step, text in enumerate(summaries if isinstance(summaries, list) else ()) if text}
    found = []
    for seat, score in enumerate(scores):
        answers = outputs.get(str(seat)) if isinstance(outputs, dict) else None
        # the first entry stands for the time before the game, the others for the steps
        given = [step for step, text in enumerate((answers or ())[1:]) if text is not None]
        found.append(expulsion(seat, score, given[-1] if given else -1, tooltips, told))
    return tuple(fault for fault in found if fault)


@cache
def seeding_of(script: Brutaltester, commands: tuple[str, ...]) -> str:
    """How a jar accepts a seed: each way is tried with the same seed twice, until one works.

    If the jar reports the seed that it played, that decides; if it reports none, both games must be the same.
    """
    failures: list[ExternalRefereeError] = []
    worked = False
    for way in ("d", "seed"):
        try:
            results = [script.run(TRIAL_SEED, commands, way) for _ in range(2)]
        except ExternalRefereeError as error:
            failures.append(error)
            continue
        worked = True
        seeds = {result.seed for result in results}
        if seeds == {TRIAL_SEED}:
            return way
        if seeds == {None} and results[0] == results[1] and results[0].archive == results[1].archive:
            return way
    if not worked:
        raise failures[0]
    return "none"


@dataclass(frozen=True)
class Psyleague:
    """A psyleague script: called with the bots' commands, it prints one JSON value."""

    argv: tuple[str, ...]
    patience: float = 150.0

    def play(self, seed: int, commands: Sequence[str]) -> ScriptResult:
        """Play the game or games of one call; the script chooses the seed."""
        done = _run(placed(self.argv, commands), self.patience)
        text = done.out.strip()
        if done.status:
            raise ExternalRefereeError(f"the script failed: {done.complaint()}")
        try:
            data = json.loads(text)
        except ValueError:
            raise ExternalRefereeError(f"the script should print one JSON value, not {text[:200]!r}") from None
        games = data if isinstance(data, list) else [data]
        return _combined(games, len(commands), text)


def placed(argv: Sequence[str], commands: Sequence[str]) -> list[str]:
    """A command with the bots in the place of %P1%, %P2%, ... and %ALL_PLAYERS%, or at its end if it has neither.

    A bot's command is a whole one, so it also stands for the folder and the extension in `%DIR%/%P1%.exe`.
    """
    words: list[str] = []
    for word in argv:
        chosen = commands if "%ALL_PLAYERS%" in word else commands[:1]
        words += [PLACE.sub(lambda place, own=command: _put(place, own, commands), word) for command in chosen]  # type: ignore[misc]
    if words == list(argv):
        words += commands
    return [word.replace("%DIR%", ".") for word in words]


def _put(place: re.Match[str], own: str, commands: Sequence[str]) -> str:
    folder, name, extension = place["folder"], place["name"], place["extension"] or ""
    command = own if name == "ALL_PLAYERS" else _at(commands, int(name[1:]))
    return command if folder or command.endswith(extension) else command + extension


def _at(commands: Sequence[str], place: int) -> str:
    if place > len(commands):
        raise PodiumError(f"the script has a place for player {place}, but the game has {len(commands)} players")
    return commands[place - 1]


def _combined(games: Sequence[Any], players: int, text: str) -> ScriptResult:
    """The games of one call as one: a player's score is the number of players ranked below it, over all of them."""
    scores = [0.0] * players
    errors = [0] * players
    for game in games:
        ranks = game.get("ranks") if isinstance(game, dict) else None
        if not (isinstance(ranks, list) and len(ranks) == players and all(isinstance(r, int | float) for r in ranks)):
            raise ExternalRefereeError(f"the script should print `ranks` of {players} players, not {text[:200]!r}")
        for seat, rank in enumerate(ranks):
            scores[seat] += sum(other > rank for other in ranks)
        failed = game.get("errors") or []
        for seat, number in enumerate(failed[:players] if isinstance(failed, list) else []):
            errors[seat] += bool(number)
    if not games:
        raise ExternalRefereeError("the script played no game")
    faults = tuple(
        Fault(seat, Ending.NO_ANSWER, 0, f"player {seat} failed, as the script reports")
        for seat, number in enumerate(errors)
        if number
    )
    seeds = [game["test_data"].get("seed") for game in games if isinstance(game.get("test_data"), dict)]
    seed = int(seeds[0]) if len(games) == 1 and seeds and re.fullmatch(r"-?\d{1,18}", str(seeds[0])) else None
    return ScriptResult(tuple(scores), seed, faults, _bounded({REPORT: games}))


def outcome_of(result: ScriptResult) -> Outcome:
    """The outcome of a game from what its script reported."""
    scores, faults = result.scores, result.faults
    why = "".join(f"; {fault.detail}" for fault in faults) + ("" if result.seed is not None else UNKNOWN_SEED)
    detail = " to ".join(f"{score:g}" for score in scores) + why
    ending = faults[0].code if len(faults) >= len(scores) - 1 > 0 else Ending.NORMAL
    return Outcome(scores, ranks_of(scores), ending, detail, "", faults, result.seed)


def command_text(argv: Sequence[str]) -> str:
    """A bot's command as one word for these scripts, which split it at blanks and know no quotes."""
    for word in argv:
        if not word or re.search(r"\s", word):
            raise PodiumError(
                f"the script splits a bot's command at blanks, so {shlex.join(argv)!r} cannot be passed to it"
            )
    return " ".join(argv)


def _leading_scores(out: str, players: int) -> tuple[list[float], list[str]]:
    """The scores (the first integers, one a line) and all other lines; brutaltester skips them too."""
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
class CompletedScript:
    """What a script that has ended left behind."""

    out: str
    status: int
    stderr: str

    def complaint(self) -> str:
        """Its exit status, and the end of its standard error."""
        stderr = last_lines(self.stderr)
        return f"it ended with status {self.status}{'; on standard error: ' if stderr else ''}{stderr}"


def _run(words: Sequence[str], patience: float) -> CompletedScript:
    """Run a script to its end, then kill its descendants; ExternalRefereeError after `patience` seconds."""
    script = RefereeProcess(words, reads_input=False)
    try:
        out, errors = script.popen.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        raise ExternalRefereeError(f"the script did not end within {patience:g} s") from None
    finally:
        script.end()
    return CompletedScript(out.decode("utf-8", "replace"), script.popen.returncode, errors.decode("utf-8", "replace"))
