"""The state of a game of Code of Kutulu: one record, with names for its numbers.

The order of the referee's lists is not kept where it follows from the rest:

* A LIGHT or YELL that is in force between two turns was cast on the turn before and has one turn left, so a bit says it
  all. A PLAN's turns left tell when it was cast. The order of the effect list follows (see `protocol.effect_lines`).
* An explorer is out when its bit in `living` is 0.

The record serves the referee, which knows everything, and a bot, which knows a part: not the referee's generator. How a
search simulates turns without it is in its context (`rules.play_choice`, `bots/context.py`).

The seats choose one after the other, beginning with `first`; the choice of the last one simulates the turn.
"""

from typing import Any

from podium.kernel import record

SEATS = 4
EVERYBODY = (1 << SEATS) - 1
NOBODY = -1

# The choices of a seat; the first four are the directions of `mazes`.
WAIT, PLAN, LIGHT, YELL = 4, 5, 6, 7
WORDS = ("UP", "RIGHT", "DOWN", "LEFT", "WAIT", "PLAN", "LIGHT", "YELL")
CHOICES = len(WORDS)

MOST_SANITY = 250
PLANS, PLAN_TURNS, PLAN_RADIUS, PLAN_HEAL = 2, 4, 2, 3
LIGHTS, LIGHT_RADIUS, LIGHT_COST = 3, 5, 4
YELL_RADIUS = 1
COMPANY_RADIUS = 2
SPOOK = 20
LAST_ONE_LOSS = 50
WANDERER_RHYTHM = 5
SLASHER_BELOW = 200
SLASHER_SPAWN_TIME, SLASHER_STALKING, SLASHER_STUN = 6, 2, 6
SHELTER_RHYTHM, SHELTER_ENERGY, SHELTER_HEAL = 50, 10, 5
LAST_TURN = 200

# States of minions, as the protocol numbers them.
SPAWNING, WANDERING, STALKING, RUSHING, STUNNED = 0, 1, 2, 3, 4

FIRST_MINION_ID = 4
# Wanderers live 6 + 40 turns at most, so ten waves of eight can be about, and four slashers.
MOST_MINIONS = 84

FAULT_SCORE = -1

# How chases see light: as the referee, by the write-up's lower bound, or not at all.
LIGHT_EXACT, LIGHT_BOUND, LIGHT_IGNORED = 0, 1, 2

State = record(
    "code of kutulu state",
    [
        ("random", "u8", (1,)),  # java.util.Random of the referee
        ("hash", "u8"),  # of the record as it was set up, and of all choices since then (the delta hash)
        ("maze", "u1"),
        ("lonely", "u1"),
        ("group", "u1"),
        ("spawn_time", "u1"),
        ("life_time", "u1"),
        ("turn", "u1"),
        ("over", "u1"),
        ("first", "u1"),  # the seat that chooses first in each turn; the others follow cyclically
        ("mover", "u1"),
        ("living", "u1"),  # a bit per seat
        ("slashed", "u1"),  # a bit per seat whose slasher has appeared
        ("lights_on", "u1"),  # a bit per seat whose LIGHT of the last turn is still on
        ("choice", "u1", (SEATS,)),
        ("yells", "u2"),  # bit 4 * caster + victim: a YELL of the last turn that still holds the victim
        ("yelled", "u2"),  # bit 4 * caster + victim: a YELL of this game, which cannot be repeated
        ("sanity", "i2", (SEATS,)),
        ("score", "i2", (SEATS,)),
        ("cell", "u1", (SEATS,)),
        ("plans", "u1", (SEATS,)),  # not yet used
        ("lights", "u1", (SEATS,)),  # not yet used
        ("plan_left", "u1", (SEATS,)),  # turns that an active PLAN has left
        ("shelter", "u1", (8,)),  # energy by the order of the maze's shelters; 0: no such effect
        ("next_id", "u2"),
        ("minions", "u1"),  # how many
        ("slasher", "u1", (MOST_MINIONS,)),  # 1: a slasher, 0: a wanderer
        ("where", "u1", (MOST_MINIONS,)),
        ("mode", "u1", (MOST_MINIONS,)),  # SPAWNING .. STUNNED
        ("timer", "u1", (MOST_MINIONS,)),  # countdown of the mode; a wanderer's life while WANDERING
        ("target", "i1", (MOST_MINIONS,)),  # a seat, or NOBODY
        ("remembered", "u1", (MOST_MINIONS,)),  # a slasher's remembered cell, or NO_CELL
        ("number", "u2", (MOST_MINIONS,)),  # the id in prompts
    ],
)


def living_seats(state: Any) -> list[int]:
    """The explorers still in the game."""
    living = int(state.living)
    return [seat for seat in range(SEATS) if living >> seat & 1]
