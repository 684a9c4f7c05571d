"""A stored game, played again through the referee: every position, answer and thought, as one document.

Scenes are those of the game's `scene.py`; what bots thought is sketched on them in the words of the board's spots, so
that a page draws it without knowing the game.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from podium.arena.entrants.entrant import COPY
from podium.arena.game.record import thoughts_from
from podium.arena.store.game_data import replayed_game
from podium.arena.store.stored_game import StoredGame, stored_game
from podium.games import folder_of, grid, load_stored
from podium.games.game import BotKind, Game, Referee, Request, Scene, picture_text
from podium.games.overlays import read_attributes, read_drawings
from podium.web.position_words import played_words, position_text, start_words
from podium.web.repository import MissingError, Repository, game_row
from podium.web.seat_names import with_names

KEPT_GAMES = 32
MOMENTS = 4  # marked on the graph
FENCE = 2.0
SMALLEST_MOMENT = 0.1  # of the spread of a bot's values
LONGEST_STDERR = 20_000  # characters of one answer that a page is sent
GIVEN = "given-"  # begins the name of a script that a user gave
GRID = "grid"  # and ends that of the script for any game on a grid


class Replays:
    """Makes and caches the documents of games."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._documents = lru_cache(KEPT_GAMES)(self._document)
        self._all_prompts = lru_cache(KEPT_GAMES)(self._prompts)

    def stored(self, number: int) -> StoredGame:
        """A game with its run, its bots by seat, and its record."""
        with self.repository.opened() as store:
            return stored_game(store, game_row(store, number))

    def document(self, number: int) -> dict[str, Any]:
        """All of a game but the prompts."""
        return self._documents(number, self._started(number))

    def prompts(self, number: int) -> list[list[list[str]]]:
        """What each seat was told: by turn, by answer."""
        return self._all_prompts(number, self._started(number))

    def position_text(self, number: int, turn: int) -> str:
        """The position before a turn, counted from 0, as text."""
        data = self.document(number)
        if not 0 <= turn < len(data["turns"]):
            raise MissingError(f"g{number} has no turn {turn + 1}")
        prompts = self.prompts(number)[turn : turn + 1] if turn > len(data["played_words"]) else []
        texts = ["\n".join(lines) for seats in prompts for lines in seats]
        game = load_stored(data["rules"]["name"])
        return position_text(game, data["start_words"], data["played_words"], turn, texts)

    def _started(self, number: int) -> float:
        """When a game was played, which tells it from one of its number in a store that was replaced."""
        with self.repository.opened() as store:
            return game_row(store, number).started

    def _document(self, number: int, started: float) -> dict[str, Any]:
        """All of a game but the prompts: what `podium show --json` tells, turn by turn, and what pages draw."""
        stored = self.stored(number)
        run, rules = stored.run, load_stored(stored.run.game)
        data = replayed_game(stored, rules, scenes=True)
        turns = _turns(rules, data.pop("answers"), data.pop("last_scene"))
        _add_win_probabilities(turns, [rules.bots.get(bot.label.partition(":")[0]) for bot in stored.bots])
        departure = data.get("departure")
        settings = dict(run.conditions.settings)
        words = played_words(rules, stored.row.seed, settings, turns) if rules.rules else []
        del data["archive"]
        for told in (data, *data["faults"]):
            told["sentence"] = with_names(told["sentence"], rules, data["bots"])
        return {
            **data,
            "id": stored.id,
            "kind": run.kind,
            "imported": stored.is_imported,
            "rules": rules_data(rules),
            "seed": str(data["seed"]),  # a number of 64 bits is none in JavaScript
            "names": [bot.name.removesuffix(COPY) for bot in stored.bots],  # with which they can be asked again
            "parent": run.wanted.get("parent"),
            "departure": f"{departure['where']}, {departure['what']} differs" if departure else None,
            "start_words": start_words(rules, stored.row.seed, settings) if rules.rules else [],
            "played_words": words,
            "moments": moments(turns),
            "turns": turns,
        }

    def _prompts(self, number: int, started: float) -> list[list[list[str]]]:
        stored = self.stored(number)
        told: list[list[list[str]]] = []

        def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
            told.append([list(request.lines) for request in requests])

        stored.replay_to_show(load_stored(stored.run.game), watch)
        return told


def _turns(rules: Game, answers: Sequence[dict[str, Any]], last_scene: Scene) -> list[dict[str, Any]]:
    """The answers of a replayed game by turn, each turn with the position before it; the last position has none."""
    turns: list[dict[str, Any]] = []
    for answer in answers:
        if "turn" not in answer:  # the replay departs from the record before it
            break
        if "scene" in answer:
            scene = answer.pop("scene")
            turns.append({**position(rules, scene), "answers": []})
        turns[-1]["answers"].append(page_answer(rules, turns[-1]["scene"], answer))
    return [*turns, {**position(rules, last_scene), "answers": []}]


def _add_win_probabilities(turns: Sequence[Mapping[str, Any]], kinds: Sequence[BotKind | None]) -> None:
    """Add the win probability of each evaluation, where the bot of that seat has one."""
    for turn in turns:
        for answer in turn["answers"]:
            kind = kinds[answer["seat"]]
            answer["win"] = kind.win(answer["value"]) if kind else None


def script_of(game: Game) -> str | None:
    """The address of the module that draws a game: its folder's `scene.js`, or the one that its user gave."""
    if game.pictures.scene_js is None:
        return None
    if game.pictures.scene_js == grid.SCENE_JS:
        return f"/scenes/{GIVEN}{GRID}.js"
    return f"/scenes/{f'{GIVEN}{print_}' if (print_ := game.external.fingerprint) else game.name}.js"


@cache
def own_script(name: str) -> Path | None:
    """The `scene.js` in a game's folder; None if it has none."""
    path = folder_of(name) / "scene.js"
    return path if path.is_file() else None


def given_script(repository: Repository, fingerprint: str) -> Path | None:
    """The `scene.js` of games on a grid, or the one that a user gave for games of a referee, if they are stored."""
    if fingerprint == GRID:
        return grid.SCENE_JS
    with repository.opened() as store:
        played = {run.game for run, *_ in store.runs()}
    games = (load_stored(name) for name in played if ":" in name)
    return next(
        (
            game.pictures.scene_js
            for game in games
            if game.pictures.scene_js and game.external.fingerprint == fingerprint
        ),
        None,
    )


def rules_data(game: Game) -> dict[str, Any]:
    """What a page needs to know of a game."""
    return {
        "name": game.name,
        "title": game.title,
        "source": game.contest.source,
        "seats": game.seats,
        "script": script_of(game),
        "playable": game.pictures.choices is not None,  # by a person
        "has_bots": bool(game.bots),  # otherwise only programs play it
    }


def position(game: Game, scene: Scene) -> dict[str, Any]:
    """A scene for a page; with its picture as text where no script draws it."""
    return {"scene": scene} if script_of(game) else {"scene": scene, "text": picture_text(game.pictures.picture(scene))}


def page_answer(game: Game, scene: Scene, answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with what the bot thought and drew, for a page."""
    stderr, thoughts = answer["stderr"], answer["thoughts"]
    drawings, value = read_drawings(stderr)
    data: dict[str, Any] = {
        **answer,
        "stderr": stderr[:LONGEST_STDERR] + ("\n…" if len(stderr) > LONGEST_STDERR else ""),
        "value": value if value is not None else (thoughts or {}).get("value"),
    }
    if thoughts:
        data["sketch"] = (
            dict(game.pictures.sketch(scene, answer["seat"], thoughts_from(thoughts))) if game.pictures.sketch else {}
        )
    else:
        del data["thoughts"]
    if drawings:
        data["drawings"] = drawings
    if attributes := read_attributes(stderr):
        data["attributes"] = attributes
    return data


def _fences(ordered: Sequence[float]) -> tuple[float, float]:
    """Tukey's fences: the middle half of the values, widened by a multiple of its width on both sides."""
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
