"""Recorded games in the shapes in which CodinGame's site and public downloaders save replays."""

import gzip
import json
from pathlib import Path

from podium.arena.game.recordings import read

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = ("ann", "bob", "eve", "dan")


def recorded(game, number=1):
    """A recorded game of the contest's own referee, the first one or a later one."""
    games = read(RECORDINGS / f"{game}.jsonl.gz")
    return next(found for place, found in games if place == number)


def result_of(game, names=NAMES, game_id=123456789):
    """A recorded game as the site's plain result."""
    frames = [{"agentId": -1, "keyframe": True, "summary": "", "view": " 0\n{}", "gameInformation": ""}]
    for turn in game["turns"]:
        answer = "".join(f"{line}\n" for line in turn["output"] or [])
        frames.append(
            {"agentId": turn["player"], "stdout": answer, "keyframe": True, "view": "", "gameInformation": ""}
        )
    scores = [float(score) for score in game["result"]["scores"]]
    order = sorted(range(len(scores)), key=lambda seat: (game["result"]["ranks"][seat], seat))
    settings = {
        name: value
        for name, value in (game.get("params") or {}).items()
        if name in ("mapIndex", "map", "symmetric") and value is not None
    }
    given = {"seed": game["seed"], **{name: str(value).lower() for name, value in settings.items()}}
    return {
        "frames": frames,
        "gameId": game_id,
        "refereeInput": "".join(f"{name}={value}\n" for name, value in given.items()),
        "scores": scores,
        "ranks": order,
        "agents": [
            {"index": seat, "codingamer": {"userId": seat, "pseudo": names[seat]}, "agentId": 10 + seat, "valid": True}
            for seat in range(len(scores))
        ],
        "metadata": {},
    }


def arena_file(result):
    """The shape of mrsombre/codingame-arena: no refereeInput, frames beside the result, the seed as a text."""
    inner = {name: result[name] for name in ("gameId", "scores", "ranks", "agents")}
    seed = dict(line.split("=", 1) for line in result["refereeInput"].splitlines())["seed"]
    frames = [{name: frame[name] for name in ("agentId", "stdout") if name in frame} for frame in result["frames"]]
    return {"fetchedAt": "2026-01-01T00:00:00Z", "league": 4, "seed": seed, "gameResult": inner, "frames": frames}


SHAPES = {
    "bare": lambda result: result,
    "success": lambda result: {"success": result},
    "information": lambda result: {
        "puzzleTitle": ["Fall Challenge 2020", "Défi"],
        "questionTitle": "Fall Challenge 2020 - Level 4",
        "viewer": "...",
        "gameResult": result,
    },
    "both": lambda result: {"success": {"gameResult": result, "viewer": "", "puzzleTitle": ["Fall Challenge 2020"]}},
    "list": lambda result: [result],
    "arena": arena_file,
}


def save(path, document, *, zipped=False):
    """Write a document to a file."""
    text = json.dumps(document).encode()
    path.write_bytes(gzip.compress(text) if zipped else text)
    return path


def numbers_game(turns, given):
    """A game of the tests' own referees: both seats name numbers, and the sums are the scores."""
    answers = [(seat, seat + turn) for turn in range(turns) for seat in (0, 1)]
    scores = [float(sum(number for other, number in answers if other == seat)) for seat in (0, 1)]
    frames = [{"agentId": -1}, *({"agentId": seat, "stdout": f"{number}\n"} for seat, number in answers)]
    return {"frames": frames, "gameId": turns, "refereeInput": given, "scores": scores, "ranks": [1, 0], "agents": []}
