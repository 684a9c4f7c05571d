"""Games as rows of a list, and the filters of that list."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from podium.arena.store.game_data import row_data
from podium.arena.store.game_row import GameRow
from podium.arena.store.schema import decode_faults
from podium.arena.store.store import StoredBot
from podium.games.game import Game
from podium.web.seat_names import with_names

MOST_KNOWN = 10_000  # results that are judged once


def game_line(game: GameRow, bots: Mapping[int, StoredBot], rules: Game) -> dict[str, Any]:
    """A game as a row of a list."""
    names = [bots[bot].label for bot in game.bots]
    data = row_data(game, names)
    data["sentence"] = with_names(data["sentence"], rules, names)
    return {**data, "id": game.id, "seed": str(game.seed), "answers": len(game.asked)}


def fits_filters(filters: Mapping[str, str]) -> Callable[[str, str, str, str, int], bool]:
    """Whether a game matches all filters: bot and its seat, its result, fault, ending, length; see `Store.matching`."""
    bot, seat = int(filters.get("bot") or 0), filters.get("seat") or ""
    result, fault, ending = (filters.get(name) or "" for name in ("result", "fault", "ending"))
    shortest, longest = int(filters.get("shortest") or 0), int(filters.get("longest") or 10**9)

    @lru_cache(MOST_KNOWN)
    def seats_fit(bots_text: str, ranks_text: str, faults_text: str) -> bool:
        bots, ranks = json.loads(bots_text), json.loads(ranks_text)
        seats = [place for place, other in enumerate(bots) if other == bot] if bot else list(range(len(bots)))
        if seat and int(seat) not in seats:
            return False
        if result and result not in {_result(ranks, s) for s in ([int(seat)] if seat else seats)}:
            return False
        if not fault:
            return True
        causes = {each.cause for each in decode_faults(faults_text) if each.seat in seats}
        return bool(causes) if fault == "any" else fault in causes

    def fits(bots: str, ranks: str, ended: str, faults: str, answers: int) -> bool:
        if not shortest <= answers <= longest or (ending and ended != ending):
            return False
        return seats_fit(bots, ranks, faults)

    return fits


def _result(ranks: Sequence[int], seat: int) -> str:
    others = [rank for place, rank in enumerate(ranks) if place != seat]
    if ranks[seat] == 1:
        return "won" if 1 not in others else "drawn"
    return "lost"
