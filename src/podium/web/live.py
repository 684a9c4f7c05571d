"""News of runs as server-sent events, which a browser takes up again by itself where they broke off.

Games are stored by other processes, so the store is looked at a few times a second. The id of an event is the number
of the newest game that it tells of: the browser sends it back when it connects again.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from podium.web.encoding import encode
from podium.web.library import Library

LOOK_SECONDS = 0.4
QUIET_SECONDS = 15.0  # after which a comment shows that the connection lives
SLOW_DOWN = 8  # figures of a large run are added up again at most for one part in so many of the time
MOST_AT_ONCE = 200  # games in one event; a page that was away for long loads the run again instead


def event(name: str, data: Any, number: int | None = None) -> str:
    """One event as text."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {encode(data)}\n\n"


def last_seen(request: Request) -> int | None:
    """The id of the last event that a page has had."""
    word = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return int(word) if word.isdigit() and len(word) < 19 else None


def stream(events: AsyncIterator[str]) -> StreamingResponse:
    """A response of events."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def run_events(library: Library, number: int, after: int | None, request: Request) -> AsyncIterator[str]:
    """The games of a run as they come, each batch with the run's new figures."""
    loop = asyncio.get_running_loop()
    if after is None:
        report = await run_in_threadpool(library.run, number)
        after = int(report["last_game"])
        yield event("run", report, after)
    told = loop.time()
    while not await request.is_disconnected():
        games = await run_in_threadpool(library.news, number, after)
        if games:
            start = loop.time()
            report = await run_in_threadpool(library.run, number)
            after = int(games[-1]["id"])
            yield event("games", {"games": games[-MOST_AT_ONCE:], "run": report}, after)
            told = loop.time()
            await asyncio.sleep(max(LOOK_SECONDS, min(2.0, SLOW_DOWN * (told - start))))
        else:
            if loop.time() - told > QUIET_SECONDS:
                told = loop.time()
                yield ": still here\n\n"
            await asyncio.sleep(LOOK_SECONDS)


async def home_events(library: Library, request: Request) -> AsyncIterator[str]:
    """The list of runs, whenever it changes."""
    before: Any = None
    told = asyncio.get_running_loop().time()
    while not await request.is_disconnected():
        runs = await run_in_threadpool(library.runs)
        if runs != before:
            before, told = runs, asyncio.get_running_loop().time()
            yield event("runs", runs)
        elif asyncio.get_running_loop().time() - told > QUIET_SECONDS:
            told = asyncio.get_running_loop().time()
            yield ": still here\n\n"
        await asyncio.sleep(1.0)
