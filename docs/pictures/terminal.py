"""Makes docs/pictures/match.svg: a real match in a terminal, from the command to its verdict. `make pictures` runs it.

The command runs with a terminal as its output, so that it prints as it does for people; rich draws what came out.
"""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

COMMAND = "podium match zuniq new=champion old=champion:rave=off --nodes 300 --sprt 0 50"
WIDTH, HEIGHT = 80, 100  # of the terminal, in characters
ERASED_LINE = "\x1b[2K"
FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)  # from another host, which pictures may not ask
PICTURE = Path(__file__).parent / "match.svg"


def printed(command: str) -> str:
    """What a command prints to a terminal, with its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT)}
    words = [sys.executable, "-m", *shlex.split(command)]
    chunks = []
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(words, stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder, env=variables)
        os.close(theirs)
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # the terminal is closed: the process has ended
                break
            chunks.append(chunk)
            if not chunk:
                break
        os.close(ours)
        if process.wait():
            raise SystemExit(f"{command} ended with {process.returncode}")
    text = b"".join(chunks).decode().replace("\r\n", "\n")
    return text.rpartition(ERASED_LINE)[2]  # what is left on the screen when the live table is gone


def main() -> None:
    """Run the match and draw it."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    console.print(Text(f"$ {COMMAND}", style="bold"))
    console.print(Text.from_ansi(printed(COMMAND)), end="")
    picture = console.export_svg(title="podium", theme=DIMMED_MONOKAI, unique_id="match")
    PICTURE.write_text(FONTS.sub("", picture), encoding="utf-8")


if __name__ == "__main__":
    main()
