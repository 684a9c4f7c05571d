"""The numbers and switches of the searching bots of Code of Kutulu.

`writeup` has the values of Agade's "Code of Kutulu Postmortem" (2nd place); the others differ from it in what their
help texts and the game's page say.
"""

from podium.kernel.minds import MindType, Parameter, adjusted
from podium.search import alphabeta

WRITEUP = "write-up"


def _points(name: str, default: float, what: str, origin: str = WRITEUP) -> Parameter:
    return Parameter(name, default, f"{what}, in points of sanity; {origin}", low=-1e12, high=1e12)


EVALUATION = (
    _points("win", 1e10, "a position in which all others are out; a loss is the same below 0"),
    _points("win_delay", 1e9, "what each turn until the win takes off, and each turn until the loss adds"),
    _points("draw_delay", 0.1, "what each turn until a shared end adds to 0"),
    _points("my_sanity", 1.0, "each point of my sanity"),
    _points("enemy_sanity", 1.0, "what each point of sanity of each enemy takes off"),
    Parameter(
        "enemy_mean",
        False,
        "`enemy_sanity` is for the mean of the enemies: a hit that all share is worth 0; write-up: named",
    ),
    _points("lonely", 2.0, "what each step beyond 2 to the nearest explorer takes off"),
    _points("way_back", 0.0, "the same for each point that a turn alone costs, while three are left", "own idea"),
    _points("explorer_distance", 0.05, "what each step to each explorer takes off"),
    _points("nearest_minion", 1.0, "each step to the nearest minion"),
    _points("minion_distance", 0.025, "each step to each minion"),
    _points("target_distance", 0.015, "each step to the target of each minion"),
    _points("yelled", 19.0, "what each explorer that I have yelled at takes off; a YELL is worth a wanderer's hit"),
    _points("slasher_target", 0.35, "what each slasher that targets me takes off"),
    _points("wanderer_target", 0.05, "what each wanderer that targets me takes off"),
    _points("plan_stock", 0.0, "each PLAN that I have left", "own idea"),
    _points(
        "plan_turn", 0.0, "each point that a turn of my PLAN still to come would heal as all stand now", "own idea"
    ),
)

MOVES = (
    Parameter("my_yell", True, "I may YELL in the search; write-up"),
    Parameter("my_light", True, "I may LIGHT in the search if an enemy is far; write-up"),
    Parameter("light_distance", 7, "steps beyond which an enemy is far; write-up", low=0, high=63),
    Parameter("plan_below", 200, "sanity below which PLAN takes the place of a WAIT; write-up", low=0, high=251),
    Parameter(
        "plan_searched",
        False,
        "PLAN is searched like any other choice, instead of taking the place of a WAIT; own idea",
    ),
    Parameter("enemy_yell", False, "enemies may YELL in the search; write-up: tried, poorer"),
    Parameter("enemy_light", False, "enemies may LIGHT in the search; write-up: not tried"),
    Parameter(
        "ignore_explorers", 63, "steps beyond which enemies only wait in the search; write-up: named, not tried", 0, 63
    ),
    Parameter(
        "active_enemies",
        3,
        "so many enemies, the nearest, have every choice, the others `far_choices`; bots of ranks 20 to 30 had 1",
        0,
        3,
    ),
    Parameter(
        "far_choices", 0, "choices of the other enemies, those that serve them best; 0: they wait; own idea", 0, 8
    ),
    Parameter("ignore_minions", 63, "steps beyond which minions are left out; write-up: named, not tried", 0, 63),
)


def _weight(name: str, default: float, what: str) -> Parameter:
    return Parameter(name, default, f"what {what} a cell that an enemy can step to; fitted to bots' steps", 0.0, 1e3)


PREDICTION = (
    _weight("fear_touch", 5.2, "each wanderer at most one step away takes off"),
    _weight("fear_near", 0.55, "each step that a wanderer is nearer than 6 takes off"),
    _weight("fear_rush", 1.8, "the sight of each slasher about to rush takes off"),
    _weight("fear_stalk", 0.45, "the sight of each slasher that stalks or looks around takes off"),
    _weight("herd", 0.44, "each step to the nearest explorer takes off"),
    _weight("flock", 0.09, "each step to each explorer takes off"),
    _weight("ways_out", 0.27, "each way out adds to"),
    _weight("rest", 1.2, "a filled shelter adds to"),
    _weight("rest_near", 0.14, "each step that a filled shelter is nearer than 8 adds to"),
)

CONDUCT = (
    Parameter(
        "start",
        "me",
        "who chooses first in a turn of the search: me, or an enemy who then does not know my choice; write-up: me",
        choices=("me", "enemy"),
    ),
    Parameter(
        "light",
        "bound",
        "how the search sees light: by the write-up's lower bound, as the referee, or not at all",
        choices=("exact", "bound", "none"),
    ),
    Parameter("whole_turns", True, "the depth grows by whole turns; off: by single choices"),
    Parameter("complete", False, "value a position in mid-turn as if those who have not chosen yet wait; own idea"),
    Parameter("margin", 15.0, "milliseconds of each limit left unused; own choice", 0.0, 1000.0),
    Parameter("longest", 60.0, "milliseconds of a longer limit that are used: the first has 1000", 1.0, 1e6),
)

ENGINE = adjusted(alphabeta.PARAMETERS, table=False, evaluation_cache=False, tie_break=False)

WRITEUP_MINDS = MindType("code of kutulu paranoid mind", *EVALUATION, *MOVES, *PREDICTION, *CONDUCT, *ENGINE)
Mind = WRITEUP_MINDS.dtype

CHAMPION_MINDS = WRITEUP_MINDS.variant(
    "code of kutulu champion mind",
    enemy_mean=True,
    lonely=0.0,
    way_back=1.0,
    active_enemies=1,
    far_choices=1,
    plan_searched=True,
    plan_below=251,
    plan_stock=25.0,
    plan_turn=0.8,
    margin=25.0,
)
