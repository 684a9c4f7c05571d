"""Access control of the server, and what a page may do.

The server plays games and asks bots to think, so a page of another site must not drive it: not by a link, not by a
form, not by a name that resolves to this machine (DNS rebinding). Every request is checked first of all:

* The Host header must be a name under which the server was started.
* A request with an Origin must come from the server's own pages; one that changes anything must be JSON as well, which
  no form can send.
* Where the server is not on the loopback address, every request needs the token that it printed when it started.

Pages may load nothing from elsewhere and run no inline script; text of bots is only ever written as text.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "podium_token"
LARGEST_BODY = 100_000  # bytes


def hash_source(script: str) -> str:
    """The source expression of a Content-Security-Policy that allows one inline script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def policy(script_hash: str) -> str:
    """The Content-Security-Policy of the pages: everything from here, and the one import map."""
    return (
        f"default-src 'none'; script-src 'self' {script_hash}; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Checks every request, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], token: str, content_policy: str) -> None:
        self.app, self.hosts, self.token = app, {host.lower() for host in hosts}, token
        self.headers = {
            "Content-Security-Policy": content_policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        if refusal := self._refusal(scope, headers):
            await PlainTextResponse(f"{refusal}\n", 403)(scope, receive, send_guarded)
            return
        if self.token and not self._is_known(headers):
            given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
            if not hmac.compare_digest(given.encode(), self.token.encode()):
                await PlainTextResponse("this server needs its token: open the address that it printed\n", 401)(
                    scope, receive, send_guarded
                )
                return
            response = RedirectResponse(scope["path"], 303)
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            await response(scope, receive, send_guarded)
            return
        await self.app(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> str:
        host = headers.get("host", "")
        if host_name(host) not in self.hosts:
            return "this server is not known under that name"
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            return "pages of other sites may not use this server"
        if scope["method"] not in ("GET", "HEAD"):
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return "pages of other sites may not use this server"
            if headers.get("content-type", "").partition(";")[0] != "application/json":
                return "requests that change something are JSON"
            length = headers.get("content-length", "")
            if not length.isdecimal() or int(length) > LARGEST_BODY:
                return f"a request has at most {LARGEST_BODY:,} bytes, and says how many"
        return ""

    def _is_known(self, headers: Headers) -> bool:
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        given = (bearer, cookie.value if cookie else "")
        return any(hmac.compare_digest(word.encode(), self.token.encode()) for word in given)


def _netloc(origin: str) -> str:
    """The host and port of an Origin header; "" if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
