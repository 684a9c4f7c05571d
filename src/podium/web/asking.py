"""What would a bot play here? Asked of any bot at any turn of a game, in a process of its own.

The bot is told the whole history of the seat first, prompt by prompt with what was really answered, so that what it
knows in the fog is what that seat could know. Thinking is bounded in time and in number: one question is thought about
at a time, few may wait, and a bot that does not come back is ended with its process.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

from podium.arena.entrants import Entrant, bot_kind
from podium.arena.finished import FinishedGame
from podium.arena.limits import Allowance, Clock
from podium.arena.players import OwnPlayer, Player, player
from podium.arena.record import thoughts_data, unpack
from podium.arena.review import review
from podium.arena.rewinding import Rewound, rewind
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget, Game, Request
from podium.kernel import JIT
from podium.kernel.clock import MILLISECOND, now
from podium.web.replaying import answer_data

T = TypeVar("T")

MOST_MILLISECONDS = 10_000.0
MOST_NODES = 10_000_000
MOST_WAITING = 4
PATIENCE_SECONDS = 240.0 if JIT else 60.0  # beyond its time: kernels may have to be compiled first


@dataclass(frozen=True)
class Question:
    """A position of a game, a seat, a bot, and what its answer may cost; plain data that travels."""

    game: str
    settings: Mapping[str, Any]
    seed: int
    record: bytes  # of the game, or of as much of it as was played
    turn: int
    seat: int
    who: Entrant
    milliseconds: float
    nodes: int = 0
    veiled: bool = False  # sketches show only what the seat may see


def answer_to(question: Question) -> dict[str, Any]:
    """What the bot says."""
    game = load(question.game)
    at = rewind(game, question.seed, question.settings, unpack(question.record), question.turn)
    request = next((request for request in at.referee.requests() if request.seat == question.seat), None)
    if request is None:
        raise PodiumError(f"seat {question.seat} is not asked in turn {question.turn + 1}")
    allowance = Allowance(question.milliseconds, question.nodes)
    one = player(game, question.who, seed=1)
    try:
        tell_history(one, at, question.seat, allowance)
        return _ask(game, one, at, request, question, allowance)
    finally:
        one.close(())


def tell_history(one: Player, at: Rewound, seat: int, allowance: Allowance) -> None:
    """Tell a player the history of a seat; a program is asked everything again, whatever it says."""
    clock = Clock(allowance)
    for lines, line in at.told.get(seat, []):
        if isinstance(one, OwnPlayer):
            one.bot.follow(lines, line or "")
        else:
            request = Request(seat, lines, allowance.milliseconds)
            clock.start(request)
            one.ask(request, clock)


def _ask(
    game: Game, one: Player, at: Rewound, request: Request, question: Question, allowance: Allowance
) -> dict[str, Any]:
    clock = Clock(allowance)
    clock.start(request)
    heard = one.ask(request, clock)
    scene = game.seen(at.referee, question.seat) if question.veiled and game.seen else game.scene(at.referee)
    thoughts = thoughts_data(one.thoughts) if one.thoughts else None
    data = answer_data(game, scene, question.seat, heard.line, heard.milliseconds, thoughts, heard.stderr)
    word = (heard.verdict.value, heard.reason) if heard.line is None else None
    return {**data, "verdict": word, "asked": question.who.name, "turn": at.referee.turn}


@dataclass(frozen=True)
class ReviewWish:
    """A stored game, whose answers are to be judged, and by whom; plain data that travels."""

    rules: str
    settings: Mapping[str, Any]
    game: FinishedGame
    record: bytes
    seat: int
    player: str
    bot: str
    milliseconds: float


def review_of(wish: ReviewWish) -> dict[str, Any]:
    """What `podium review --json` prints."""
    rules = load(wish.rules)
    judge = bot_kind(rules, wish.bot)
    judge[0].bot(judge[1]).warm_up()

    def budget() -> Budget:
        return Budget(now() + int(wish.milliseconds * MILLISECOND))

    found = review(rules, wish.settings, wish.game, unpack(wish.record), wish.seat, wish.player, judge, budget)
    return found.data()


class Thinkers:
    """The one process that thinks, and the few questions that wait for it."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def ask(self, question: Question) -> dict[str, Any]:
        """The bot's answer. A PodiumError if too many wait, or if it does not come back."""
        return await self._think(question.who.name, MOST_MILLISECONDS, answer_to, question)

    async def review(self, wish: ReviewWish) -> dict[str, Any]:
        """The bot's judgement of a seat's game; PodiumErrors as above."""
        answers = unpack(wish.record).seats.count(wish.seat)
        return await self._think(wish.bot, 4 * answers * wish.milliseconds, review_of, wish)

    async def _think(
        self, name: str, milliseconds: float, think: Callable[[T], dict[str, Any]], task: T
    ) -> dict[str, Any]:
        if self._waiting >= MOST_WAITING:
            raise PodiumError("too many questions are waiting already; ask again in a moment")
        self._waiting += 1
        try:
            if self._pool is None:
                context = get_context("forkserver")
                context.set_forkserver_preload(["podium.arena.work"])
                self._pool = ProcessPoolExecutor(1, context)
            future = asyncio.wrap_future(self._pool.submit(think, task))
            patience = PATIENCE_SECONDS + MOST_WAITING * milliseconds / 1000
            return await asyncio.wait_for(future, patience)
        except TimeoutError:
            self.close()
            raise PodiumError(f"{name} did not come back, and was ended") from None
        except BrokenProcessPool:
            self.close()
            raise PodiumError(f"{name} ended the process that it was thinking in") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process, whatever it is doing."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())  # the executor has no way to end a task that runs
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
