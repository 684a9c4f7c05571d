"""The addresses that do something: ask a bot, start a live game, answer in it.

Pages may start the bots of the game with any parameters, and programs that are already in the store. Other programs are
started only if the server was started with `--programs`.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from podium.arena.analysis.pins import DEFAULT_PINS, LONGEST_NOTE, add_pin, pin_of
from podium.arena.bounds import SEED, whole
from podium.arena.entrants.bot_names import given_name
from podium.arena.entrants.entrant import Entrant, entrant
from podium.arena.store.game_row import GameRow
from podium.arena.tournament.options import conditions_of
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game
from podium.web.analysis_worker import MOST_MILLISECONDS, MOST_NODES, AnalysisRequest, AnalysisWorker, ReviewRequest
from podium.web.game_document import Replays, rules_data
from podium.web.live import event, last_seen, stream
from podium.web.live_games import HUMAN, LiveGame, LiveGames, LiveGameSetup, human
from podium.web.queries import API, Json, number_in
from podium.web.repository import Repository

POLL_SECONDS = 0.05  # between two looks at the events of a live game
QUIET_LOOKS = 300  # after which a comment shows that the connection lives
MOST_TURNS = 10**6
BODY_SECONDS = 10.0  # in which a request that has begun has to arrive
MOST_MEMORY = 1024  # MB that a page may give a bot


class Actions:
    """Analyses positions and runs live games for the pages."""

    def __init__(self, repository: Repository, programs: bool) -> None:
        self.repository, self.programs = repository, programs
        self.replays = Replays(repository)
        self.analysis = AnalysisWorker()
        self.live_games = LiveGames(self._keep)

    def _keep(self, setup: LiveGameSetup, game: GameRow) -> int:
        parent = {"parent": {"game": setup.parent, "turn": setup.turn}} if setup.parent else {}
        return self.repository.store_game(setup.conditions, setup.entrants, game, parent)

    def close(self) -> None:
        """End all processes that were started."""
        self.analysis.close()
        self.live_games.close()

    def entrant(self, game: Game, spec: Any) -> Entrant:
        """The bot that a page names, if it may be started."""
        if not isinstance(spec, str) or not 0 < len(spec) <= 1000:
            raise PodiumError("a bot is named by a text such as champion or champion:depth=4")
        inside = given_name(spec)[1].partition(":")[0].strip() in game.bots
        if not inside and not self.programs and spec not in self.repository.programs(game.name):
            raise PodiumError(
                f"{spec!r} is neither a bot of {game.title} nor in the store; "
                "`podium web --programs` lets pages start any program"
            )
        if inside and not self.programs:
            refuse_costly(game, spec)
        return entrant(game, spec)

    async def think(self, request: Request) -> Response:
        """What a bot would play at a turn of a stored game."""
        data = await body(request)
        stored = await run_in_threadpool(self.replays.stored, number_in(request))
        game = load(stored.run.game)
        who = await run_in_threadpool(self.entrant, game, data.get("bot"))
        seat = integer(data, "seat", 0, game.seats - 1)
        question = AnalysisRequest(
            stored.run.game,
            dict(stored.settings),
            stored.row.seed,
            stored.record.pack(),
            integer(data, "turn", 0, MOST_TURNS),
            seat,
            who,
            number(data, "milliseconds", 1, MOST_MILLISECONDS),
            integer(data, "nodes", 0, MOST_NODES),
        )
        return Json(await self.analysis.ask(question))

    async def review(self, request: Request) -> Response:
        """A bot's review of all answers of a seat: the same as `podium review --json`, with its default budget, too."""
        data = await body(request)
        stored = await run_in_threadpool(self.replays.stored, number_in(request))
        game = load(stored.run.game)
        who = await run_in_threadpool(self.entrant, game, data.get("bot"))
        seat = integer(data, "seat", 0, game.seats - 1)
        given = data.get("milliseconds") is not None
        limit = number(data, "milliseconds", 1, MOST_MILLISECONDS / 10) if given else None
        return Json(await self.analysis.review(ReviewRequest(stored, seat, who.name, limit)))

    async def pin(self, request: Request) -> Response:
        """Keep a position with what should be played there, as `podium pin` does, in the folder of the server."""
        data = await body(request)
        stored = await run_in_threadpool(self.replays.stored, number_in(request))
        expect, note = data.get("expect", []), data.get("note", "")
        if not isinstance(expect, list) or not all(isinstance(move, str) for move in expect):
            raise PodiumError("what is expected is a list of moves")
        if not isinstance(note, str) or len(note) > LONGEST_NOTE:
            raise PodiumError(f"a note is a text of at most {LONGEST_NOTE} characters")
        turn, seat = integer(data, "turn", 0, MOST_TURNS), integer(data, "seat", 0, len(stored.bots) - 1)
        made = await run_in_threadpool(pin_of, stored, turn + 1, seat, expect=expect, note=note)
        added = await run_in_threadpool(add_pin, made, DEFAULT_PINS)
        return Json({"wanted": made.wanted, "file": str(DEFAULT_PINS), "added": added})

    async def open(self, request: Request) -> Response:
        """Start a live game: a new one, or one that continues a stored game."""
        data = await body(request)
        setup = await run_in_threadpool(self._setup, data)
        live_game = await run_in_threadpool(self.live_games.open, setup)
        return Json({"table": live_game.id}, 201)

    def _setup(self, data: Mapping[str, Any]) -> LiveGameSetup:
        start = data.get("from")
        if start is not None:
            if not isinstance(start, dict):
                raise PodiumError("a game continues another one: give its number and the turn")
            stored = self.replays.stored(integer(start, "game", 1, 10**15))
            game, seed, settings = load(stored.run.game), stored.row.seed, dict(stored.settings)
            past, turn, parent = stored.record.pack(), integer(start, "turn", 0, MOST_TURNS), stored.id
        else:
            name = data.get("game")
            if name not in self.repository.games_known():
                raise PodiumError(f"there is no game {str(name)[:40]!r}")
            game, settings, past, turn, parent = load(str(name)), {}, b"", 0, 0
            seed = whole(SEED, data["seed"]) if data.get("seed") is not None else secrets.randbits(40)
        bots = data.get("bots")
        if not isinstance(bots, list) or len(bots) != game.seats:
            raise PodiumError(f"{game.title} has {game.seats} seats, and wants a bot or {HUMAN!r} for each")
        if game.pictures.choices is None and HUMAN in bots:
            raise PodiumError(f"{game.title} cannot be played by hand")
        entrants = tuple(human() if bot == HUMAN else self.entrant(game, bot) for bot in bots)
        if sum(who.kind == HUMAN for who in entrants) > 1:
            raise PodiumError("one person plays at a time")
        conditions = conditions_of(game, time=number(data, "milliseconds", 1, MOST_MILLISECONDS), settings=settings)
        return LiveGameSetup(conditions, entrants, seed, past, turn, parent)

    async def live_game(self, request: Request) -> Response:
        """What a page needs to know about a live game."""
        setup = self.live_games[request.path_params["table"]].setup
        game = load(setup.conditions.game)
        return Json(
            {
                "rules": rules_data(game),
                "bots": [who.label for who in setup.entrants],
                "people": setup.people,
                "milliseconds": setup.conditions.time_control.milliseconds,
                "parent": {"game": setup.parent, "turn": setup.turn} if setup.parent else None,
            }
        )

    async def events(self, request: Request) -> Response:
        """The progress of a live game, as events."""
        return stream(self._events(self.live_games[request.path_params["table"]], request))

    async def _events(self, live_game: LiveGame, request: Request) -> AsyncIterator[str]:
        seen = last_seen(request)
        place = 0 if seen is None else seen + 1
        looks = 0
        with live_game.watched():
            while not await request.is_disconnected():
                while place < len(live_game.events):
                    word, data = live_game.events[place]
                    yield event(word, data, place)
                    place += 1
                if live_game.over:
                    yield event("end", None)
                    return
                looks += 1
                if looks % QUIET_LOOKS == 0:
                    yield ": still here\n\n"
                await asyncio.sleep(POLL_SECONDS)

    async def answer(self, request: Request) -> Response:
        """The answer of a person."""
        data = await body(request)
        line = data.get("line")
        if not isinstance(line, str):
            raise PodiumError("an answer is a line of text")
        self.live_games[request.path_params["table"]].answer(integer(data, "turn", 0, MOST_TURNS), line)
        return Json({})

    async def hint(self, request: Request) -> Response:
        """What a bot would play instead of the person."""
        data = await body(request)
        live_game = self.live_games[request.path_params["table"]]
        asked = live_game.asked
        if asked is None:
            raise PodiumError("it is not your turn")
        conditions = live_game.setup.conditions
        game = load(conditions.game)
        question = AnalysisRequest(
            conditions.game,
            dict(conditions.settings),
            live_game.setup.seed,
            live_game.record,
            asked["turn"],
            asked["seat"],
            await run_in_threadpool(self.entrant, game, data.get("bot")),
            number(data, "milliseconds", 1, MOST_MILLISECONDS),
            veiled=True,
        )
        return Json(await self.analysis.ask(question))

    async def leave(self, request: Request) -> Response:
        """Leave a live game, which ends it."""
        await body(request)
        self.live_games[request.path_params["table"]].leave()
        return Json({})

    def routes(self) -> list[BaseRoute]:
        """The routes of all actions."""
        return [
            Route(f"{API}/games/{{number}}/think", self.think, methods=["POST"]),
            Route(f"{API}/games/{{number}}/review", self.review, methods=["POST"]),
            Route(f"{API}/games/{{number}}/pin", self.pin, methods=["POST"]),
            Route(f"{API}/tables", self.open, methods=["POST"]),
            Route(f"{API}/tables/{{table}}", self.live_game),
            Route(f"{API}/tables/{{table}}/events", self.events),
            Route(f"{API}/tables/{{table}}/answer", self.answer, methods=["POST"]),
            Route(f"{API}/tables/{{table}}/hint", self.hint, methods=["POST"]),
            Route(f"{API}/tables/{{table}}/leave", self.leave, methods=["POST"]),
        ]


def refuse_costly(game: Game, spec: str) -> None:
    """PodiumError if a page asks for a bot that reads a file of its choice, or takes much memory."""
    kind, changes = game.named(given_name(spec)[1])
    files = [name for name in changes if kind.param_spec.parameters[name].is_text]
    if files:
        raise PodiumError(f"a page may not name files, as {files[0]} does; `podium web --programs` lets pages do it")
    if float(changes.get("memory", 0)) > MOST_MEMORY:
        raise PodiumError(f"a page may give a bot at most memory={MOST_MEMORY} (MB), not {changes['memory']}")


async def body(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request."""
    try:
        data = await asyncio.wait_for(request.json(), BODY_SECONDS)
    except TimeoutError:
        raise PodiumError(f"the request did not arrive within {BODY_SECONDS:g} s") from None
    except (ValueError, RecursionError):
        raise PodiumError("the request is not JSON") from None
    if not isinstance(data, dict):
        raise PodiumError("the request is not a JSON object")
    return data


def integer(data: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A whole number within bounds; the lower bound if it is missing."""
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
