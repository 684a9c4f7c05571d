"""The addresses of searches: search a position and keep the trace, then its rows, positions and moves."""

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from podium.errors import PodiumError
from podium.games import load
from podium.games.parsing import is_prompt
from podium.web.actions import MOST_TURNS, Actions, body, integer
from podium.web.analysis_worker import MOST_NODES
from podium.web.queries import API, NUMBER_DIGITS, Json, number_in
from podium.web.traces import LONGEST_POSITION, TraceRequest, Traces, node_data, texts_of

LARGEST_GAME = 10**15


class TraceActions:
    """Searches for the pages, and shows what the searches did."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions
        self.traces = Traces()

    async def search(self, request: Request) -> Response:
        """Search a turn of a stored game or a position, and keep the trace."""
        data = await body(request)
        task = await run_in_threadpool(self._task, data)
        packed = await self.actions.analysis.trace(task)
        return Json(await run_in_threadpool(self.traces.add, packed), 201)

    def _task(self, data: Mapping[str, Any]) -> TraceRequest:
        nodes = integer(data, "nodes", 1, MOST_NODES)
        stored, turn, text = None, 0, ""
        if data.get("game") is not None:
            stored = self.actions.replays.stored(integer(data, "game", 1, LARGEST_GAME))
            game, turn = load(stored.run.game), integer(data, "turn", 1, MOST_TURNS)
        else:
            name, text = data.get("rules"), data.get("position", "")
            if name not in self.actions.repository.games_known():
                raise PodiumError(f"there is no game {str(name)[:40]!r}")
            if not isinstance(text, str) or len(text) > LONGEST_POSITION:
                raise PodiumError("a position is a text: moves, or a prompt")
            game = load(str(name))
            if "\n" not in text and is_prompt([text]):
                raise PodiumError("a page may not name a file with a prompt: paste the prompt")
        seat = None if data.get("seat") is None else integer(data, "seat", 0, game.seats - 1)
        bot = self.actions.entrant(game, data.get("bot") or game.default_bot).name
        return TraceRequest(game.name, bot, nodes, seat, stored, turn, text)

    async def file(self, request: Request) -> Response:
        """The file of a trace."""
        return Response(self.traces[request.path_params["trace"]][0], media_type="application/octet-stream")

    async def node(self, request: Request) -> Response:
        """The position of a node."""
        trace = self.traces[request.path_params["trace"]][1]
        return Json(await run_in_threadpool(node_data, trace, number_in(request)))

    async def texts(self, request: Request) -> Response:
        """The moves of some rows, as text."""
        trace = self.traces[request.path_params["trace"]][1]
        words = request.query_params.get("rows", "").split(",")
        if not all(word.isdecimal() and len(word) < NUMBER_DIGITS for word in words):
            raise PodiumError("rows are numbers with commas between them")
        return Json(await run_in_threadpool(texts_of, trace, [int(word) for word in words]))

    def routes(self) -> list[BaseRoute]:
        """The routes of all of these."""
        return [
            Route(f"{API}/traces", self.search, methods=["POST"]),
            Route(f"{API}/traces/{{trace}}", self.file),
            Route(f"{API}/traces/{{trace}}/texts", self.texts),
            Route(f"{API}/traces/{{trace}}/nodes/{{number}}", self.node),
        ]
