"""The addresses that start and stop runs."""

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from podium.arena.bounds import SEED, whole
from podium.errors import PodiumError
from podium.games import load
from podium.web.actions import Actions, body, integer, number
from podium.web.analysis_worker import MOST_MILLISECONDS, MOST_NODES
from podium.web.queries import API, Json, number_in
from podium.web.started_runs import StartedRuns

MOST_BOTS = 12  # of a run that a page starts
MOST_GAMES = 1_000_000
MOST_JOBS = 64
LONGEST_NAME = 60  # characters of a league


class RunActions:
    """Starts and stops runs for the pages."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions
        self.started = StartedRuns()

    async def start(self, request: Request) -> Response:
        """Start a match of two bots, or a league of more; the same request goes on with the same run."""
        wish = await run_in_threadpool(self._wish, await body(request))
        return Json({"run": await run_in_threadpool(self.started.start, wish)}, 201)

    def _wish(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """What to play; PodiumError if a page may not ask for it."""
        name, bots = data.get("game"), data.get("bots")
        if name not in self.actions.repository.games_known():
            raise PodiumError(f"there is no game {str(name)[:40]!r}")
        game = load(str(name))
        if not isinstance(bots, list) or not 2 <= len(bots) <= MOST_BOTS:
            raise PodiumError(f"a run has 2 to {MOST_BOTS} bots")
        for bot in bots:
            self.actions.entrant(game, bot)
        if len(set(bots)) < len(bots):
            raise PodiumError("a bot plays another one: name each once")
        league = data.get("name") or "league"
        if not isinstance(league, str) or len(league) > LONGEST_NAME:
            raise PodiumError(f"a league is named by a text of at most {LONGEST_NAME} characters")
        options = {
            "store": str(self.actions.repository.path),
            "nodes": integer(data, "nodes", 0, MOST_NODES),
            "time": number({"milliseconds": 0, **data}, "milliseconds", 0, MOST_MILLISECONDS),
            "jobs": integer(data, "jobs", 0, MOST_JOBS),
            "seed": whole(SEED, data["seed"]) if data.get("seed") is not None else int(SEED.default),
        }
        games = integer(data, "games", 2, MOST_GAMES)
        return {"game": game.name, "bots": bots, "games": games, "name": league, "options": options}

    async def stop(self, request: Request) -> Response:
        """Stop a run that was started here."""
        await body(request)
        await run_in_threadpool(self.started.stop, number_in(request))
        return Json({})

    async def playing(self, request: Request) -> Response:
        """The runs that were started here and are being played; with `run`, also why that one ended."""
        word = request.query_params.get("run", "")
        problem = self.started.problem(int(word)) if word.isdecimal() and len(word) < 16 else ""
        return Json({"playing": self.started.playing(), "problem": problem})

    def routes(self) -> list[BaseRoute]:
        """The routes of all of these."""
        return [
            Route(f"{API}/runs", self.start, methods=["POST"]),
            Route(f"{API}/runs/{{number}}/stop", self.stop, methods=["POST"]),
            Route(f"{API}/playing", self.playing),
        ]

    def close(self) -> None:
        """End all runs that were started."""
        self.started.close()
