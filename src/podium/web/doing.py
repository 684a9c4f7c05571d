"""The addresses that do something: ask a bot, sit down at a table, answer there.

Who may be asked is decided here: the bots of the game with any parameters, and programs that are in the store already.
Other programs are started only if whoever started the server allowed it.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from podium.arena.conditions import conditions_of
from podium.arena.entrants import Entrant, entrant, given_name
from podium.arena.finished import FinishedGame
from podium.arena.numbers import SEED, whole
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Game
from podium.web.app import API, Json, number_in
from podium.web.asking import MOST_MILLISECONDS, MOST_NODES, Question, ReviewWish, Thinkers
from podium.web.library import Library
from podium.web.live import event, last_seen, stream
from podium.web.replaying import Replays, rules_data
from podium.web.tables import HUMAN, Seating, Tables, human

LOOK_SECONDS = 0.05
QUIET_LOOKS = 300  # after which a comment shows that the connection lives
MOST_TURNS = 10**6


class Doer:
    """Asks bots and keeps tables."""

    def __init__(self, library: Library, programs: bool) -> None:
        self.library, self.programs = library, programs
        self.replays = Replays(library)
        self.thinkers = Thinkers()
        self.tables = Tables(self._keep)

    def _keep(self, seating: Seating, game: FinishedGame) -> int:
        parent = {"parent": {"game": seating.parent, "turn": seating.turn}} if seating.parent else {}
        return self.library.keep(seating.conditions, seating.entrants, game, parent)

    def close(self) -> None:
        """End all that was started."""
        self.thinkers.close()
        self.tables.close()

    def entrant(self, game: Game, spec: Any) -> Entrant:
        """The bot that a page names, if it may be started."""
        if not isinstance(spec, str) or not 0 < len(spec) <= 1000:
            raise PodiumError("a bot is named by a text such as champion or champion:depth=4")
        inside = given_name(spec)[1].partition(":")[0].strip() in game.bots
        if not inside and not self.programs and spec not in self.library.programs(game.name):
            raise PodiumError(
                f"{spec!r} is neither a bot of {game.title} nor in the store; "
                "`podium web --programs` lets pages start any program"
            )
        return entrant(game, spec)

    async def think(self, request: Request) -> Response:
        """What a bot would play at a turn of a game."""
        data = await body(request)
        run, stored, _, record = await run_in_threadpool(self.replays.parts, number_in(request))
        game = load(run.game)
        who = await run_in_threadpool(self.entrant, game, data.get("bot"))
        seat = integer(data, "seat", 0, game.seats - 1)
        question = Question(
            run.game,
            dict(run.conditions.settings),
            stored.seed,
            record.pack(),
            integer(data, "turn", 0, MOST_TURNS),
            seat,
            who,
            number(data, "milliseconds", 1, MOST_MILLISECONDS),
            integer(data, "nodes", 0, MOST_NODES),
        )
        return Json(await self.thinkers.ask(question))

    async def review(self, request: Request) -> Response:
        """What a bot thinks of all answers of a seat: the same as `podium review --json`."""
        data = await body(request)
        run, stored, bots, record = await run_in_threadpool(self.replays.parts, number_in(request))
        game = load(run.game)
        who = await run_in_threadpool(self.entrant, game, data.get("bot"))
        seat = integer(data, "seat", 0, game.seats - 1)
        limit = number(data, "milliseconds", 1, MOST_MILLISECONDS / 10)
        settings, player = dict(run.conditions.settings), bots[seat].label
        wish = ReviewWish(run.game, settings, stored, record.pack(), seat, player, who.name, limit)
        return Json(await self.thinkers.review(wish))

    async def open(self, request: Request) -> Response:
        """Sit down: a new game, or one that goes on from a turn of another."""
        data = await body(request)
        seating = await run_in_threadpool(self._seating, data)
        table = await run_in_threadpool(self.tables.open, seating)
        return Json({"table": table.id}, 201)

    def _seating(self, data: Mapping[str, Any]) -> Seating:
        start = data.get("from")
        if start is not None:
            if not isinstance(start, dict):
                raise PodiumError("a game goes on from a game and a turn")
            run, stored, _, record = self.replays.parts(integer(start, "game", 1, 10**15))
            game, seed, settings = load(run.game), stored.seed, dict(run.conditions.settings)
            past, turn, parent = record.pack(), integer(start, "turn", 0, MOST_TURNS), stored.id
        else:
            name = data.get("game")
            if name not in names():
                raise PodiumError(f"there is no game {str(name)[:40]!r}")
            game, settings, past, turn, parent = load(str(name)), {}, b"", 0, 0
            seed = whole(SEED, data["seed"]) if data.get("seed") is not None else secrets.randbits(40)
        bots = data.get("bots")
        if not isinstance(bots, list) or len(bots) != game.seats:
            raise PodiumError(f"{game.title} has {game.seats} seats, and wants a bot or {HUMAN!r} for each")
        if game.choices is None and HUMAN in bots:
            raise PodiumError(f"{game.title} cannot be played by hand")
        entrants = tuple(human() if bot == HUMAN else self.entrant(game, bot) for bot in bots)
        if sum(who.kind == HUMAN for who in entrants) > 1:
            raise PodiumError("one person plays at a time")
        conditions = conditions_of(game, time=number(data, "milliseconds", 1, MOST_MILLISECONDS), settings=settings)
        return Seating(conditions, entrants, seed, past, turn, parent)

    async def table(self, request: Request) -> Response:
        """What a page needs to know of a table."""
        seating = self.tables[request.path_params["table"]].seating
        game = load(seating.conditions.game)
        return Json(
            {
                "rules": rules_data(game),
                "bots": [who.label for who in seating.entrants],
                "people": seating.people,
                "milliseconds": seating.conditions.allowance.milliseconds,
                "parent": {"game": seating.parent, "turn": seating.turn} if seating.parent else None,
            }
        )

    async def events(self, request: Request) -> Response:
        """How the game at a table goes."""
        return stream(self._events(request.path_params["table"], request))

    async def _events(self, name: str, request: Request) -> AsyncIterator[str]:
        table = self.tables[name]
        seen = last_seen(request)
        place = 0 if seen is None else seen + 1
        looks = 0
        with table.watched():
            while not await request.is_disconnected():
                while place < len(table.events):
                    word, data = table.events[place]
                    yield event(word, data, place)
                    place += 1
                if table.over:
                    yield event("end", None)
                    return
                looks += 1
                if looks % QUIET_LOOKS == 0:
                    yield ": still here\n\n"
                await asyncio.sleep(LOOK_SECONDS)

    async def answer(self, request: Request) -> Response:
        """What a person plays."""
        data = await body(request)
        line = data.get("line")
        if not isinstance(line, str):
            raise PodiumError("an answer is a line of text")
        self.tables[request.path_params["table"]].answer(integer(data, "turn", 0, MOST_TURNS), line)
        return Json({})

    async def hint(self, request: Request) -> Response:
        """What a bot would play in the person's place."""
        data = await body(request)
        table = self.tables[request.path_params["table"]]
        asked = table.asked
        if asked is None:
            raise PodiumError("it is not your turn")
        conditions = table.seating.conditions
        game = load(conditions.game)
        question = Question(
            conditions.game,
            dict(conditions.settings),
            table.seating.seed,
            table.record,
            asked["turn"],
            asked["seat"],
            await run_in_threadpool(self.entrant, game, data.get("bot")),
            number(data, "milliseconds", 1, MOST_MILLISECONDS),
            veiled=True,
        )
        return Json(await self.thinkers.ask(question))

    async def leave(self, request: Request) -> Response:
        """Leave a table."""
        await body(request)
        self.tables[request.path_params["table"]].leave()
        return Json({})

    def routes(self) -> list[BaseRoute]:
        """Their addresses."""
        return [
            Route(f"{API}/games/{{number}}/think", self.think, methods=["POST"]),
            Route(f"{API}/games/{{number}}/review", self.review, methods=["POST"]),
            Route(f"{API}/tables", self.open, methods=["POST"]),
            Route(f"{API}/tables/{{table}}", self.table),
            Route(f"{API}/tables/{{table}}/events", self.events),
            Route(f"{API}/tables/{{table}}/answer", self.answer, methods=["POST"]),
            Route(f"{API}/tables/{{table}}/hint", self.hint, methods=["POST"]),
            Route(f"{API}/tables/{{table}}/leave", self.leave, methods=["POST"]),
        ]


async def body(request: Request) -> dict[str, Any]:
    """The object that a request carries."""
    try:
        data = await request.json()
    except ValueError:
        raise PodiumError("the request is not JSON") from None
    if not isinstance(data, dict):
        raise PodiumError("the request is not a JSON object")
    return data


def integer(data: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A whole number within bounds; the lower one where nothing is said."""
    value = data.get(name, low)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PodiumError(f"{name} is a whole number from {low} to {high}, not {str(value)[:40]!r}")
    return value


def number(data: Mapping[str, Any], name: str, low: float, high: float) -> float:
    """A number within bounds."""
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise PodiumError(f"{name} is a number from {low:g} to {high:g}, not {str(value)[:40]!r}")
    return float(value)
