"""A stored game as plain data: the one serializer, from which pages, `show` and `export` select.

`docs/json.md` says what the keys mean; keys are added and never renamed.
"""

from collections.abc import Sequence
from typing import Any

from podium.arena.game.sentences import fault_sentence
from podium.arena.game.turn import answer_data
from podium.arena.store.game_row import GameRow
from podium.arena.store.stored_game import StoredGame
from podium.games.game import Fault, Game, Referee, Request


def row_data(row: GameRow, names: Sequence[str]) -> dict[str, Any]:
    """A game without its answers, as lists of games have it; `names` are those of its bots by seat."""
    return {
        "game": f"g{row.id}",
        "run": f"r{row.run}",
        "round": row.round,
        "part": row.part,
        "seed": row.seed,
        "bots": list(names),
        "scores": row.scores,
        "ranks": row.ranks,
        "ending": row.ending,
        "cause": row.result.cause,
        "annulment": row.annulment,
        "sentence": row.sentence,
        "faults": [fault_data(fault) for fault in row.faults],
        "irregularities": [each._asdict() for each in row.irregularities],
        "started": row.started,
        "seconds": row.seconds,
    }


def fault_data(fault: Fault) -> dict[str, Any]:
    """Why a seat was disqualified."""
    return {
        "seat": fault.seat,
        "why": fault.cause,
        "sentence": fault_sentence(fault),
        "code": fault.code,
        "turn": fault.turn,
        "detail": fault.detail,
        "verdict": fault.verdict,
        "evidence": dict(fault.evidence),
    }


def game_data(stored: StoredGame) -> dict[str, Any]:
    """All data of a stored game."""
    record = stored.record
    return {
        **row_data(stored.row, stored.names),
        "rules": stored.run.game,
        "settings": dict(stored.settings),
        "answers": [answer_data(record.turn(index), record.thoughts.get(index)) for index in range(len(record))],
        "archive": dict(record.archive),
    }


def replayed_game(stored: StoredGame, rules: Game, prompts: bool = False, scenes: bool = False) -> dict[str, Any]:
    """A whole game with what only its referee can tell: turns, limits, prompts, and the position before each turn."""
    data = game_data(stored)

    def watch(referee: Referee, requests: Sequence[Request], first: int) -> None:
        for answer, request in zip(data["answers"][first:], requests, strict=False):
            answer |= {"turn": referee.turn + 1, "limit_ms": request.milliseconds}
            if prompts:
                answer["prompt"] = list(request.lines)
        if scenes:
            data["answers"][first]["scene"] = rules.scene_of(referee)

    referee, departure = stored.replay_to_show(rules, watch)
    if departure:
        data["departure"] = {"where": departure.where, "what": departure.what}
    if scenes:
        data["last_scene"] = rules.scene_of(referee)
    return data
