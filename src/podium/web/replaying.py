"""A stored game, played again through the referee: every position, answer and thought, as one document.

Scenes are those of the game's `scene.py`; what bots thought is sketched on them in the words of the board's spots, so
that a page draws it without knowing the game.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.console import Console

from podium.arena.entrants import COPY
from podium.arena.finished import FinishedGame
from podium.arena.record import Recorder, retell, thoughts_from, unpack
from podium.arena.store import Run, StoredBot
from podium.errors import PodiumError
from podium.games import folder_of, load_stored
from podium.games.drawing import read_drawings
from podium.games.game import Game, Referee, Request, Scene
from podium.web.library import Library, MissingError

KEPT_GAMES = 32
MOMENTS = 4  # marked on the graph
FENCE = 2.0
SMALLEST_MOMENT = 0.1  # of the spread of a bot's values
LONGEST_STDERR = 20_000  # characters of one answer that a page is sent
PICTURE_WIDTH = 100
GIVEN = "given-"  # begins the name of a script that a user gave


class Replays:
    """Documents of games, the last ones kept."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.document = lru_cache(KEPT_GAMES)(self._document)
        self.prompts = lru_cache(KEPT_GAMES)(self._prompts)

    def parts(self, number: int) -> tuple[Run, FinishedGame, list[StoredBot], Recorder]:
        """A game with its run, its bots by seat, and its record."""
        with self.library.opened() as store:
            try:
                game = store.game(number)
            except PodiumError as error:
                raise MissingError(str(error)) from None
            run = store.run(game.run)
            bots = store.bots(run)
            return run, game, [bots[bot] for bot in game.bots], unpack(store.record(number))

    def _document(self, number: int) -> dict[str, Any]:
        """All of a game but the prompts."""
        run, game, bots, record = self.parts(number)
        rules = load_stored(run.game)
        turns: list[dict[str, Any]] = []

        def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
            scene = rules.scene(referee)
            answers = [_answer(rules, scene, record, first + place, request) for place, request in enumerate(requests)]
            turns.append({**position(rules, scene), "answers": answers})

        referee, departure = retell(rules, run.conditions.settings, game, record, watch)
        turns.append({**position(rules, rules.scene(referee)), "answers": []})
        return {
            "game": f"g{game.id}",
            "id": game.id,
            "run": f"r{run.id}",
            "kind": run.kind,
            "rules": rules_data(rules),
            "settings": dict(run.conditions.settings),
            "seed": str(game.seed),
            "round": game.round,
            "part": game.part,
            "bots": [bot.label for bot in bots],
            "names": [bot.name.removesuffix(COPY) for bot in bots],  # with which they can be asked again
            "scores": game.scores,
            "ranks": game.ranks,
            "ending": game.ending,
            "sentence": game.sentence,
            "faults": [{"seat": seat, "why": word, "sentence": text} for seat, word, text in game.faults],
            "started": game.started,
            "seconds": game.seconds,
            "parent": run.wanted.get("parent"),
            "departure": f"{departure.where}, {departure.what} differs" if departure else None,
            "moments": moments(turns),
            "turns": turns,
        }

    def _prompts(self, number: int) -> list[list[list[str]]]:
        """What each seat was told: by turn, by answer."""
        run, game, _, record = self.parts(number)
        told: list[list[list[str]]] = []

        def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
            told.append([list(request.lines) for request in requests])

        retell(load_stored(run.game), run.conditions.settings, game, record, watch)
        return told


def script_of(game: Game) -> str | None:
    """The address of the module that draws a game: its folder's `scene.js`, or the one that its user gave."""
    if game.drawing:
        return f"/scenes/{GIVEN}{game.fingerprint}.js"
    return f"/scenes/{game.name}.js" if not game.fingerprint and own_script(game.name) else None


@cache
def own_script(name: str) -> Path | None:
    """The `scene.js` in a game's folder; None if it has none."""
    path = folder_of(name) / "scene.js"
    return path if path.is_file() else None


def given_script(library: Library, fingerprint: str) -> Path | None:
    """The `scene.js` that a user gave for the games of a foreign referee; only such as are in the store."""
    with library.opened() as store:
        played = {run.game for run, *_ in store.runs()}
    games = (load_stored(name) for name in played if ":" in name)
    return next((game.drawing for game in games if game.drawing and game.fingerprint == fingerprint), None)


def rules_data(game: Game) -> dict[str, Any]:
    """What a page needs to know of a game."""
    return {
        "name": game.name,
        "title": game.title,
        "source": game.source,
        "seats": game.seats,
        "script": script_of(game),
    }


def position(game: Game, scene: Scene) -> dict[str, Any]:
    """A scene for a page; with its picture as text where no script draws it."""
    return {"scene": scene} if script_of(game) else {"scene": scene, "text": picture_text(game, scene)}


def picture_text(game: Game, scene: Scene) -> str:
    """The terminal's picture as plain text."""
    console = Console(width=PICTURE_WIDTH, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(game.picture(scene))
    return capture.get()


def _answer(game: Game, scene: Scene, record: Recorder, index: int, request: Request) -> dict[str, Any]:
    seat, line, ms = record.seats[index], record.lines[index], record.times[index]
    data = answer_data(game, scene, seat, line, ms, record.thoughts.get(index), record.stderr.get(index, ""))
    return {
        **data,
        "limit_ms": request.milliseconds,
        "cpu_ms": record.cpu[index],
        "verdict": record.verdicts.get(index),
    }


def answer_data(
    game: Game,
    scene: Scene,
    seat: int,
    line: str | None,
    milliseconds: float,
    thoughts: Mapping[str, Any] | None,
    stderr: str,
) -> dict[str, Any]:
    """An answer with what the bot thought and drew, for a page."""
    drawings, value = read_drawings(stderr)
    data: dict[str, Any] = {
        "seat": seat,
        "line": line,
        "ms": milliseconds,
        "stderr": stderr[:LONGEST_STDERR] + ("\n…" if len(stderr) > LONGEST_STDERR else ""),
        "value": value if value is not None else (thoughts or {}).get("value"),
    }
    if thoughts:
        data["thoughts"] = thoughts
        data["sketch"] = dict(game.sketch(scene, seat, thoughts_from(thoughts))) if game.sketch else {}
    if drawings:
        data["drawings"] = drawings
    return data


def _fences(ordered: Sequence[float]) -> tuple[float, float]:
    """The range of values that matters: the middle half, and so many times its width on both sides."""
    lower, upper = ordered[len(ordered) // 4], ordered[-1 - len(ordered) // 4]
    reach = FENCE * (upper - lower)
    return max(ordered[0], lower - reach), min(ordered[-1], upper + reach)


def moments(turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The largest drops of a bot's opinion from one of its turns to the next: where it saw that it had erred.

    A drop counts by its share of the spread of the bot's values, which are cut off far from their middle half, so that
    proofs of thousands of points do not hide everything else.
    """
    values: dict[int, list[tuple[int, float]]] = {}
    for turn, data in enumerate(turns):
        for answer in data["answers"]:
            if answer["value"] is not None:
                values.setdefault(answer["seat"], []).append((turn, float(answer["value"])))
    found = []
    for seat, series in values.items():
        low, high = _fences(sorted(value for _, value in series))
        spread = max(high - low, 1e-9)
        clamped = [(turn, min(max(value, low), high)) for turn, value in series]
        for (before, old), (turn, new) in pairwise(clamped):
            if (old - new) / spread >= SMALLEST_MOMENT:
                found.append({"seat": seat, "turn": before, "seen": turn, "drop": (old - new) / spread})
    found.sort(key=lambda moment: -float(moment["drop"]))
    return sorted(found[:MOMENTS], key=lambda moment: int(moment["turn"]))
