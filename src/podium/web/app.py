"""The server's routes: pages, their files, and the JSON that they are built on.

All pages share one empty HTML shell; their modules fetch JSON and draw it. No part of an address becomes a path:
files are looked up among those of the package, games among those that are installed.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from podium.errors import PodiumError
from podium.web.queries import MEDIA_TYPES, Json, Queries, query_routes
from podium.web.repository import MissingError, Repository
from podium.web.security import Guard, hash_source, policy


@cache
def static_files() -> Mapping[str, str]:
    """The text of every static file by its name, those in `pages/` included."""
    root = files("podium.web").joinpath("static")
    found = {entry.name: entry.read_text(encoding="utf-8") for entry in root.iterdir() if entry.is_file()}
    pages = root.joinpath("pages")
    return found | {f"pages/{entry.name}": entry.read_text(encoding="utf-8") for entry in pages.iterdir()}


@cache
def import_map() -> str:
    """The import map of the pages: modules import one another as `podium/name.js`."""
    return json.dumps({"imports": {"podium/": "/static/"}})


def shell() -> str:
    """The HTML shell that all pages share."""
    return static_files()["shell.html"].replace("{import_map}", import_map())


async def page(request: Request) -> Response:
    """Any page; its modules read the address."""
    return HTMLResponse(shell(), headers={"Cache-Control": "no-cache"})


async def static(request: Request) -> Response:
    """A static file of the pages."""
    name = request.path_params["name"]
    text = static_files().get(name)
    if text is None or name.endswith(".html"):
        raise MissingError(f"there is no file {name[:80]!r}")
    suffix = name[name.rindex(".") :]
    return Response(text, media_type=MEDIA_TYPES[suffix], headers={"Cache-Control": "no-cache"})


async def failed(request: Request, error: Exception) -> Response:
    """The response to a request that was wrong."""
    return Json({"error": str(error)}, 404 if isinstance(error, MissingError) else 400)


async def hung_up(request: Request, error: Exception) -> Response:
    """The response that nobody receives."""
    return Response(status_code=400)


PAGES = (
    "/",
    "/new",
    "/compare",
    "/runs/{number}",
    "/leagues/{name}",
    "/games/{number}",
    "/play",
    "/play/{table}",
    "/lab",
    "/claims",
    "/search",
)


def application(
    repository: Repository,
    hosts: list[str],
    token: str = "",
    more: Sequence[BaseRoute] = (),
    ended: Callable[[], None] = lambda: None,
) -> Starlette:
    """The whole application; `more` are the routes of actions, `ended` is called at shutdown."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        ended()

    content_policy = policy(hash_source(import_map()))
    queries = Queries(repository)
    return Starlette(
        routes=[
            *query_routes(queries),
            *more,
            *(Route(path, page) for path in PAGES),
            Route("/static/{name:path}", static),
            Route("/scenes/{game}.js", queries.script),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, token=token, content_policy=content_policy),
            Middleware(GZipMiddleware, minimum_size=20_000, compresslevel=1),
        ],
        exception_handlers={PodiumError: failed, ClientDisconnect: hung_up},
        lifespan=lifespan,
    )
