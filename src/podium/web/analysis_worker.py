"""Analysis of stored games for the pages, in a worker process: what would a bot play here?

The bot first gets the history of the seat, prompt by prompt with the real answers, so that it knows what the seat could
know and nothing more. Analysis is bounded: one request runs at a time, few may wait, and a bot that does not answer is
ended with its process.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, TypeVar

from podium.arena.analysis.review import LONGEST, JudgeBudget, review
from podium.arena.entrants.bot_names import bot_kind
from podium.arena.entrants.entrant import Entrant
from podium.arena.game.limits import Clock, TimeControl
from podium.arena.game.play import judged
from podium.arena.game.players import InProcessPlayer, Player, player
from podium.arena.game.record import thoughts_data, unpack
from podium.arena.game.rewind import Rewound, replay_history, rewind
from podium.arena.game.turn import answer_data
from podium.arena.processes.fork_server import worker_context
from podium.arena.store.stored_game import StoredGame
from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Game, Request
from podium.games.view import ViewBot
from podium.kernel import JIT
from podium.web.game_document import page_answer
from podium.web.traces import TraceRequest, run_trace

T = TypeVar("T")
Found = TypeVar("Found")

MOST_MILLISECONDS = 10_000.0
MOST_NODES = 10_000_000
MOST_WAITING = 4
PATIENCE_SECONDS = 240.0 if JIT else 60.0  # beyond its time limit: kernels may have to be compiled first


@dataclass(frozen=True)
class AnalysisRequest:
    """A position of a game, a seat, a bot and its budget; plain data, sent to the worker."""

    game: str
    settings: Mapping[str, Any]
    seed: int
    record: bytes  # of the game, or of as much of it as was played
    turn: int
    seat: int
    who: Entrant
    milliseconds: float
    nodes: int = 0
    veiled: bool = False  # overlays show only what the seat may see


def analyse(question: AnalysisRequest) -> dict[str, Any]:
    """The bot's answer to a request, with its thoughts."""
    game = load(question.game)
    at = rewind(game, question.seed, question.settings, unpack(question.record), question.turn)
    request = next((request for request in at.referee.requests() if request.seat == question.seat), None)
    if request is None:
        raise PodiumError(f"seat {question.seat} is not asked in turn {question.turn + 1}")
    time_control = TimeControl(question.milliseconds, question.nodes)
    one = player(game, question.who, seed=1)
    try:
        replay_history(one, at, question.seat, time_control)
        return _ask(game, one, at, request, question, time_control)
    finally:
        one.close(())


def _ask(
    game: Game, one: Player, at: Rewound, request: Request, question: AnalysisRequest, time_control: TimeControl
) -> dict[str, Any]:
    clock = Clock(time_control)
    clock.start(request)
    reply = one.ask(request, clock)
    turn = judged(request, reply, clock, timed=False, thoughts=one.thoughts)
    scene = game.scene_of(at.referee, question.seat if question.veiled else None)
    thoughts = thoughts_data(one.thoughts) if one.thoughts else None
    data = page_answer(game, scene, answer_data(turn, thoughts))
    matrix = matrix_of(one)
    if matrix and one.thoughts:
        data["thoughts"] = {**data["thoughts"], "matrix": matrix}
    verdict = data["verdict"] if turn.line is None else None
    return {**data, "verdict": verdict, "asked": question.who.name, "turn": at.referee.turn}


def matrix_of(one: Player) -> dict[str, Any] | None:
    """The turn that a player has just searched as a matrix, if its bot sees it as one."""
    bot = one.bot if isinstance(one, InProcessPlayer) else None
    return bot.matrix() if isinstance(bot, ViewBot) else None


@dataclass(frozen=True)
class ReviewRequest:
    """A stored game to review, and by which bot; plain data, sent to the worker."""

    stored: StoredGame
    seat: int
    bot: str
    milliseconds: float | None  # per answer; None: several times what the player had, as `podium review` does


def run_review(task: ReviewRequest) -> dict[str, Any]:
    """The review that `podium review --json` prints."""
    rules = load(task.stored.run.game)
    judge = bot_kind(rules, task.bot)
    judge[0].bot(judge[1]).warm_up()
    return review(rules, task.stored, task.seat, judge, JudgeBudget(task.stored, task.milliseconds, 0)).data()


class AnalysisWorker:
    """The worker process, and the few requests that wait for it."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def ask(self, question: AnalysisRequest) -> dict[str, Any]:
        """The bot's answer. Raises a PodiumError if too many requests wait, or if the bot does not answer."""
        return await self._think(question.who.name, MOST_MILLISECONDS, analyse, question)

    async def review(self, task: ReviewRequest) -> dict[str, Any]:
        """The bot's review of a seat's game; raises PodiumErrors as `ask` does."""
        answers = task.stored.record.seats.count(task.seat)
        longest = LONGEST if task.milliseconds is None else task.milliseconds
        return await self._think(task.bot, 4 * answers * longest, run_review, task)

    async def trace(self, task: TraceRequest) -> bytes:
        """The trace of a bot's search; raises PodiumErrors as `ask` does."""
        return await self._think(task.bot, MOST_MILLISECONDS, run_trace, task)

    async def _think(self, name: str, milliseconds: float, think: Callable[[T], Found], task: T) -> Found:
        if self._waiting >= MOST_WAITING:
            raise PodiumError("too many analyses are waiting already; try again in a moment")
        self._waiting += 1
        try:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, worker_context())
            future = asyncio.wrap_future(self._pool.submit(think, task))
            patience = PATIENCE_SECONDS + MOST_WAITING * milliseconds / 1000
            return await asyncio.wait_for(future, patience)
        except TimeoutError:
            self.close()
            raise PodiumError(f"{name} did not answer in time, and was ended") from None
        except BrokenProcessPool:
            self.close()
            raise PodiumError(f"{name} ended its worker process") from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the worker process at once."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())  # the executor has no way to end a task that runs
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
