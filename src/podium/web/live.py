"""New games of runs as server-sent events; a browser that reconnects continues where it was.

Other processes store the games, so the store is polled a few times a second. The id of an event is the number of its
newest game; the browser sends it back when it reconnects.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from podium.web.encoding import encode
from podium.web.repository import Repository

POLL_SECONDS = 0.4  # between two looks at the games of a run in the store
HOME_POLL_SECONDS = 1.0  # between two looks at the list of runs
QUIET_SECONDS = 15.0  # after which a comment shows that the connection lives
SLOW_DOWN = 8  # updating the figures of a large run may take one part in this many of the time
MOST_AT_ONCE = 200  # games in one event; a page that was away for long loads the run again instead


def event(name: str, data: Any, number: int | None = None) -> str:
    """One server-sent event as text."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {encode(data)}\n\n"


def last_seen(request: Request) -> int | None:
    """The id of the last event that a page received."""
    word = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return int(word) if word.isdecimal() and len(word) < 19 else None


def stream(events: AsyncIterator[str]) -> StreamingResponse:
    """A streaming response of events."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def run_events(repository: Repository, number: int, after: int | None, request: Request) -> AsyncIterator[str]:
    """The games of a run as they are stored, each batch with the run's new figures."""
    loop = asyncio.get_running_loop()
    if after is None:
        report = await run_in_threadpool(repository.run, number)
        after = int(report["last_game"])
        yield event("run", report, after)
    told = loop.time()
    while not await request.is_disconnected():
        games = await run_in_threadpool(repository.new_games, number, after)
        if games:
            start = loop.time()
            report = await run_in_threadpool(repository.run, number)
            after = int(games[-1]["id"])
            yield event("games", {"games": games[-MOST_AT_ONCE:], "run": report}, after)
            told = loop.time()
            await asyncio.sleep(max(POLL_SECONDS, min(2.0, SLOW_DOWN * (told - start))))
        else:
            if loop.time() - told > QUIET_SECONDS:
                told = loop.time()
                yield ": still here\n\n"
            await asyncio.sleep(POLL_SECONDS)


async def home_events(repository: Repository, request: Request) -> AsyncIterator[str]:
    """The list of runs, whenever it changes."""
    before: Any = None
    told = asyncio.get_running_loop().time()
    while not await request.is_disconnected():
        runs = await run_in_threadpool(repository.runs)
        if runs != before:
            before, told = runs, asyncio.get_running_loop().time()
            yield event("runs", runs)
        elif asyncio.get_running_loop().time() - told > QUIET_SECONDS:
            told = asyncio.get_running_loop().time()
            yield ": still here\n\n"
        await asyncio.sleep(HOME_POLL_SECONDS)
