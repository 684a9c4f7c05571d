"""The game of the arena's tests: every turn each seat names a number from 0 to 9; the highest sum wins.

A prompt is `seed N` once, then `turn N`. The number is all that matters, so bots and mocks are a few lines.
"""

import re
from random import Random

import numpy as np

from podium.games.game import (
    Answer,
    Bot,
    BotKind,
    Contest,
    Ending,
    Fault,
    Game,
    Limits,
    Outcome,
    Pictures,
    Referee,
    Request,
    ranks_of,
)
from podium.model.params import Parameter, ParamSpec

TURNS = 4
NO_SCORE = -1
POISON = "poison"  # an answer at which this referee fails


class NumbersReferee(Referee):
    def __init__(self, seats, alternating, seed, turns=TURNS, secret=False):
        self.seats, self.alternating, self.seed, self.turns = seats, alternating, 0 if secret else seed, turns
        self.state = np.zeros(1, np.int64)
        self.turn = 0
        self.outcome = None
        self.sums = [0] * seats
        self.out = {}
        self.told = set()

    def _asked(self):
        alive = [seat for seat in range(self.seats) if seat not in self.out]
        return [seat for seat in alive if not self.alternating or seat == self.turn % self.seats]

    def requests(self):
        if self.outcome:
            return ()
        return [
            Request(seat, [*([] if seat in self.told else [f"seed {self.seed}"]), f"turn {self.turn}"], 100.0)
            for seat in self._asked()
        ]

    def history(self):
        return {"sums": list(self.sums)}

    def answer(self, answers):
        for seat, answer in zip(self._asked(), answers, strict=True):
            self.told.add(seat)
            self._judge(seat, answer)
        self.turn += 1
        if self.turn >= self.turns * (self.seats if self.alternating else 1) or len(self.out) >= self.seats - 1:
            scores = [NO_SCORE if seat in self.out else float(total) for seat, total in enumerate(self.sums)]
            faults = tuple(self.out.values())
            ending = faults[0].code if faults else Ending.NORMAL
            self.outcome = Outcome(tuple(scores), ranks_of(scores), ending, "all numbers are named", "", faults)

    def _judge(self, seat, answer: Answer):
        if answer.line == POISON:
            raise ValueError("this referee was not told what to do with poison")
        if answer.line is None:
            self.out[seat] = Fault(seat, Ending.NO_ANSWER, self.turn, f"seat {seat} gave no answer")
        elif not re.fullmatch(r"\d+", answer.line):
            self.out[seat] = Fault(seat, Ending.MALFORMED, self.turn, f"seat {seat}: no number: {answer.line!r}")
        elif int(answer.line) > 9:
            self.out[seat] = Fault(seat, Ending.ILLEGAL, self.turn, f"seat {seat}: too high: {answer.line!r}")
        else:
            self.sums[seat] += int(answer.line)

    def farewell(self, seat):
        return ("bye",)


class Namer(Bot):
    def __init__(self, params, seed):
        self.base, self.noise, self.fail = int(params.number), int(params.noise), int(params.fail)
        self.random = Random(seed)
        self.asked = 0

    def reply(self, lines, budget):
        self.asked += 1
        if self.asked == self.fail:
            raise RuntimeError("asked to fail")
        return str(max(0, min(9, self.base + self.random.randint(-self.noise, self.noise))))

    def observe(self, lines, line):
        self.asked += 1


def game(name, seats, alternating):
    param_spec = ParamSpec(
        f"{name} namer parameters",
        Parameter("number", 5, "the number named"),
        Parameter("noise", 2, "how far from it"),
        Parameter("fail", 0, "the turn of a crash"),
        Parameter(name, False, "makes the record of this game's parameters differ from that of the other's"),
    )
    return Game(
        name,
        Contest(
            title=name.title(),
            source="the tests",
            seats=seats,
            limits=Limits(100.0, 100.0),
            referee=lambda seed, **settings: NumbersReferee(seats, alternating, seed, **settings),
            prompts=lambda read: iter(()),
            settings=(
                Parameter("turns", TURNS, "how many", low=1, high=1e6),
                Parameter("secret", False, "no prompt tells the seed"),
            ),
        ),
        Pictures(scene=lambda state, sums=(): {"sums": sums}, picture=lambda scene: str(scene["sums"])),
        bots={"namer": BotKind("namer", "names a number", param_spec, Namer)},
    )
