"""The addresses that only read: runs, games, leagues, rules, the lab."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from podium import __version__
from podium.arena.analysis.slices import slice_stored
from podium.errors import PodiumError
from podium.games import load, names
from podium.model.params import LARGEST
from podium.web.encoding import encode
from podium.web.game_document import GIVEN, Replays, given_script, own_script, rules_data
from podium.web.lab_data import claims_data, trainings
from podium.web.live import home_events, last_seen, run_events, stream
from podium.web.repository import MissingError, Repository

VERSION = 1  # of the JSON: it changes when something is no longer where it was
API = f"/api/v{VERSION}"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NUMBER_DIGITS = 15  # of a game or run in an address
FILTERS = ("bot", "seat", "result", "fault", "ending", "shortest", "longest")
NUMBERS = ("bot", "seat", "shortest", "longest")

Handler = Callable[[Request], Awaitable[Response]]


class Json(JSONResponse):
    """A JSON response that every browser can read."""

    def render(self, content: Any) -> bytes:
        """Encode the content as bytes."""
        return encode(content).encode()


def number_in(request: Request) -> int:
    """A number in an address, with or without its letter: 41, g41, r7."""
    word = request.path_params["number"].removeprefix("g").removeprefix("r")
    if not word.isdecimal() or len(word) > NUMBER_DIGITS:
        raise MissingError(f"expected a number such as 41, not {word[:40]!r}")
    return int(word)


def check_number(name: str, word: str) -> int:
    """A number in the query of an address; PodiumError if it is none."""
    if not word.isdecimal() or len(word) > NUMBER_DIGITS:
        raise PodiumError(f"{name} is a number, not {word[:40]!r}")
    return int(word)


class Queries:
    """Answers read-only requests about the store."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.replays = Replays(repository)

    async def script(self, request: Request) -> Response:
        """The `scene.js` of a game."""
        name = request.path_params["game"]
        if name.startswith(GIVEN):
            path = await run_in_threadpool(given_script, self.repository, name.removeprefix(GIVEN))
        else:
            path = own_script(name) if name in names() else None
        if path is None:
            raise MissingError(f"no game {name[:80]!r} draws itself")
        return Response(
            path.read_text(encoding="utf-8"), media_type=MEDIA_TYPES[".js"], headers={"Cache-Control": "no-cache"}
        )

    async def about(self, request: Request) -> Response:
        """The version of the JSON and of the program."""
        return Json({"api": VERSION, "podium": __version__, "store": self.repository.path.name})

    async def rules(self, request: Request) -> Response:
        """The games with their bots and settings."""
        return Json(await run_in_threadpool(self._rules))

    def _rules(self) -> list[dict[str, Any]]:
        found = map(rules_with_bots, self.repository.games_known())
        return [{**rules, "stored": self.repository.programs(rules["name"])} for rules in found]

    async def runs(self, request: Request) -> Response:
        """The newest runs."""
        words = request.query_params
        before = check_number("before", words.get("before") or "0")
        game, kind = words.get("game") or "", words.get("kind") or ""
        return Json(await run_in_threadpool(lambda: self.repository.runs(before, game=game, kind=kind)))

    async def choices(self, request: Request) -> Response:
        """What the list of runs can be narrowed to."""
        return Json(await run_in_threadpool(self.repository.choices))

    async def run(self, request: Request) -> Response:
        """A run with all its figures."""
        return Json(await run_in_threadpool(self.repository.run, number_in(request)))

    async def games(self, request: Request) -> Response:
        """The games of a run that match some filters."""
        words = request.query_params
        filters = {name: words[name] for name in FILTERS if words.get(name)}
        for name in filters.keys() & NUMBERS:
            check_number(name, filters[name])
        offset = check_number("offset", words.get("offset") or "0")
        return Json(await run_in_threadpool(self.repository.games, number_in(request), filters, offset))

    async def slices(self, request: Request) -> Response:
        """The results of a bot by attributes of games: the same as `podium slice --json`."""
        bot, number = request.query_params.get("bot", ""), number_in(request)
        report = await run_in_threadpool(slice_stored, f"r{number}", bot=bot, path=self.repository.path)
        return Json(report.data())

    async def next_lost(self, request: Request) -> Response:
        """The next game of the run that the bot in a seat lost."""
        seat = check_number("seat", request.query_params.get("seat") or "0")
        return Json({"game": await run_in_threadpool(self.repository.next_lost, number_in(request), seat)})

    async def page_file(self, request: Request) -> Response:
        """The page of a game as one HTML file to keep."""
        from podium.web.standalone_html import game_file  # which imports the application

        number = number_in(request)
        text = await run_in_threadpool(game_file, self.repository, number)
        headers = {"Content-Disposition": f'attachment; filename="g{number}.html"'}
        return Response(text, media_type="text/html", headers=headers)

    async def lab(self, request: Request) -> Response:
        """Runs of the lab, and training runs beside the store."""
        runs = await run_in_threadpool(self.repository.lab)
        return Json({"runs": runs, "trainings": await run_in_threadpool(trainings, self.repository.path.parent)})

    async def claims(self, request: Request) -> Response:
        """The claims of the write-ups with their verdicts."""
        return Json(await run_in_threadpool(claims_data, self.repository.path))

    async def league(self, request: Request) -> Response:
        """A league with its history."""
        return Json(await run_in_threadpool(self.repository.league, request.path_params["name"]))

    async def game(self, request: Request) -> Response:
        """A game with all its positions."""
        return Json(await run_in_threadpool(self.replays.document, number_in(request)))

    async def prompts(self, request: Request) -> Response:
        """The prompts of all seats of a game."""
        return Json(await run_in_threadpool(self.replays.prompts, number_in(request)))

    async def position(self, request: Request) -> Response:
        """A position of a game as text."""
        turn = check_number("turn", request.query_params.get("turn") or "0")
        return Json({"position": await run_in_threadpool(self.replays.position_text, number_in(request), turn)})

    async def run_events(self, request: Request) -> Response:
        """New games of a run, as events."""
        number = number_in(request)
        await run_in_threadpool(self.repository.new_games, number, LARGEST)  # an unknown run is an error, not a stream
        return stream(run_events(self.repository, number, last_seen(request), request))

    async def home_events(self, request: Request) -> Response:
        """Changes of the list of runs, as events."""
        return stream(home_events(self.repository, request))


@cache
def rules_with_bots(name: str) -> dict[str, Any]:
    """A game with its bots; one that cannot be loaded with its error."""
    try:
        return _rules_with_bots(name)
    except PodiumError as error:
        return {"name": name, "error": str(error)}


def _rules_with_bots(name: str) -> dict[str, Any]:
    game = load(name)
    return {
        **rules_data(game),
        "limit_ms": game.contest.limits.later,
        "bank": game.contest.limits.bank,
        "bots": [
            {
                "name": kind.name,
                "summary": kind.summary,
                "parameters": {key: parameter.help for key, parameter in kind.param_spec.parameters.items()},
            }
            for kind in game.bots.values()
        ],
    }


def query_routes(queries: Queries) -> list[BaseRoute]:
    """The routes that only read."""
    questions: dict[str, Handler] = {
        "": queries.about,
        "/rules": queries.rules,
        "/runs": queries.runs,
        "/runs/choices": queries.choices,
        "/runs/{number}": queries.run,
        "/runs/{number}/games": queries.games,
        "/runs/{number}/slices": queries.slices,
        "/runs/{number}/events": queries.run_events,
        "/events": queries.home_events,
        "/lab": queries.lab,
        "/claims": queries.claims,
        "/leagues/{name}": queries.league,
        "/games/{number}": queries.game,
        "/games/{number}/prompts": queries.prompts,
        "/games/{number}/position": queries.position,
        "/games/{number}/page": queries.page_file,
        "/games/{number}/next_lost": queries.next_lost,
    }
    return [Route(API + path, handler) for path, handler in questions.items()]
