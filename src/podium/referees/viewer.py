"""The contest's own viewer: a stored game in the player page of the referee's repository and of the engine.

The page is `view/test.html` of the engine's artifact `runner`; drawings and their code are the folder `view` of the
referee. Both are served from where they lie: the sources of the project first, then the jars of the class path. Two
files are made for it, as the engine's own runner does: `game.json`, the result of the game, and `assets.js`, the list
of the pictures.
"""

import json
import mimetypes
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from podium.errors import PodiumError
from podium.referees.transcript import Transcript

PAGE = "test.html"
GAME, ASSETS, DEMO = "game.json", "assets.js", "demo.js"
FOLDER = "view"
SOURCES = Path("src/main/resources") / FOLDER
NO_PICTURE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
LOOPBACK = ("127.0.0.1", "localhost")


class ViewFiles:
    """The files of a referee's viewer, by their paths in the page."""

    def __init__(self, project: Path, class_path: Sequence[str]) -> None:
        """`project` is the jar, or the folder of its Maven project."""
        near = [folder / SOURCES for folder in (project, *list(project.parents)[:2])]
        self._folders = [folder for folder in near if folder.is_dir()][:1]
        self._folders += [Path(part) / FOLDER for part in class_path if Path(part).is_dir()]
        self._jars = [Path(part) for part in class_path if Path(part).is_file()]

    def read(self, path: str) -> bytes | None:
        """A file; None if there is none."""
        place = PurePosixPath(path)
        if not path or place.is_absolute() or ".." in place.parts:
            return None
        for folder in self._folders:
            if (folder / place).is_file():
                return (folder / place).read_bytes()
        jar = self._places.get(str(place))
        if jar is None:
            return None
        with zipfile.ZipFile(jar) as opened:
            return opened.read(f"{FOLDER}/{place}")

    @cached_property
    def _places(self) -> dict[str, Path]:
        """The jar of each file; the first one in the class path counts."""
        found: dict[str, Path] = {}
        for jar in self._jars:
            with zipfile.ZipFile(jar) as opened:
                for name in opened.namelist():
                    if name.startswith(f"{FOLDER}/") and not name.endswith("/"):
                        found.setdefault(name.removeprefix(f"{FOLDER}/"), jar)
        return found

    def _names(self) -> Iterator[str]:
        for folder in self._folders:
            yield from (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
        yield from self._places

    def assets(self) -> str:
        """The module that lists the pictures: sheets of sprites are JSON, everything else is a picture."""
        names = sorted({name for name in self._names() if name.startswith("assets/")})
        images = {name.removeprefix("assets/"): name for name in names if not name.endswith(".json")}
        sprites = [name for name in names if name.endswith(".json")]
        return f"export const assets = {json.dumps({'images': images, 'sprites': sprites})}\n"

    def sprites(self, path: str) -> bytes | None:
        """A sheet of sprites whose picture is named by its path in the page."""
        text = self.read(path)
        try:
            data = json.loads(text or b"")
            data["meta"]["image"] = f"assets/{data['meta']['image']}"
        except (ValueError, KeyError, TypeError):
            return text
        return json.dumps(data).encode()


def engine_result(
    transcript: Transcript, names: Sequence[str], lines: Sequence[str | None], stderr: Mapping[int, str]
) -> dict[str, Any]:
    """A game as the engine's runner writes it; `lines` and `stderr` are the answers by step."""
    steps = transcript.steps
    outputs: dict[str, list[str | None]] = {str(seat): [None] for seat in range(len(names))}
    errors: dict[str, list[str | None]] = {str(seat): [None] for seat in range(len(names))}
    for index, (asked, wanted, *_) in enumerate(steps):
        line = lines[index] if index < len(lines) else None
        for seat in range(len(names)):
            spoke = seat == asked and wanted
            outputs[str(seat)].append(f"{line}\n" if spoke and line is not None else None)
            errors[str(seat)].append(stderr.get(index) if seat == asked else None)
    frames = range(len(steps) + 1)
    silent: list[str | None] = [""] * len(frames)
    return {
        "outputs": {**outputs, "referee": silent},
        "errors": {**errors, "referee": silent},
        "summaries": [transcript.summaries.get(step, "") for step in frames],
        "views": [
            f"KEY_FRAME {step}\n{transcript.views[step]}" if step in transcript.views else f"INTERMEDIATE_FRAME {step}"
            for step in frames
        ],
        "scores": {str(seat): int(score) for seat, score in enumerate(transcript.scores)},
        "uinput": ["\n".join(transcript.parameters)],
        "metadata": transcript.metadata,
        "tooltips": [
            {"turn": step, "text": text, "event": seat}
            for step, marks in sorted(transcript.tooltips.items())
            for text, seat in marks
        ],
        "ids": {str(seat): seat for seat in range(len(names))},
        "agents": [
            {"index": seat, "name": name, "avatar": NO_PICTURE, "agentId": seat} for seat, name in enumerate(names)
        ],
    }


class ViewerServer(ThreadingHTTPServer):
    """Serves a viewer with one game, on the loopback address alone."""

    daemon_threads = True

    def __init__(self, files: ViewFiles, result: Mapping[str, Any], port: int = 0) -> None:
        """A PodiumError if the referee has no player page, or the port is taken."""
        if files.read(PAGE) is None:
            raise PodiumError(
                f"no {FOLDER}/{PAGE} is in the class path of this referee: the engine's `runner` artifact holds it "
                "(mvn dependency:copy-dependencies); `podium web` shows the game without it"
            )
        self.files = files
        self.made = {GAME: json.dumps(result).encode(), ASSETS: files.assets().encode()}
        try:
            super().__init__((LOOPBACK[0], port), _ViewerHandler)
        except OSError as error:
            raise PodiumError(f"cannot serve on port {port}: {error.strerror}") from None

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK[0]}:{self.server_address[1]}/{PAGE}"

    def content(self, path: str) -> bytes | None:
        """A file of the page; None if there is none."""
        if path in self.made:
            return self.made[path]
        if path.startswith("assets/") and path.endswith(".json"):
            return self.files.sprites(path)
        found = self.files.read(path)
        return b"export const demo = null;\n" if found is None and path == DEMO else found


class _ViewerHandler(BaseHTTPRequestHandler):
    server: ViewerServer

    def do_GET(self) -> None:
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        path = unquote(urlsplit(self.path).path).lstrip("/") or PAGE
        content = self.server.content(path) if host in LOOPBACK else None  # no other name leads here
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = "text/javascript" if path.endswith(".js") else mimetypes.guess_type(path)[0]
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind or "application/octet-stream")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        # the player page runs in a sandboxed frame, whose origin is nobody's
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        """Say nothing about requests."""
