"""The process of a Python bot: `python -P -m podium.arena.processes.python_child PIPE MODULE FOLDER NAME`.

To the arena it is a program like any other: prompts come in on standard input, the answer goes out on standard output,
and so does what the bot prints. So its faults are those of a program: an exception ends the process with a traceback on
standard error, an endless loop is killed, a stray line counts as an answer.

A Python bot gets more than a program: a line of JSON before each prompt. `{"seed": 7}` begins a game, `{"lines": 3,
"deadline": ..., "bank": false, "nodes": 0}` announces a prompt and its budget, `{"lines": 3, "observe": "E5v"}` a past
prompt with its answer. A Python bot also sends more than a program, on the pipe with the descriptor PIPE: a line
when a game has begun (`ready`, or `ready, observes` from a bot that can join in the middle), and its thoughts as a line
of JSON before each answer. The process is kept from game to game, since its imports may take a second.

The bot itself finds nothing on standard input, and the traceback of its exception begins in its own code.
"""

import gc
import importlib
import json
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from types import TracebackType
from typing import Any, TextIO

from podium.arena.entrants import python_bots
from podium.arena.entrants.python_bots import AdaptedBot, PythonBot, load, taking_budget
from podium.games import game_file
from podium.model.budget import Budget

READY, READY_OBSERVES = b"ready\n", b"ready, observes\n"
MOST_BYTES = 60_000  # of the thoughts about one answer: less than the buffer of a pipe, so that writing never blocks
WAY_TO_THE_BOT = {__file__, python_bots.__file__, game_file.__file__, importlib.__file__}


def encoded(thoughts: Any) -> bytes:
    """Thoughts as a line of JSON; an empty line for those that are not plain data, or too long."""
    try:
        data = thoughts if isinstance(thoughts, Mapping) else asdict(thoughts) if is_dataclass(thoughts) else None  # type: ignore[arg-type]
        line = json.dumps(data).encode() if data else b""
    except (TypeError, ValueError):
        line = b""
    return (line if len(line) <= MOST_BYTES else b"") + b"\n"


def show_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an exception without the calls that lead from here to the bot."""
    while trace and (trace.tb_frame.f_code.co_filename in WAY_TO_THE_BOT or _is_frozen(trace)):
        trace = trace.tb_next
    traceback.print_exception(kind, error, trace)


def _is_frozen(trace: TracebackType) -> bool:
    """Whether it is a line of the interpreter's own import system."""
    return trace.tb_frame.f_code.co_filename.startswith("<frozen ")


def own_input() -> TextIO:
    """Standard input, for this module alone: a bot that reads from it finds its end, instead of what follows."""
    lines = open(os.dup(0), encoding=sys.stdin.encoding, errors=sys.stdin.errors)  # noqa: SIM115
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return lines


def main() -> None:
    """Play games until standard input ends."""
    descriptor, module, folder, name = sys.argv[1:5]
    pipe, arena = int(descriptor), own_input()
    sys.excepthook = show_exception
    make = load(PythonBot(module, folder, name))
    bot: Any = None
    reply: Any = None
    while header := arena.readline():
        request = json.loads(header)
        if "seed" in request:
            bot = make(request["seed"])
            reply = taking_budget(bot.reply)
            if hasattr(bot, "warm_up"):
                bot.warm_up()
            gc.collect()
            gc.freeze()  # a full collection in the middle of a game would walk all of a compiler's objects
            os.write(pipe, READY_OBSERVES if AdaptedBot(bot).can_observe else READY)
            continue
        lines = [arena.readline().rstrip("\n") for _ in range(request.pop("lines"))]
        if "observe" in request:
            AdaptedBot(bot).observe(lines, request["observe"])
            continue
        line = reply(lines, Budget(**request))
        if not isinstance(line, str):
            raise TypeError(f"reply answered with {type(line).__name__} instead of a line: {line!r:.80}")
        os.write(pipe, encoded(getattr(bot, "thoughts", None)))
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
