"""How often the one-look prediction of `bots.prediction` is right, and which weights would suit best.

Bots play each other; every step is compared with the predicted one. The fitted weights are those of a multinomial logit
model (McFadden 1974): the chance of a step falls exponentially with the penalty of the cell it leads to.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.games.code_of_kutulu.bots.params import CHAMPION_PARAMS
from podium.games.code_of_kutulu.bots.prediction import SIGHTS, look
from podium.games.code_of_kutulu.mazes import NEIGHBOUR, NO_CELL
from podium.games.code_of_kutulu.protocol import answer_of
from podium.games.code_of_kutulu.referee import KutuluReferee
from podium.games.code_of_kutulu.rules import is_stuck
from podium.games.code_of_kutulu.state import SEATS, WAIT, WORDS
from podium.games.game import Answer, BotKind, Budget, Findings, Request
from podium.games.loop import play_bots

NODES = 4000  # per answer of a search
LEAST_PLAYERS = 3  # with two left, both are searched
LEAST_GAMES = 8
SEED_STEP = 0x9E3779B97F4A7  # seeds close to each other give nearly the same settings
BLOCKED = -1e9
CAUTION = 1.0  # weight of the squared weights in the fit, so that what never occurs gets 0

Row = tuple[str, Any, Any, int]  # of `Steps`


@dataclass(frozen=True)
class Steps:
    """Steps of bots: what each of the five cells looked like, which of them are walls, and which one was taken."""

    names: Any  # [step]: whose it was
    seen: Any  # [step, cell, sight]
    closed: Any  # [step, cell]: 0, or BLOCKED
    taken: Any  # [step]

    def part(self, chosen: Any) -> "Steps":
        """Some of the steps."""
        return Steps(self.names[chosen], self.seen[chosen], self.closed[chosen], self.taken[chosen])

    def right(self, weights: Any) -> float:
        """The share of steps to the cell with the least penalty."""
        return float(((self.closed - self.seen @ weights).argmax(1) == self.taken).mean())


def step_of(state: Any, seat: int, answer: str) -> tuple[Any, Any, int]:
    """What the five cells around an explorer look like to it, which of them are walls, and which one it steps to."""
    here = int(state.cell[seat])
    cells = [*(int(NEIGHBOUR[state.maze, here, direction]) for direction in range(WAIT)), here]
    closed = np.array([BLOCKED if cell == NO_CELL else 0.0 for cell in cells])
    seen = np.array([look(state, seat, cell) if cell != NO_CELL else [0] * len(SIGHTS) for cell in cells], float)
    answers = [answer_of(state, seat, direction) for direction in range(WAIT)]
    return seen, closed, WAIT if answer in WORDS else answers.index(answer)


def observe(kinds: Sequence[BotKind], seconds: float) -> Steps:
    """Games of bots of these kinds, who change seats, while at least three explorers live."""
    end = time.monotonic() + seconds
    rows: list[Row] = []
    game = 0
    while game < LEAST_GAMES or time.monotonic() < end:
        rows += _steps_of_game([kinds[(game + s * (1 + game // len(kinds))) % len(kinds)] for s in range(SEATS)], game)
        game += 1
    names, seen, closed, taken = zip(*rows, strict=True)
    return Steps(np.array(names), np.array(seen), np.array(closed), np.array(taken))


def _steps_of_game(kinds: Sequence[BotKind], game: int) -> list[Row]:
    bots: list[Any] = [kind.bot(seed=game) for kind in kinds]
    rows: list[Row] = []

    def watch(requests: Sequence[Request], answers: Sequence[Answer]) -> None:
        for request, answer in zip(requests, answers, strict=True):
            seat, state = request.seat, bots[request.seat].state
            if len(requests) >= LEAST_PLAYERS and not is_stuck(np.int64(state.yells), seat):
                rows.append((kinds[seat].name, *step_of(state, seat, str(answer.line))))

    play_bots(KutuluReferee(game * SEED_STEP), bots, Budget(nodes=NODES), watch)
    return rows


def fitted(steps: Steps) -> Any:
    """The weights under which the steps taken are most likely."""
    from scipy.optimize import minimize  # takes long to load, and bots load this module's neighbours

    rows = np.arange(len(steps.taken))
    found = steps.seen[rows, steps.taken].sum(0)

    def unlikelihood(weights: Any) -> tuple[float, Any]:
        scores = steps.closed - steps.seen @ weights
        scores -= scores.max(1, keepdims=True)
        shares = np.exp(scores)
        totals = shares.sum(1)
        value = (np.log(totals) - scores[rows, steps.taken]).sum() + CAUTION / 2 * weights @ weights
        expected = np.einsum("ij,ijk->k", shares / totals[:, None], steps.seen)
        return value, found - expected + CAUTION * weights

    return minimize(unlikelihood, np.zeros(len(SIGHTS)), jac=True, method="L-BFGS-B").x


def measure(kinds: Sequence[BotKind], seconds: float) -> Findings:
    """How often steps are predicted, with the champion's weights and with others, fitted to the first half of them."""
    steps = observe(kinds, seconds)
    params = CHAMPION_PARAMS.params()
    present = np.array([sign * params[name] for name, sign in SIGHTS], float)
    half = len(steps.taken) // 2
    others = fitted(steps.part(slice(None, half)))
    rest = steps.part(slice(half, None))
    rows: list[tuple[str, int, float, float]] = []
    for name in sorted(set(rest.names)):
        own = rest.part(rest.names == name)
        rows.append((name, len(own.taken), own.right(present), own.right(others)))
    rows.append(("all", len(rest.taken), rest.right(present), rest.right(others)))
    weights = ",".join(f"{name}={sign * weight:.2f}" for (name, sign), weight in zip(SIGHTS, others, strict=True))
    return Findings(("bot", "steps", "predicted", "with fitted weights"), rows, f"Fitted: {weights}")
