"""The parameters of the searching bots of Code of Kutulu.

`writeup` has the values of Agade's "Code of Kutulu Postmortem" (2nd place); the others differ from it as their help
texts and the game's page say.
"""

from podium.model.params import Parameter, ParamSpec, adjusted
from podium.search import alphabeta

WRITEUP = "write-up"
OURS = "not in the write-up"


def _points(name: str, default: float, what: str, origin: str = "", aliases: tuple[str, ...] = ()) -> Parameter:
    help_text = f"{what}, in points of sanity ({origin or f'{WRITEUP}: {default:g}'})"
    return Parameter(name, default, help_text, low=-1e12, high=1e12, aliases=aliases)


EVALUATION = (
    _points("win", 1e10, "value of a position in which all others are out; minus this for a loss"),
    _points(
        "win_delay",
        1e8,
        "penalty per turn until a win, bonus per turn until a loss",
        "write-up: 1e9, with which a win in eleven turns would be worth less than nothing",
    ),
    _points("draw_delay", 0.1, "bonus per turn until a shared end, whose value is 0"),
    _points("my_sanity", 1.0, "value per point of my sanity"),
    _points("enemy_sanity", 1.0, "penalty per point of sanity of each enemy"),
    Parameter(
        "enemy_mean",
        False,
        "enemy_sanity applies to the mean of the enemies: a loss that all share counts 0 (write-up: an idea)",
    ),
    _points("lonely", 2.0, "penalty per step beyond 2 to the nearest explorer"),
    _points(
        "lonely_loss",
        0.0,
        "the penalty of lonely per point that a turn alone costs, while three explorers are left",
        OURS,
        aliases=("way_back",),
    ),
    _points("explorer_distance", 0.05, "penalty per step to each explorer"),
    _points("nearest_minion", 1.0, "value per step to the nearest minion"),
    _points("minion_distance", 0.025, "value per step to each minion"),
    _points("target_distance", 0.015, "value per step to the target of each minion"),
    _points("yelled", 19.0, "penalty per explorer that I have yelled at"),
    _points("slasher_target", 0.35, "penalty per slasher that targets me"),
    _points("wanderer_target", 0.05, "penalty per wanderer that targets me"),
    _points("plan_stock", 0.0, "value per PLAN that I have left", OURS),
    _points("plan_turn", 0.0, "value per point that my active PLAN will heal if nobody moves", OURS),
    _points("hunted", 0.0, "penalty per step that a wanderer after me is nearer than 7", OURS),
    _points("stalked", 0.0, "penalty per slasher that stalks me and sees me", OURS),
    _points("rushed", 0.0, "penalty per slasher that is about to rush at me and sees me", OURS),
)

MOVES = (
    Parameter("my_yell", True, "search my YELL (write-up: on)"),
    Parameter("my_light", True, "search my LIGHT if an enemy is far (write-up: on)"),
    Parameter("light_distance", 7, "steps beyond which an enemy is far, for my_light (write-up: 7)", low=0, high=63),
    Parameter("plan_below", 200, "sanity below which PLAN replaces a WAIT (write-up: 200)", low=0, high=251),
    Parameter("plan_searched", False, f"search PLAN like any other choice instead of replacing a WAIT ({OURS})"),
    Parameter("enemy_yell", False, "search the enemies' YELL (write-up: tried, weaker)"),
    Parameter("enemy_light", False, "search the enemies' LIGHT (write-up: not tried)"),
    Parameter(
        "ignore_explorers", 63, "steps beyond which enemies only wait in the search (write-up: not tried)", 0, 63
    ),
    Parameter(
        "active_enemies",
        3,
        "number of nearest enemies that are searched with all choices; the others have far_choices (bots of ranks 20 "
        "to 30: 1)",
        0,
        3,
    ),
    Parameter("far_choices", 0, f"number of best choices searched for the other enemies; 0: they wait ({OURS})", 0, 8),
    Parameter(
        "ignore_minions", 63, "steps beyond which minions are left out of the search (write-up: not tried)", 0, 63
    ),
)


def _weight(name: str, default: float, what: str, aliases: tuple[str, ...] = ()) -> Parameter:
    help_text = f"prediction of an enemy's step: {what} (fitted to steps of bots)"
    return Parameter(name, default, help_text, 0.0, 1e3, aliases=aliases)


PREDICTION = (
    _weight("fear_touch", 5.2, "penalty of a cell per wanderer at most one step away"),
    _weight("fear_near", 0.55, "penalty per step that a wanderer is nearer than 6"),
    _weight("fear_rush", 1.8, "penalty per slasher in sight that is about to rush"),
    _weight("fear_stalk", 0.45, "penalty per slasher in sight that stalks or wanders"),
    _weight("herd", 0.44, "penalty per step to the nearest explorer"),
    _weight("flock", 0.09, "penalty per step to each explorer"),
    _weight("exits", 0.27, "bonus per walkable neighbour of a cell", aliases=("ways_out",)),
    _weight("shelter", 1.2, "bonus of a filled shelter", aliases=("rest",)),
    _weight("shelter_near", 0.14, "bonus per step that a filled shelter is nearer than 8", aliases=("rest_near",)),
)

SEARCH = (
    Parameter(
        "first_mover",
        "me",
        "the explorer that chooses first in a turn of the search: me, or an enemy, which then does not know my choice "
        "(write-up: me)",
        choices=("me", "enemy"),
        aliases=("start",),
    ),
    Parameter(
        "light",
        "bound",
        "light in the search: as the referee has it, by the write-up's lower bound, or ignored",
        choices=("exact", "bound", "none"),
    ),
    Parameter(
        "whole_turns", True, "deepen by whole turns, in which the write-up counts its depth; off: by single choices"
    ),
    Parameter("complete", False, f"evaluate a position in mid-turn as if those who have not chosen yet wait ({OURS})"),
    Parameter("margin", 15.0, "milliseconds of each time limit left unused", 0.0, 1000.0),
    Parameter(
        "max_time", 60.0, "longest search in milliseconds: the first limit is 1000", 1.0, 1e6, aliases=("longest",)
    ),
)

ENGINE = adjusted(alphabeta.PARAMETERS, table=False, evaluation_cache=False, tie_break=False, partial=False)

WRITEUP_PARAMS = ParamSpec("code of kutulu paranoid parameters", *EVALUATION, *MOVES, *PREDICTION, *SEARCH, *ENGINE)
Params = WRITEUP_PARAMS.dtype

CHAMPION_PARAMS = WRITEUP_PARAMS.variant(
    "code of kutulu champion parameters",
    enemy_mean=True,
    lonely=0.0,
    lonely_loss=1.0,
    active_enemies=1,
    far_choices=1,
    plan_searched=True,
    plan_below=251,
    plan_stock=25.0,
    plan_turn=0.8,
    hunted=0.8,
    stalked=3.0,
    rushed=9.0,
    partial=True,
    margin=25.0,
)
