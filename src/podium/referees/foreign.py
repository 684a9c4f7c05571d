"""A foreign referee as a game of the arena."""

import configparser
import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from podium.arena.commands import command_files
from podium.arena.fingerprint import digest, file_hash
from podium.errors import PodiumError
from podium.games.game import BotKind, Ending, Game, Limits, Outcome, Referee, Request, Scene, ranks_of
from podium.kernel.minds import Value
from podium.referees import names
from podium.referees.annals import Annals, annals_from, told
from podium.referees.channel import ProcessChannel
from podium.referees.engine import EngineReferee
from podium.referees.hosted import Brutaltester, Psyleague, command_text, outcome_of, seeding_of
from podium.referees.java import Machine, class_path_of, engine_version
from podium.referees.names import RefereeName
from podium.referees.old import OldReferee, knows_seeds
from podium.referees.registry import absolute

UNIMPORTANT = ("title", "scene", "patience", "memory", "java", "warm", "views")
USUAL = Limits(1000.0, 50.0)  # what most contests of the platform give
NOTHING = np.dtype([])  # the position is known to the referee alone


@dataclass(frozen=True)
class ForeignGame(Game):
    """A game whose rules are another program's. It has no bots: programs and the user's own classes play it."""

    known_by: RefereeName | None = None

    def kind(self, name: str) -> BotKind:
        """There is none."""
        raise PodiumError(f"{self.title} has no bot {name!r} of its own: name a program (cmd:./mybot)")

    def read_settings(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Parameters of the referee, whatever their names: it alone knows them."""
        assert self.known_by is not None
        if given and self.known_by.contract not in (names.ENGINE, names.PROGRAM):
            raise PodiumError(f"{self.title} takes no settings: its contract has no place for them")
        return {name: str(value) for name, value in given.items() if value is not None}


class Retold(Referee):
    """A stored game told again from its annals, without the program that refereed it."""

    def __init__(self, archive: Mapping[str, Any]) -> None:
        self.state: Any = None
        self.turn = 0
        self.outcome: Outcome | None = None
        self.annals: Annals = annals_from(archive)

    def requests(self) -> Sequence[Request]:
        """The player of the next step."""
        if self.turn >= len(self.annals.steps):
            self.outcome = self._end()
            return ()
        seat, wanted, limit, text = self.annals.steps[self.turn]
        return (Request(seat, text.split("\n") if text else [], limit, answers=wanted if limit > 0 else 0),)

    def answer(self, answers: Sequence[Any]) -> None:
        """Go on; what was answered is part of the record."""
        self.turn += 1

    def _end(self) -> Outcome:
        scores = tuple(self.annals.scores)
        ending = Ending.FINISHED if scores else Ending.VOID
        return Outcome(scores, ranks_of(scores), ending, "as the referee told it")


def scene(referee: Referee) -> Scene:
    """What the referee has told up to now, as plain data."""
    annals = getattr(referee, "annals", None) or Annals()
    step = referee.turn
    request = next(iter(referee.requests()), None)
    view = annals.views.get(step)
    last = max((told for told in {*annals.summaries, *annals.tooltips} if told <= step), default=step)
    return {
        "step": step,
        "news": last == step,  # whether the summary and the tooltips came with this step, or with an earlier one
        "summary": annals.summaries.get(last, ""),
        "tooltips": [list(mark) for mark in annals.tooltips.get(last, [])],
        "asked": None if request is None else request.seat,
        "input": [] if request is None else list(request.lines),
        "view": _json(view) if view else None,
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def picture(position: Scene) -> Any:
    """What happened before a step, for the terminal."""
    from rich.text import Text

    players = [f"player {seat}" for seat in range(names.MOST_PLAYERS)]
    lines = [told(position["summary"], players)] if position["summary"] else []
    lines += [f"* {players[seat]}: {told(text, players)}" for text, seat in position["tooltips"] if text]
    return Text("\n".join(lines), style="green")


def no_prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Where a prompt ends only the referee knows."""
    raise PodiumError("a game of a foreign referee has no bots of its own to speak for")


def resolve(name: str) -> Game:
    """The game that a referee's full name stands for."""
    return _game(str(absolute(name)))


def absent(name: str) -> Game:
    """The same for games that were played, where the referee is gone: they can be told, and not be played again."""
    found = names.parse(name)

    def referee(seed: int, **settings: str) -> Referee:
        return resolve(name).new_referee(seed, settings)  # says what is missing

    return ForeignGame(
        title=names.title_of(name), source=f"the referee {found.target}", referee=referee, **_common(found, name)
    )


def _common(found: RefereeName, name: str) -> dict[str, Any]:
    """What all foreign games have in common."""
    return {
        "name": name,
        "seats": int(found.options["players"]),
        "limits": USUAL,
        "state": NOTHING,
        "settings": (),
        "bots": {},
        "prompts": no_prompts,
        "scene": scene,
        "picture": picture,
        "retold": Retold,
        "known_by": found,
    }


@cache
def _game(name: str) -> Game:
    found = names.parse(name)
    players = int(found.options["players"])
    common = {**_common(found, name), "drawing": _drawing(found)}
    title = str(found.options["title"])
    if found.contract == names.ENGINE:
        return _engine_game(found, players, title, common)
    argv = command(found)
    common["fingerprint"] = digest("referee", *argv, *command_files(argv), rules_text(found))
    common["title"] = title or found.target
    common["source"] = f"the program {found.target}"
    if found.contract == names.PROGRAM:
        return ForeignGame(referee=_piped(found, players, lambda: _program(found, argv)), **common)
    if found.contract == names.OLD:
        limits = Limits(float(found.options["first"]), float(found.options["later"]))
        return ForeignGame(referee=_old(found, argv, players, limits), **{**common, "limits": limits})
    return _hosted_game(found, argv, common)


def _engine_game(found: RefereeName, players: int, title: str, common: Mapping[str, Any]) -> Game:
    path = Path(found.target)
    class_path = class_path_of(path)
    check_players(path, players)
    league = int(found.options["league"])
    properties = (*((("league.level", str(league)),) if league else ()), *found.properties)
    machine = Machine(
        class_path,
        properties,
        int(found.options["memory"]),
        str(found.options["java"]),
        float(found.options["patience"]),
        bool(found.options["warm"]),
    )
    version = engine_version(class_path)
    contents = [hash_ for part in class_path for hash_ in _contents(Path(part))]
    return ForeignGame(
        title=title or path.stem,
        source=f"the referee {path.name}" + (f", engine {version}" if version else ""),
        referee=_piped(found, players, machine.channel),
        fingerprint=digest("referee", *contents, rules_text(found)),
        **common,
    )


def rules_text(found: RefereeName) -> str:
    """What of a name makes other games: neither where the referee lies, nor what only people or this machine see."""
    options = [pair for pair in found.given if pair[0] not in UNIMPORTANT]
    return repr((found.contract, options, found.settings, found.properties))


def _contents(part: Path) -> list[str]:
    files = [part] if part.is_file() else sorted(file for file in part.rglob("*") if file.is_file())
    return [file_hash(file) for file in files]


def _piped(found: RefereeName, players: int, channel: Callable[[], ProcessChannel]) -> Callable[..., Referee]:
    """What makes a referee that is spoken to over the engine's pipe."""
    measured = found.options["times"] == "measured"

    def referee(seed: int, **settings: str) -> Referee:
        made = EngineReferee(channel(), players, seed, {**dict(found.settings), **settings}, measured)
        made.annals.keep_views = bool(found.options["views"])
        return made

    return referee


def _program(found: RefereeName, argv: Sequence[str]) -> ProcessChannel:
    return ProcessChannel(argv, float(found.options["patience"]))


def _old(found: RefereeName, argv: tuple[str, ...], players: int, limits: Limits) -> Callable[..., Referee]:
    def referee(seed: int) -> Referee:
        seeds = found.options["seeds"]
        given = seeds == "line" or (seeds == "auto" and knows_seeds(argv, players))
        return OldReferee(_program(found, argv), players, seed % (2**31 - 1) if given else None, limits)

    return referee


def _hosted_game(found: RefereeName, argv: tuple[str, ...], common: Mapping[str, Any]) -> Game:
    patience, players = float(found.options["patience"]), int(found.options["players"])
    script: Brutaltester | Psyleague
    if found.contract == names.BRUTALTESTER:
        script = Brutaltester(argv, str(found.options["seeds"]), int(found.options["league"]), patience)
    else:
        script = Psyleague(argv, patience)

    def host(seed: int, commands: Sequence[Sequence[str]]) -> tuple[Outcome, Mapping[str, Any]]:
        result = script.play(seed, [command_text(words) for words in commands])
        return outcome_of(result), result.archive

    def caveats(commands: Sequence[Sequence[str]]) -> list[str]:
        return _caveats(script, players, [command_text(words) for words in commands])

    return ForeignGame(referee=_no_referee, host=host, caveats=caveats, **common)


def _no_referee(seed: int) -> Referee:
    raise PodiumError("this referee runs the bots itself; its games can be played, but not followed step by step")


def _caveats(script: Brutaltester | Psyleague, players: int, bots: Sequence[str]) -> list[str]:
    """What such a contract cannot promise, in plain words."""
    commands = (*bots, *[bots[-1]] * players)[:players]
    said = ["the script runs the bots itself: time limits, faults and standard error are its own, not the arena's"]
    if isinstance(script, Psyleague):
        said.append("the script chooses its seeds: the games of a pair have swapped seats, but not the same seed")
    elif (script.seeds if script.seeds != "auto" else seeding_of(script, tuple(commands))) == "none":
        said.append("the jar ignores its seed: the games of a pair have swapped seats, but not the same seed")
    return said


def command(found: RefereeName) -> tuple[str, ...]:
    """The words of a referee's command, the program itself by its full path."""
    try:
        words = shlex.split(found.target)
    except ValueError as error:
        raise PodiumError(f"{found.target!r} cannot be split into words: {error}") from None
    path = shutil.which(words[0]) if words else None
    if path is None:
        raise PodiumError(
            f"cannot start the referee {found.target!r}: {words[0] if words else 'nothing'} was not found"
        )
    return (str(Path(path).absolute()), *words[1:])


def check_players(path: Path, players: int) -> None:
    """Refuse a number of players that the contest's own configuration excludes, where it lies near the jar."""
    for folder in (path, *list(path.parents)[:2]):
        file = folder / "config" / "config.ini"
        if not file.is_file():
            continue
        config = configparser.ConfigParser(strict=False, interpolation=None)
        try:
            config.read_string("[game]\n" + file.read_text(encoding="utf-8", errors="replace"))
            low, high = (config["game"].getint(f"{end}_players", players) for end in ("min", "max"))
        except (OSError, configparser.Error, ValueError):
            return
        if low is not None and high is not None and not low <= players <= high:
            told_range = str(low) if low == high else f"{low} to {high}"
            raise PodiumError(f"{path.name} is played by {told_range} (config.ini), not by {players}: give --players")
        return


def _drawing(found: RefereeName) -> Path | None:
    text = str(found.options["scene"])
    if not text:
        return None
    path = Path(text)
    if not path.is_file():
        raise PodiumError(f"there is no file {path} that could draw the games of this referee")
    return path
