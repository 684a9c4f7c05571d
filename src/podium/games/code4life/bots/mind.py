"""The numbers and switches of the searching bots of Code 4 Life.

`writeup` has the values of Agade's "Code 4 Life Postmortem" (1st place); `champion` differs from it in what matches
have confirmed.
"""

from podium.kernel.minds import MindType, Parameter
from podium.search import alphabeta

SHARE = "as a share of its worth (health + expertise coefficient)"
WRITEUP = "write-up"


def _share(name: str, default: float, what: str, origin: str = WRITEUP) -> Parameter:
    return Parameter(name, default, f"value of {what}, {SHARE}; {origin}", low=0.0, high=1.5)


def _points(name: str, default: float, what: str, origin: str = WRITEUP) -> Parameter:
    return Parameter(name, default, f"{what}, in points; {origin}", low=-1000.0, high=1000.0)


def _rule(name: str, default: bool, what: str, origin: str = WRITEUP) -> Parameter:
    return Parameter(name, default, f"move rule: {what}; {origin}")


EVALUATION = (
    _points("expertise_coefficient", 10.0, "worth of a point of expertise, and part of every sample's worth"),
    _share("undiagnosed", 0.15, "an undiagnosed sample"),
    _share("diagnosed_unknown", 0.175, "a sample that was diagnosed within the search"),
    _share("unproducible", 0.05, "a sample whose missing molecules are not available"),
    _share("producible", 0.5, "a sample whose missing molecules are available"),
    _share("ready", 0.85, "a sample that can be produced with the molecules held"),
    _points("rank_1_health", 1.0, "health counted for an unknown sample of rank 1"),
    _points("rank_2_health", 10.0, "health counted for an unknown sample of rank 2"),
    _points("rank_3_health", 30.0, "health counted for an unknown sample of rank 3"),
    _points("missing_penalty", 0.01, "penalty for each molecule that the first sample of the order misses"),
    Parameter("missing_decay", 0.5, "factor of that penalty from each sample to the next; write-up", low=0.0, high=1.0),
    _points("space_bonus", 0.0025, "bonus for each molecule that could still be carried"),
    _points("distance_penalty", 0.01, "penalty for each round to DIAGNOSIS while an undiagnosed sample is carried"),
    Parameter(
        "health_weight",
        0.0,
        "order of samples: missing molecules that a point of health makes up for; write-up: health does not count",
        low=0.0,
        high=2.0,
    ),
    Parameter(
        "future_expertise", False, "expertise of earlier samples lowers the cost of later ones; named as next step"
    ),
    Parameter("rivalry", 1.0, "weight of the opponent's standing beside its score; own idea", low=0.0, high=3.0),
    Parameter(
        "space_needed",
        0.0,
        "free places below which unknown samples lose their value evenly; 0: never; own idea",
        low=0.0,
        high=10.0,
    ),
    _points(
        "project_bonus",
        0.0,
        "value of an open project's expertise when complete, by the square of what is there",
        "own idea",
    ),
)

RULES = (
    Parameter("rank_2_from", 9, "total expertise from which samples of rank 2 are drawn; write-up", low=0, high=200),
    Parameter("rank_3_from", 12, "total expertise from which samples of rank 3 are drawn; write-up", low=0, high=200),
    _rule("restrict_diagnosis", True, "at DIAGNOSIS with nothing producible and not ahead, only drop or go to SAMPLES"),
    _rule("wait_at_molecules", True, "waiting at MOLECULES while ahead and the opponent is not at SAMPLES"),
    _rule("wait_at_laboratory", True, "waiting at LABORATORY with a ready sample, under the same conditions"),
    _rule("cloud_from_laboratory", True, "from LABORATORY to DIAGNOSIS for producible samples of the cloud"),
    _rule("production_orders", False, "any ready sample may be produced first", "named as next step"),
    _rule(
        "diagnosis_from_molecules",
        False,
        "from MOLECULES to DIAGNOSIS for producible samples of the cloud",
        "named as next step",
    ),
    _rule(
        "blocking_trips", True, "from LABORATORY to MOLECULES also without a sample, to take what the opponent needs"
    ),
    Parameter(
        "patience",
        200,
        "rounds without a delivery after which, at DIAGNOSIS, ready samples are delivered and impossible ones put back "
        "without a search; own idea",
        low=0,
        high=200,
    ),
    Parameter(
        "hurry",
        0,
        "move rule: rounds before the end from which leaving SAMPLES and DIAGNOSIS with fewer than three samples is "
        "considered; own idea",
        low=0,
        high=200,
    ),
)

CLOCK = (
    Parameter("margin", 20.0, "milliseconds of a turn left unused, for reading, writing and a busy machine", 0, 40),
)

MINDS = MindType("code4life search mind", *EVALUATION, *RULES, *CLOCK, *alphabeta.PARAMETERS)
WRITEUP_MINDS = MINDS.variant(
    "code4life writeup mind", stride=2, table=False, evaluation_cache=False, scout=False, killers=False, history=False
)
CHAMPION_MINDS = MINDS.variant(
    "code4life champion mind",
    stride=2,
    table_depth=2,
    expertise_coefficient=11.0,
    undiagnosed=0.13,
    diagnosed_unknown=0.25,
    unproducible=0.04,
    producible=0.42,
    ready=0.92,
    health_weight=0.2,
    future_expertise=True,
    rivalry=1.15,
    space_needed=3.0,
    project_bonus=20.0,
    rank_2_from=6,
    rank_3_from=15,
    restrict_diagnosis=False,
    production_orders=True,
    diagnosis_from_molecules=True,
    hurry=10,
    patience=40,
)
