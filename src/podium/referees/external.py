"""A game whose referee is an external program, as a game of the arena."""

import json
import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from podium.arena.entrants.command_files import command_files
from podium.arena.entrants.fingerprint import digest, file_hash
from podium.errors import PodiumError
from podium.games.game import (
    Annulment,
    BotKind,
    Contest,
    Ending,
    External,
    Game,
    Limits,
    Outcome,
    Pictures,
    Referee,
    Request,
    Scene,
    annulled,
    ranks_of,
)
from podium.model.params import Value
from podium.referees import names
from podium.referees.channel import ProcessChannel
from podium.referees.contest_bots import contest_bot
from podium.referees.contest_folder import MULTIPLAYER, ContestFolder, contest_folder
from podium.referees.engine import EngineReferee
from podium.referees.java import JvmSpec, class_path_of, engine_version
from podium.referees.line_protocol import LineReferee, accepts_seeds
from podium.referees.names import RefereeName
from podium.referees.registry import absolute
from podium.referees.script_runner import Brutaltester, Psyleague, command_text, outcome_of, seeding_of
from podium.referees.transcript import Transcript, readable, transcript_from

NOT_RULES = ("title", "scene", "patience", "memory", "java", "warm", "views")  # options that change no game
SEED = "seed"  # a parameter that the arena gives
USUAL = Limits(1000.0, 50.0)  # what most contests of the platform give


@dataclass(frozen=True)
class ExternalGame(Game):
    """A game whose rules are those of an external program. It has no bots: programs and Python bots play it."""

    referee_name: RefereeName | None = None

    def kind(self, name: str) -> BotKind:
        """Raises PodiumError: such a game has no bots."""
        raise PodiumError(
            f"{self.title} has no bot {name!r}: name a program (cmd:./mybot) or a Python bot (py:mybot.py)"
        )

    def scene_of(self, referee: Referee, seat: int | None = None) -> Scene:
        """What the referee has sent up to now, as plain data."""
        return scene(referee)

    def read_settings(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Parameters of the referee under any name: only the referee knows which ones exist."""
        assert self.referee_name is not None
        if SEED in given:
            raise PodiumError(f"the seed is no setting of {self.title}; --seeds {given[SEED]} plays one exact seed")
        if given and self.referee_name.contract not in (names.ENGINE, names.PROGRAM):
            raise PodiumError(f"{self.title} takes no settings: its protocol cannot carry them")
        return {name: str(value) for name, value in given.items() if value is not None}

    def settings_among(self, params: Mapping[str, object]) -> dict[str, Value]:
        """All parameters of a recording but its seed, where the referee's protocol can carry them."""
        assert self.referee_name is not None
        if self.referee_name.contract not in (names.ENGINE, names.PROGRAM):
            return {}
        return self.read_settings({name: value for name, value in params.items() if name != SEED})


class TranscriptReferee(Referee):
    """Replays a stored game from its transcript, without the program that refereed it."""

    def __init__(self, archive: Mapping[str, Any]) -> None:
        self.state: Any = None
        self.turn = 0
        self.outcome: Outcome | None = None
        self.transcript: Transcript = transcript_from(archive)

    def requests(self) -> Sequence[Request]:
        """The player of the next step."""
        if self.turn >= len(self.transcript.steps):
            self.outcome = self._end()
            return ()
        seat, wanted, limit, text = self.transcript.steps[self.turn]
        return (Request(seat, text.split("\n") if text else [], limit, answers=wanted if limit > 0 else 0),)

    def answer(self, answers: Sequence[Any]) -> None:
        """Go to the next step; the stored record holds the answers."""
        self.turn += 1

    def _end(self) -> Outcome:
        scores = tuple(self.transcript.scores)
        if not scores:
            return annulled(0, Annulment.NO_RESULT, "")
        return Outcome(scores, ranks_of(scores), Ending.NORMAL, "as the referee reported it")


def scene(referee: Referee) -> Scene:
    """What the referee has sent up to now, as plain data."""
    transcript = getattr(referee, "transcript", None) or Transcript()
    step = referee.turn
    request = next(iter(referee.requests()), None)
    view = transcript.views.get(step)
    last = max((at for at in {*transcript.summaries, *transcript.tooltips} if at <= step), default=step)
    return {
        "step": step,
        "news": last == step,  # whether the summary and the tooltips came with this step, or with an earlier one
        "summary": transcript.summaries.get(last, ""),
        "tooltips": [list(mark) for mark in transcript.tooltips.get(last, [])],
        "asked": None if request is None else request.seat,
        "input": [] if request is None else list(request.lines),
        "view": _json(view) if view else None,
    }


def _no_scene(state: Any) -> Scene:
    raise PodiumError("only the program of an external referee knows its positions: there is no state to show")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def picture(position: Scene) -> Any:
    """Summary and tooltips of a position, for the terminal."""
    from rich.text import Text

    players = [f"player {seat}" for seat in range(names.MOST_PLAYERS)]
    lines = [readable(position["summary"], players)] if position["summary"] else []
    lines += [f"* {players[seat]}: {readable(text, players)}" for text, seat in position["tooltips"] if text]
    return Text("\n".join(lines), style="green")


def no_prompts(read: Callable[[], str]) -> Iterator[list[str]]:
    """Raises PodiumError: only the referee knows where a prompt ends."""
    raise PodiumError("a game of an external referee has no bots that could play on standard input")


def resolve(name: str) -> Game:
    """The game of a referee's full name; where the contest fixes the number of players, with that number."""
    found = absolute(name)
    fixed = contest_folder(Path(found.target)).fixed_players if found.contract == names.ENGINE else None
    if fixed and fixed > 1 and "players" not in dict(found.given):
        found = found.with_options(players=fixed)
    return _game(str(found))


def absent(name: str) -> Game:
    """The same to show stored games whose referee is gone; starting a new game raises PodiumError."""
    found = names.parse(name)

    def referee(seed: int, **settings: str) -> Referee:
        return resolve(name).new_referee(seed, settings)  # raises an error that says what is missing

    return _external(found, name, referee, title=names.title_of(name), source=f"the referee {found.target}")


def _external(
    found: RefereeName,
    name: str,
    referee: Callable[..., Referee],
    *,
    title: str,
    source: str,
    limits: Limits = USUAL,
    scene_js: Path | None = None,
    **external: Any,
) -> Game:
    """A game of an external referee; `external` are fields of its `External`."""
    players = int(found.options["players"])
    return ExternalGame(
        name,
        Contest(title, source, players, limits, referee, no_prompts),
        Pictures(_no_scene, picture, scene_js=scene_js),
        external=External(from_transcript=TranscriptReferee, **external),
        referee_name=found,
    )


@cache
def _game(name: str) -> Game:
    found = names.parse(name)
    players = int(found.options["players"])
    title = str(found.options["title"])
    if found.contract == names.ENGINE:
        return _engine_game(found, name, players, title)
    argv = command(found)
    common: dict[str, Any] = {
        "title": title or found.target,
        "source": f"the program {found.target}",
        "scene_js": _scene_js(found),
        "fingerprint": digest("referee", *argv, *command_files(argv), rules_text(found)),
    }
    if found.contract == names.PROGRAM:
        return _external(found, name, _piped(found, players, lambda: _program(found, argv)), **common)
    if found.contract == names.LINES:
        limits = Limits(float(found.options["first"]), float(found.options["later"]))
        return _external(found, name, _line_referee(found, argv, players, limits), limits=limits, **common)
    return _script_game(found, name, argv, common)


def _engine_game(found: RefereeName, name: str, players: int, title: str) -> Game:
    path = Path(found.target)
    class_path = class_path_of(path)
    contest = contest_folder(path)
    check_contest(path, contest, players)
    league = int(found.options["league"])
    properties = (*((("league.level", str(league)),) if league else ()), *found.properties)
    jvm = JvmSpec(
        class_path,
        properties,
        int(found.options["memory"]),
        str(found.options["java"]),
        float(found.options["patience"]),
        bool(found.options["warm"]),
    )
    version, played = engine_version(class_path), league_text(league, contest.leagues)
    contents = [hash_ for part in class_path for hash_ in _contents(Path(part))]
    return _external(
        found,
        name,
        _piped(found, players, jvm.channel),
        title=title or path.stem,
        source=", ".join(filter(None, (f"the referee {path.name}", version and f"engine {version}", played))),
        scene_js=_scene_js(found),
        fingerprint=digest("referee", *contents, rules_text(found)),
        caveats=lambda commands: league_caveats(league, contest.leagues),
        program=lambda spec: contest_bot(path, league, spec),
    )


def rules_text(found: RefereeName) -> str:
    """The part of a name that changes games: not the place of the referee, nor options of display and of the JVM."""
    options = [pair for pair in found.given if pair[0] not in NOT_RULES]
    return repr((found.contract, options, found.settings, found.properties))


def _contents(part: Path) -> list[str]:
    files = [part] if part.is_file() else sorted(file for file in part.rglob("*") if file.is_file())
    return [file_hash(file) for file in files]


def _piped(found: RefereeName, players: int, channel: Callable[[], ProcessChannel]) -> Callable[..., Referee]:
    """Makes referees that speak the engine's protocol."""
    measured = found.options["times"] == "measured"

    def referee(seed: int, **settings: str) -> Referee:
        made = EngineReferee(channel(), players, seed, {**dict(found.settings), **settings}, measured)
        made.transcript.keep_views = bool(found.options["views"])
        return made

    return referee


def _program(found: RefereeName, argv: Sequence[str]) -> ProcessChannel:
    return ProcessChannel(argv, float(found.options["patience"]))


def _line_referee(found: RefereeName, argv: tuple[str, ...], players: int, limits: Limits) -> Callable[..., Referee]:
    def referee(seed: int) -> Referee:
        seeds = found.options["seeds"]
        given = seeds == "line" or (seeds == "auto" and accepts_seeds(argv, players))
        return LineReferee(_program(found, argv), players, seed % (2**31 - 1) if given else None, limits)

    return referee


def _script_game(found: RefereeName, name: str, argv: tuple[str, ...], common: Mapping[str, Any]) -> Game:
    patience, players = float(found.options["patience"]), int(found.options["players"])
    script: Brutaltester | Psyleague
    if found.contract == names.BRUTALTESTER:
        script = Brutaltester(argv, str(found.options["seeds"]), int(found.options["league"]), patience)
    else:
        script = Psyleague(argv, patience)

    def run(seed: int, commands: Sequence[Sequence[str]]) -> tuple[Outcome, Mapping[str, Any]]:
        result = script.play(seed, [command_text(words) for words in commands])
        return outcome_of(result), result.archive

    def caveats(commands: Sequence[Sequence[str]]) -> list[str]:
        return _caveats(script, players, [command_text(words) for words in commands])

    return _external(found, name, _no_referee, script_runner=run, caveats=caveats, **common)


def _no_referee(seed: int) -> Referee:
    raise PodiumError("this referee runs the bots itself: its games cannot be played step by step")


def _caveats(script: Brutaltester | Psyleague, players: int, bots: Sequence[str]) -> list[str]:
    """Warnings about what a script that runs the bots itself does not guarantee."""
    commands = (*bots, *[bots[-1]] * players)[:players]
    warnings = ["the script runs the bots itself: time limits, faults and standard error are its own, not the arena's"]
    if isinstance(script, Psyleague):
        warnings.append("the script chooses its seeds: the games of a pair have swapped seats, but not the same seed")
    elif (script.seeds if script.seeds != "auto" else seeding_of(script, tuple(commands))) == "none":
        warnings.append("the jar ignores its seed: the games of a pair have swapped seats, but not the same seed")
    return warnings


def command(found: RefereeName) -> tuple[str, ...]:
    """The words of a referee's command, with the full path of its program; PodiumError if there is none."""
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


def check_contest(path: Path, contest: ContestFolder, players: int) -> None:
    """PodiumError if the contest is not for several players, or not for this number of players."""
    if contest.kind != MULTIPLAYER or contest.fixed_players == 1:
        raise PodiumError(
            f"{path.name} is a game for one player ({contest.kind}, config.ini), which cannot be played here: a match "
            "needs two bots in one game"
        )
    if contest.players and not contest.players[0] <= players <= contest.players[1]:
        allowed = " to ".join(str(number) for number in dict.fromkeys(contest.players))
        raise PodiumError(f"{path.name} has {allowed} players (config.ini), not {players}: give --players")


def league_text(league: int, leagues: int | None) -> str:
    """The league that is played, and how many there are; nothing if the contest has none."""
    if leagues == 0:
        return ""
    return f"league {league or 1}" + (f" of {leagues}" if leagues else "")


def league_caveats(league: int, leagues: int | None) -> list[str]:
    """A warning if nobody has chosen a league: the lowest one is a tutorial in many contests."""
    if league or leagues in (0, 1):
        return []
    many = f"the highest is {leagues}" if leagues else "how many there are is not known here"
    return [
        f"{league_text(league, leagues)} is played, which may have simpler rules and other input: give league=N; {many}"
    ]


def _scene_js(found: RefereeName) -> Path | None:
    text = str(found.options["scene"])
    if not text:
        return None
    path = Path(text)
    if not path.is_file():
        raise PodiumError(f"there is no file {path} that could draw the games of this referee")
    return path
