"""Claims and measurements made up for the tests."""

from dataclasses import replace

from podium.lab.claims.claims import Claim, Finding
from podium.lab.claims.matches import MatchMeasurement
from podium.lab.claims.measurements import result
from podium.lab.claims.verdicts import Expectation, Interval, Standard

GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq")
EIGHT_PERCENT = Standard(Expectation.EFFECT, 0.56, 0.60)
POORER = Standard(Expectation.EFFECT, 0.0, 0.48)
NO_GAIN = Standard(Expectation.NOTHING, 0.45, 0.55)
ALIKE = Standard(Expectation.EQUAL, 0.4, 0.6)
RATE = Standard(Expectation.FIGURE, 20_000, 80_000)
TIME = Standard(Expectation.FIGURE, 2.0, 3.0, more_is_better=False)
ASKED = Standard(Expectation.QUESTION, 0.45, 0.55)
LIST = """
[[claim]]
id = "rave"
gist = "RAVE helps"
claimed = "a lot"
expect = "effect"
figure = [0.55, 1.0]
[[claim.measure]]
kind = "match"
first = "uct"
second = "random"
nodes = 20
games = 4
"""


def around(value, error):
    return Interval(value, value - error, value + error)


def made_claim(**changes):
    match = MatchMeasurement("zuniq", "uct", "random", games=4, nodes=20)
    return replace(Claim("zuniq", "uct", "It wins", "always", EIGHT_PERCENT, "%", (match,)), **changes)


def finding(value, error, sample=100, claim=None):
    claim = claim or made_claim()
    return Finding(claim, claim.measurements[0], result(around(value, error), sample, "games"))
