"""A bot on standard input and output, ready for a contest's judge."""

import gc
import os
import sys
import time as clocks
from pathlib import Path

from podium.arena.entrants import bot_kind
from podium.games import load
from podium.games.game import Budget
from podium.kernel.clock import MILLISECOND, now

LEAST = 0.02  # of the first limit, if starting took more than the rest


def _read() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def _age() -> float:
    """Milliseconds since this process was started: a judge's clock for the first answer may run since then."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0.0
    return (clocks.clock_gettime(clocks.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")) * 1000


def speak(game: str, bot: str, seed: int = 0, time: float = 0.0, nodes: int = 0) -> None:
    """Play with a bot until the game or the input ends; in the contest's time unless another or nodes are given."""
    rules = load(game)
    kind, changes = bot_kind(rules, bot)
    player = kind.bot(changes, seed)
    player.warm_up()
    gc.freeze()  # a full collection in the middle of a game would walk all of the compiler's objects
    gc.enable()
    limits = rules.limits
    left = limits.first
    first = True
    starting = _age()
    try:
        for prompt in rules.prompts(_read):
            start = now()
            limit = time or (left if limits.bank or first else limits.later)
            if first and not time:
                limit = max(limit - starting, LEAST * limit)
            budget = Budget(start + int(limit * MILLISECOND), limits.bank and not time, nodes)
            sys.stdout.write(player.reply(prompt, budget) + "\n")
            sys.stdout.flush()
            left -= (now() - start) / MILLISECOND
            first = False
    except EOFError:
        return
