"""Connections to the server: one whose request does not arrive is closed.

A request that is not HTTP is refused, and leaves no traceback.

uvicorn closes a connection that is idle after a request, but waits without end for the rest of a request's head.
(The rest of a body is waited for where it is read: `actions.body`.)
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # in which the head of a request has to arrive


class ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a time limit for the head of a request."""

    _limit: asyncio.TimerHandle | None = None  # runs while a head is awaited

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(HEAD_SECONDS, self._close_if_waiting)

    def data_received(self, data: bytes) -> None:
        """Read on; the time limit runs while a head is incomplete, and ends with it."""
        super().data_received(data)
        is_waiting = self.conn.their_state is h11.IDLE
        if is_waiting and self._limit is None:
            self._limit = self.loop.call_later(HEAD_SECONDS, self._close_if_waiting)
        elif not is_waiting:
            self._end_limit()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP. A response that is under way breaks off: uvicorn would send both, and fail."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._end_limit()
        super().connection_lost(exc)

    def _end_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _close_if_waiting(self) -> None:
        self._limit = None
        if self.conn.their_state is h11.IDLE:
            self.transport.close()
