"""The parameters of the searching bots of Code 4 Life.

`writeup` has the values of Agade's "Code 4 Life Postmortem" (1st place); `champion` differs from it where matches
have confirmed a gain.
"""

from podium.model.params import Parameter, ParamSpec
from podium.search import alphabeta

WRITEUP = "write-up"
NOT_TRIED = "write-up: not tried"
OURS = "not in the write-up"


def _share(name: str, default: float, what: str) -> Parameter:
    help_text = f"value of {what}, as a share of health + expertise_coefficient ({WRITEUP}: {default:g})"
    return Parameter(name, default, help_text, low=0.0, high=1.5)


def _points(name: str, default: float, what: str, origin: str = "") -> Parameter:
    help_text = f"{what}, in points ({origin or f'{WRITEUP}: {default:g}'})"
    return Parameter(name, default, help_text, low=-1000.0, high=1000.0)


def _rule(name: str, default: bool, what: str, origin: str = f"{WRITEUP}: on") -> Parameter:
    return Parameter(name, default, f"move rule: {what} ({origin})")


EVALUATION = (
    _points("expertise_coefficient", 10.0, "value of one expertise, also within the value of a sample"),
    _share("undiagnosed", 0.15, "an undiagnosed sample"),
    _share("diagnosed_unknown", 0.175, "a sample that is diagnosed within the search"),
    _share("unproducible", 0.05, "a sample whose missing molecules are not available"),
    _share("producible", 0.5, "a sample whose missing molecules are available"),
    _share("ready", 0.85, "a sample that can be produced with the molecules held"),
    _points("rank_1_health", 1.0, "assumed health of an unknown sample of rank 1"),
    _points("rank_2_health", 10.0, "assumed health of an unknown sample of rank 2"),
    _points("rank_3_health", 30.0, "assumed health of an unknown sample of rank 3"),
    _points("missing_penalty", 0.01, "penalty per missing molecule of the first sample to produce"),
    Parameter(
        "missing_decay", 0.5, "factor of missing_penalty from sample to sample (write-up: 0.5)", low=0.0, high=1.0
    ),
    _points("space_bonus", 0.0025, "bonus per molecule that the robot can still carry"),
    _points("distance_penalty", 0.01, "penalty per round of distance to DIAGNOSIS with an undiagnosed sample"),
    Parameter(
        "health_weight",
        0.0,
        "order of production: missing molecules that one point of health outweighs (write-up: 0)",
        low=0.0,
        high=2.0,
    ),
    Parameter("future_expertise", False, f"expertise of earlier samples lowers the cost of later ones ({NOT_TRIED})"),
    Parameter(
        "opponent_weight",
        1.0,
        f"weight of the opponent's evaluation, apart from its score ({OURS})",
        low=0.0,
        high=3.0,
        aliases=("rivalry",),
    ),
    Parameter(
        "space_needed",
        0.0,
        f"free molecule places below which unknown samples lose value linearly; 0: never ({OURS})",
        low=0.0,
        high=10.0,
    ),
    _points("project_bonus", 0.0, "value of a complete project, times the square of the part that is there", OURS),
)

RULES = (
    Parameter(
        "all_moves",
        False,
        "consider all legal moves, as a normal minimax does (write-up: off, for depth and against crazy moves)",
    ),
    Parameter(
        "rank_2_from", 9, "total expertise from which samples of rank 2 are drawn (write-up: 9)", low=0, high=200
    ),
    Parameter(
        "rank_3_from", 12, "total expertise from which samples of rank 3 are drawn (write-up: 12)", low=0, high=200
    ),
    _rule(
        "restrict_diagnosis",
        True,
        "at DIAGNOSIS with nothing producible and not ahead, consider only dropping samples and going to SAMPLES",
        f"{WRITEUP}: on; it leaves open how samples diagnosed within the search count: here as not producible",
    ),
    _rule("wait_at_molecules", True, "consider waiting at MOLECULES while ahead, unless the opponent is at SAMPLES"),
    _rule(
        "wait_at_laboratory",
        True,
        "consider waiting at LABORATORY with a ready sample while ahead, unless the opponent is at SAMPLES",
    ),
    _rule("cloud_from_laboratory", True, "consider LABORATORY to DIAGNOSIS for producible samples of the cloud"),
    _rule("production_orders", False, "consider every ready sample as the next to produce", NOT_TRIED),
    _rule(
        "diagnosis_from_molecules",
        False,
        "consider MOLECULES to DIAGNOSIS for producible samples of the cloud",
        NOT_TRIED,
    ),
    _rule(
        "blocking_trips",
        True,
        "consider LABORATORY to MOLECULES also without a sample, as for molecules that the opponent needs",
        f"{WRITEUP}: on; it names no exception",
    ),
    Parameter(
        "patience",
        200,
        "rounds without a delivery after which, at DIAGNOSIS, ready samples are delivered and impossible ones put back "
        f"without a search ({OURS})",
        low=0,
        high=200,
    ),
    Parameter(
        "sample_patience",
        200,
        "rounds for which a sample could not be produced with the molecules to be had, after which it is put back at "
        f"DIAGNOSIS without a search ({OURS})",
        low=0,
        high=200,
    ),
    _rule(
        "download_blocked",
        True,
        "consider the best sample of the cloud even if its molecules are not available",
        f"{WRITEUP}: on; it names no exception",
    ),
    Parameter(
        "payable_share",
        0.0,
        "a rank is drawn only if at least this share of its samples can be paid with the molecules to be had; "
        f"0: by expertise alone ({OURS})",
        low=0.0,
        high=1.0,
    ),
    Parameter(
        "endgame_rounds",
        0,
        "move rule: in this many last rounds, consider leaving SAMPLES and DIAGNOSIS with fewer than three samples "
        f"({OURS})",
        low=0,
        high=200,
        aliases=("hurry",),
    ),
)

CLOCK = (Parameter("margin", 20.0, "milliseconds of each time limit left unused", 0, 40),)

PARAMS = ParamSpec("code4life search parameters", *EVALUATION, *RULES, *CLOCK, *alphabeta.PARAMETERS)
WRITEUP_PARAMS = PARAMS.variant(
    "code4life writeup parameters",
    stride=2,
    table=False,
    evaluation_cache=False,
    scout=False,
    hash_move=False,
    principal_variation=True,
    killers=False,
    history=False,
    partial=False,
)
CHAMPION_PARAMS = PARAMS.variant(
    "code4life champion parameters",
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
    opponent_weight=1.15,
    space_needed=3.0,
    project_bonus=20.0,
    rank_2_from=6,
    rank_3_from=15,
    restrict_diagnosis=False,
    production_orders=True,
    diagnosis_from_molecules=True,
    endgame_rounds=10,
    patience=40,
)
