"""The process in which a Python bot from outside plays: `python -m podium.arena.host PIPE MODULE FOLDER NAME`.

It is a program like any other to the arena: prompts come in on standard input, the answer goes out on standard output,
and what the bot prints goes the same ways as a program's. So its faults are a program's faults: an exception ends the
process with a traceback on standard error, an endless loop is killed, a stray line is an answer that nobody asked for.

What a Python bot gets and a program does not comes in as a line of JSON before each prompt: `{"seed": 7}` begins one,
`{"lines": 3, "deadline": ..., "bank": false, "nodes": 0}` announces a prompt and its budget, `{"lines": 3, "follow":
"E5v"}` one that was answered so before the bot came. What a Python bot can tell and a program cannot goes out on a pipe
of its own, whose descriptor is PIPE: a line for each game begun (`ready`, or `ready, follows` from a bot that can join
in the middle), and a line of JSON with the bot's thoughts before each answer. The process is kept from game to game,
since its imports may take a second.
"""

import gc
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from podium.arena.python_bots import GuestBot, PythonBot, load
from podium.kernel.budget import Budget

READY, READY_FOLLOWS = b"ready\n", b"ready, follows\n"
MOST_BYTES = 60_000  # of the thoughts about one answer: a pipe holds as much without anybody reading


def told(thoughts: Any) -> bytes:
    """Thoughts as a line, or an empty one: whatever a bot keeps there that is no plain data is left out."""
    try:
        data = thoughts if isinstance(thoughts, Mapping) else asdict(thoughts) if is_dataclass(thoughts) else None  # type: ignore[arg-type]
        line = json.dumps(data).encode() if data else b""
    except (TypeError, ValueError):
        line = b""
    return (line if len(line) <= MOST_BYTES else b"") + b"\n"


def main() -> None:
    """Play games until standard input ends."""
    pipe, module, folder, name = int(sys.argv[1]), *sys.argv[2:5]
    make = load(PythonBot(module, folder, name))
    bot: Any = None
    while header := sys.stdin.readline():
        request = json.loads(header)
        if "seed" in request:
            bot = make(request["seed"])
            if hasattr(bot, "warm_up"):
                bot.warm_up()
            gc.collect()
            gc.freeze()  # a full collection in the middle of a game would walk all of a compiler's objects
            os.write(pipe, READY_FOLLOWS if GuestBot(bot).can_follow else READY)
            continue
        lines = [sys.stdin.readline().rstrip("\n") for _ in range(request.pop("lines"))]
        if "follow" in request:
            GuestBot(bot).follow(lines, request["follow"])
            continue
        line = bot.reply(lines, Budget(**request))
        if not isinstance(line, str):
            raise TypeError(f"reply answered with {type(line).__name__} instead of a line: {line!r:.80}")
        os.write(pipe, told(getattr(bot, "thoughts", None)))
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
