"""The server's addresses: pages, their files, and the JSON on which all of it stands.

Pages are one empty shell; their modules ask for JSON and draw it. No part of an address ever becomes a path: files are
looked up among those that the package holds, games among those that are installed.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from podium import __version__
from podium.errors import PodiumError
from podium.games import load, names
from podium.web.claimed import claimed
from podium.web.encoding import encode
from podium.web.library import Library, MissingError
from podium.web.live import home_events, last_seen, run_events, stream
from podium.web.replaying import GIVEN, Replays, given_script, own_script, rules_data
from podium.web.security import Guard, hash_source, policy
from podium.web.trainings import trainings

VERSION = 1  # of the JSON: it changes when something is no longer where it was
API = f"/api/v{VERSION}"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
NUMBER_DIGITS = 15  # of a game or run in an address
WISHES = ("bot", "seat", "result", "fault", "ending", "shortest", "longest")
NUMBERS = ("bot", "seat", "shortest", "longest")

Handler = Callable[[Request], Awaitable[Response]]


class Json(JSONResponse):
    """JSON that every browser can read."""

    def render(self, content: Any) -> bytes:
        """As bytes."""
        return encode(content).encode()


@cache
def static_files() -> Mapping[str, str]:
    """The text of every file of the pages by its name, the pages' own folder included."""
    root = files("podium.web").joinpath("static")
    found = {entry.name: entry.read_text(encoding="utf-8") for entry in root.iterdir() if entry.is_file()}
    pages = root.joinpath("pages")
    return found | {f"pages/{entry.name}": entry.read_text(encoding="utf-8") for entry in pages.iterdir()}


@cache
def import_map() -> str:
    """Where modules find each other: they import one another as `podium/name.js`."""
    return json.dumps({"imports": {"podium/": "/static/"}})


def shell() -> str:
    """The page that all addresses share."""
    return static_files()["shell.html"].replace("{import_map}", import_map())


def number_in(request: Request, name: str = "number") -> int:
    """A number of an address, with or without its letter: 41, g41, r7."""
    word = request.path_params[name].removeprefix("g").removeprefix("r")
    if not word.isdecimal() or len(word) > NUMBER_DIGITS:
        raise MissingError(f"expected a number such as 41, not {word[:40]!r}")
    return int(word)


class Desk:
    """Answers questions about the store."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.replays = Replays(library)

    async def script(self, request: Request) -> Response:
        """The module with which a game draws itself."""
        name = request.path_params["game"]
        if name.startswith(GIVEN):
            path = await run_in_threadpool(given_script, self.library, name.removeprefix(GIVEN))
        else:
            path = own_script(name) if name in names() else None
        if path is None:
            raise MissingError(f"no game {name[:80]!r} draws itself")
        return Response(
            path.read_text(encoding="utf-8"), media_type=MEDIA_TYPES[".js"], headers={"Cache-Control": "no-cache"}
        )

    async def about(self, request: Request) -> Response:
        """The version of the JSON and of the program."""
        return Json({"api": VERSION, "podium": __version__, "store": self.library.path.name})

    async def rules(self, request: Request) -> Response:
        """The games with their bots and settings."""
        return Json(await run_in_threadpool(self._rules))

    def _rules(self) -> list[dict[str, Any]]:
        return [{**rules, "stored": self.library.programs(rules["name"])} for rules in all_rules()]

    async def runs(self, request: Request) -> Response:
        """The newest runs."""
        before = request.query_params.get("before", "")
        return Json(await run_in_threadpool(self.library.runs, int(before) if before.isdecimal() else 0))

    async def run(self, request: Request) -> Response:
        """A run with all its figures."""
        return Json(await run_in_threadpool(self.library.run, number_in(request)))

    async def games(self, request: Request) -> Response:
        """The games of a run that fit some wishes."""
        words = request.query_params
        wishes = {name: words[name] for name in WISHES if words.get(name)}
        for name in (*NUMBERS, "offset"):
            if words.get(name) and not (words[name].isdecimal() and len(words[name]) <= NUMBER_DIGITS):
                raise PodiumError(f"{name} is a number, not {words[name][:40]!r}")
        offset = int(words.get("offset") or 0)
        return Json(await run_in_threadpool(self.library.games, number_in(request), wishes, offset))

    async def lab(self, request: Request) -> Response:
        """Measurements of the lab, and what networks have learned beside the store."""
        runs = await run_in_threadpool(self.library.lab)
        return Json({"runs": runs, "trainings": await run_in_threadpool(trainings, self.library.path.parent)})

    async def claims(self, request: Request) -> Response:
        """What is known of the claims of the write-ups."""
        return Json(await run_in_threadpool(claimed, self.library.path))

    async def league(self, request: Request) -> Response:
        """A league with its history."""
        return Json(await run_in_threadpool(self.library.league, request.path_params["name"]))

    async def game(self, request: Request) -> Response:
        """A game with all its positions."""
        return Json(await run_in_threadpool(self.replays.document, number_in(request)))

    async def prompts(self, request: Request) -> Response:
        """What the bots of a game were told."""
        return Json(await run_in_threadpool(self.replays.prompts, number_in(request)))

    async def run_events(self, request: Request) -> Response:
        """News of a run."""
        number = number_in(request)
        await run_in_threadpool(self.library.news, number, 0)  # a run that is not there is an error, not a stream
        return stream(run_events(self.library, number, last_seen(request), request))

    async def home_events(self, request: Request) -> Response:
        """News of all runs."""
        return stream(home_events(self.library, request))


@cache
def all_rules() -> list[dict[str, Any]]:
    """What there is to play. A game of another package that cannot be loaded says why, and harms no other."""
    found = []
    for name in names():
        try:
            found.append(_rules_with_bots(name))
        except PodiumError as error:
            found.append({"name": name, "error": str(error)})
    return found


def _rules_with_bots(name: str) -> dict[str, Any]:
    game = load(name)
    return {
        **rules_data(game),
        "limit_ms": game.limits.later,
        "bank": game.limits.bank,
        "playable": game.choices is not None,
        "bots": [
            {
                "name": kind.name,
                "summary": kind.summary,
                "parameters": {key: parameter.help for key, parameter in kind.minds.parameters.items()},
            }
            for kind in game.bots.values()
        ],
    }


async def page(request: Request) -> Response:
    """Any page: its modules read the address."""
    return HTMLResponse(shell(), headers={"Cache-Control": "no-cache"})


async def static(request: Request) -> Response:
    """A file of the pages."""
    name = request.path_params["name"]
    text = static_files().get(name)
    if text is None or name.endswith(".html"):
        raise MissingError(f"there is no file {name[:80]!r}")
    suffix = name[name.rindex(".") :]
    return Response(text, media_type=MEDIA_TYPES[suffix], headers={"Cache-Control": "no-cache"})


async def failed(request: Request, error: Exception) -> Response:
    """An error that is the asker's, as a sentence."""
    return Json({"error": str(error)}, 404 if isinstance(error, MissingError) else 400)


def desk_routes(desk: Desk) -> list[BaseRoute]:
    """The addresses that only read."""
    questions: dict[str, Handler] = {
        "": desk.about,
        "/rules": desk.rules,
        "/runs": desk.runs,
        "/runs/{number}": desk.run,
        "/runs/{number}/games": desk.games,
        "/runs/{number}/events": desk.run_events,
        "/events": desk.home_events,
        "/lab": desk.lab,
        "/claims": desk.claims,
        "/leagues/{name}": desk.league,
        "/games/{number}": desk.game,
        "/games/{number}/prompts": desk.prompts,
    }
    return [Route(API + path, handler) for path, handler in questions.items()]


PAGES = ("/", "/runs/{number}", "/leagues/{name}", "/games/{number}", "/play", "/play/{table}", "/lab", "/claims")


def application(
    library: Library,
    hosts: list[str],
    token: str = "",
    more: Sequence[BaseRoute] = (),
    ended: Callable[[], None] = lambda: None,
) -> Starlette:
    """The whole application; `more` are the addresses that do something, `ended` is called when all is over."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        ended()

    content_policy = policy(hash_source(import_map()))
    desk = Desk(library)
    return Starlette(
        routes=[
            *desk_routes(desk),
            *more,
            *(Route(path, page) for path in PAGES),
            Route("/static/{name:path}", static),
            Route("/scenes/{game}.js", desk.script),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, token=token, content_policy=content_policy),
            Middleware(GZipMiddleware, minimum_size=20_000, compresslevel=1),
        ],
        exception_handlers={PodiumError: failed},
        lifespan=lifespan,
    )
