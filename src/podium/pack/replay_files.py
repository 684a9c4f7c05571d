"""Reads replay files of CodinGame's site, in all the wrappings that its services and public downloaders give them.

A replay is the result of a game: frames with the answers of each seat, scores, the order of finish, the players' names
and `refereeInput`, the parameters that the referee was given. It holds no prompts, times, contest or league, except
that some wrappings tell the title. What is no replay is named in the error.

Traps: `ranks` lists the seats in order of finish, not the rank of each seat. Seeds are decimal texts, and no float may
touch them. An empty answer is a time-out, or a step in which nobody was asked; only a replaying referee can tell.

A text that is no JSON is read as games of CodeCup (`podium.pack.codecup_texts`).
"""

import gzip
import io
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.arena.game.recordings import reading
from podium.errors import PodiumError
from podium.pack.codecup_texts import codecup_games, is_codecup_text
from podium.pack.site_replay import SEED_NAMES, ReplayFrame, SiteReplay

WRAPPINGS = ("success", "gameResult")  # keys that a result may lie under, one in the other
ENDINGS = (".json", ".gz", ".txt")  # of the files that are looked at in a folder
LEAGUE = re.compile(r"\blevel\s*(\d+)\s*$", re.IGNORECASE)  # the end of a question's title
LARGEST = 2**29  # bytes of a file, unpacked: a thousand replays
LONGEST_NAME = 60  # characters
ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)
FLOAT = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d+|[+-]?\d+\.\d*")
GZIP = b"\x1f\x8b"
NOBODY = -1


def replay_paths(paths: Sequence[Path]) -> Iterator[Path]:
    """The files themselves, and all files in the folders among them that may be replays."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(ENDINGS))
        else:
            yield path


def _refuse(error: PodiumError) -> None:
    raise error


def read_replays(path: Path, refuse: Callable[[PodiumError], None] = _refuse) -> list[SiteReplay]:
    """The games in a file. For each thing that is no game `refuse` is called, by default to raise the error."""
    try:
        text = _text(path)
        if is_codecup_text(text):
            return codecup_games(str(path), text, refuse)
        document = _document(path, text)
        items = document if isinstance(document, list) else [document]
        if not items:
            raise PodiumError(f"{path} is an empty list: there is no game in it")
    except PodiumError as error:
        refuse(error)
        return []
    found: list[SiteReplay] = []
    refused: list[PodiumError] = []
    for number, item in enumerate(items):
        try:
            found.append(_replay(f"{path}[{number}]" if len(items) > 1 else str(path), item))
        except PodiumError as error:
            refused.append(error)
    for reason in refused if found else refused[:1]:  # where nothing is a game, one item tells what all are
        refuse(reason)
    return found


def _text(path: Path) -> str:
    with reading(path):
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if data.startswith(GZIP):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST + 1)
        if len(data) > LARGEST:
            raise PodiumError(f"{path} has more than {LARGEST >> 20} MB: too large for replays")
        return data.decode("utf-8-sig")


def _document(path: Path, text: str) -> Any:
    if not text.strip():
        raise PodiumError(f"{path} is empty")
    try:
        return json.loads(_with_whole_characters(text))
    except (ValueError, RecursionError) as error:
        raise PodiumError(f"{path} is not JSON, so it is no replay: {error}") from None


def _with_whole_characters(text: str) -> str:
    """JSON without halves of characters, which stand where a site has cut a long text in the middle of an emoji."""
    return ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], text) if r"\ud" in text.lower() else text


def _replay(source: str, document: Any) -> SiteReplay:
    """The game in a document, whatever it is wrapped in."""
    result: Any = document
    outer: dict[str, Any] = {}
    for key in WRAPPINGS:
        if isinstance(result, dict) and isinstance(result.get(key), dict):
            outer = {**outer, **{name: value for name, value in result.items() if name != key}}
            result = result[key]
    if not isinstance(result, dict):
        raise PodiumError(f"{source} is no replay but {_kind_of(document)}")
    frames = result.get("frames", outer.get("frames"))
    if not isinstance(frames, list) or "scores" not in result:
        raise PodiumError(f"{source} is no replay but {_kind_of(result)}")
    try:
        return _checked(source, result, outer, frames)
    except KeyError as error:
        raise PodiumError(f"{source} is a damaged replay: it has no {error.args[0]}") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise PodiumError(f"{source} is a damaged replay: {error}") from None


def _kind_of(document: Any) -> str:
    """What a document that is no replay is, for people."""
    if not isinstance(document, dict):
        return f"a JSON {type(document).__name__}"
    if "gameId" in document and "done" in document:
        return "a battle of a list of battles: save the replay of each of them"
    if "code" in document or "error" in document:
        error = document.get("error") or document.get("code")
        return f"an error of the site: {str(error.get('message', error) if isinstance(error, dict) else error)[:80]}"
    if "uinput" in document or "outputs" in document:
        return "a result of the local game runner or of the site before 2016, which has other fields"
    return f"an object with {', '.join(sorted(map(str, document))[:6]) or 'nothing in it'}"


def _checked(source: str, result: Mapping[str, Any], outer: Mapping[str, Any], frames: Sequence[Any]) -> SiteReplay:
    scores = tuple(float(score) for score in result["scores"])
    if not all(map(math.isfinite, scores)):
        raise ValueError(f"the scores {list(scores)} are no numbers")
    finish = tuple(int(seat) for seat in result["ranks"])
    if not scores or sorted(finish) != list(range(len(scores))):
        raise ValueError(f"ranks {list(finish)} do not list the seats of {len(scores)} scores in order of finish")
    steps = tuple(_frame(frame) for frame in frames)
    if any(not NOBODY <= step.seat < len(scores) for step in steps):
        raise ValueError(f"a frame belongs to a seat beyond the {len(scores)} that have scores")
    title = str(outer.get("questionTitle") or "")
    titles = outer.get("puzzleTitle")
    if isinstance(titles, list) and titles:
        title = str(titles[0])
    replay = SiteReplay(
        source,
        int(result["gameId"]) if "gameId" in result else 0,
        tuple(step for step in steps if step.seat != NOBODY),
        scores,
        finish,
        _names(result.get("agents") or (), len(scores)),
        _parameters(result.get("refereeInput"), outer.get("seed")),
        LEAGUE.sub("", title).strip(" -"),
        _league(outer),
    )
    _ = replay.seed  # without one a game can neither be replayed nor stored
    return replay


def _league(outer: Mapping[str, Any]) -> int | None:
    """The league that a wrapping tells, as a number of its own or at the end of its title."""
    found = LEAGUE.search(str(outer.get("questionTitle") or ""))
    given = str(outer.get("league"))
    return int(given) if given.isdecimal() else int(found[1]) if found else None


def _frame(frame: Mapping[str, Any]) -> ReplayFrame:
    texts = (str(frame.get(name) or "") for name in ("stdout", "stderr", "summary"))
    return ReplayFrame(int(frame["agentId"]), *texts)


def _names(agents: Sequence[Mapping[str, Any]], seats: int) -> tuple[str, ...]:
    """The players' names by seat; one that plays itself has them twice, told apart by the seat."""
    names = [f"player {seat}" for seat in range(seats)]
    for place, agent in enumerate(agents):
        seat = int(agent.get("index", place))
        if not 0 <= seat < seats:
            raise ValueError(f"an agent sits in seat {seat} of {seats}")
        person, boss = agent.get("codingamer") or {}, agent.get("arenaboss") or {}
        name = " ".join(str(person.get("pseudo") or boss.get("nickname") or "").split())
        names[seat] = name[:LONGEST_NAME] or f"default AI {seat}"
    return tuple(f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names))


def _parameters(text: Any, seed: Any) -> dict[str, str]:
    """The lines `key=value` that the referee was given; values may hold blanks."""
    pairs = (line.partition("=") for line in str(text or "").splitlines() if "=" in line)
    found = {key.strip(): value.strip() for key, _, value in pairs}
    found = found if found or seed is None else {"seed": str(seed)}
    for name in SEED_NAMES:
        if FLOAT.fullmatch(found.get(name, "")):
            raise ValueError(f"the seed {found[name]} was read as a floating-point number: its last digits are lost")
    return found
