"""The parameters of the beam search bots of Fall Challenge 2020.

`writeup` has the values of Agade's write-up (2nd place); `champion` differs from it where matches have confirmed a
gain.
"""

from podium.games.fall_challenge_2020.cards import SPELLS
from podium.games.fall_challenge_2020.state import MOST_TURNS
from podium.model.params import Parameter, ParamSpec

EVALUATION = (
    Parameter("win", 20_000.0, "value of a win in rupees; minus this for a loss (write-up: 20,000)", 0.0, 1e9),
    Parameter("tier_0", 0.8, "rupees per ingredient of tier 0 (write-up: 0.8 x 1)", 0.0, 20.0),
    Parameter("tier_1", 1.6, "rupees per ingredient of tier 1 (write-up: 0.8 x 2)", 0.0, 20.0),
    Parameter("tier_2", 2.4, "rupees per ingredient of tier 2 (write-up: 0.8 x 3)", 0.0, 20.0),
    Parameter("tier_3", 3.2, "rupees per ingredient of tier 3 (write-up: 0.8 x 4)", 0.0, 20.0),
    Parameter(
        "discounted_share",
        0.1,
        "share of the ingredients' value that is discounted per turn (write-up: 0.1)",
        0.0,
        1.0,
        aliases=("inside",),
    ),
    Parameter(
        "undiscounted_share",
        0.9,
        "share of the ingredients' value that is not discounted (write-up: 0.9)",
        0.0,
        1.0,
        aliases=("outside",),
    ),
    Parameter("spell", 0.8, "rupees per spell that is not repeatable (write-up: 0.8)", 0.0, 20.0),
    Parameter("repeatable", 1.25, "value of a repeatable spell, in multiples of spell (write-up: 1.25)", 0.0, 20.0),
    Parameter(
        "spell_limit", 11, "number of spells that count in full, repeatable ones first (write-up: 11)", 0, SPELLS
    ),
    Parameter("surplus", 0.25, "share that a spell beyond spell_limit counts (write-up: 0.2 / 0.8)", 0.0, 1.0),
    Parameter(
        "spell_values", False, "weight each spell by pb4's measured value instead (write-up: about 3 % more wins)"
    ),
)

NAIVE, WARY, WHICHEVER = range(3)  # levels of the opponent model
LEVEL_HELP = (
    "opponent model: 0: it plans as if I rested (write-up); 1: against the plan that I would have if it rested; "
    "2: the one of the two that has predicted its moves better so far"
)

WRITEUP_PARAMS = ParamSpec(
    "fall challenge 2020 beam parameters",
    Parameter("width", 350, "width of my beam in positions (write-up: 350)", 1, 5000),
    Parameter("depth", MOST_TURNS, "maximum depth of my beam in turns (write-up: no limit)", 1, MOST_TURNS),
    Parameter(
        "time_share", 0.6, "share of the time limit for my beam (write-up: 30 of 50 ms)", 0.0, 0.95, aliases=("time",)
    ),
    Parameter(
        "opponent", True, "search the opponent's plan first, and let it follow that plan in my beam (write-up: on)"
    ),
    Parameter("opponent_width", 150, "width of the opponent's beam in positions (write-up: 150)", 1, 5000),
    Parameter("opponent_depth", 15, "depth of the opponent's beam in turns (write-up: 15)", 1, MOST_TURNS),
    Parameter(
        "opponent_time_share",
        0.2,
        "share of the time limit for the opponent's beam (write-up: 10 of 50 ms)",
        0.0,
        0.95,
        aliases=("opponent_time",),
    ),
    Parameter("opponent_level", 0, LEVEL_HELP, 0, 2, aliases=("level",)),
    Parameter(
        "opponent_mirror",
        True,
        "the opponent evaluates positions as I do (the write-up names no other values); off: always by the write-up's",
        aliases=("mirror",),
    ),
    Parameter(
        "substitute",
        0.0,
        "share of the price that the opponent gets for a planned order that is gone, as if it found another one "
        "(write-up: 0, it rests instead)",
        0.0,
        1.0,
    ),
    Parameter(
        "replies",
        0,
        "if my best sequence ends the game: how many times the opponent's best reply is searched, and my answer to it; "
        "the first move that is best on average against all plans is played (not in the write-up)",
        0,
        10,
    ),
    Parameter(
        "escape",
        False,
        "if my best sequence brews nothing and ends with a bag with which nothing can be cast or brewed: search a beam "
        "per first move with what is left of my beam's time, and take the best that ends otherwise (not in the "
        "write-up)",
    ),
    Parameter("reply_time_share", 0.1, "share of the time limit for these replies (not in the write-up)", 0.0, 0.95),
    Parameter(
        "max_time", 50.0, "longest turn in milliseconds: the first limit is 1000", 1.0, 1e6, aliases=("longest",)
    ),
    Parameter("discount", 0.98, "discount per turn, applied to changes of the evaluation (write-up: 0.98)", 0.0, 1.0),
    Parameter("stop_at_win", True, "stop at the first depth with a sequence that wins (write-up: on)"),
    Parameter("transpositions", True, "keep the better one of two sequences that lead to one position (write-up: on)"),
    Parameter("separate", False, "one beam per first move, each with an equal share of the time (write-up: no gain)"),
    Parameter("backtrack", False, "beam stack search down to depth (write-up: no gain)"),
    Parameter(
        "sample_decks",
        False,
        "deal the unseen cards into the decks at random; off: unseen cards stay unknown (not in the write-up)",
        aliases=("imagine",),
    ),
    Parameter(
        "top",
        0,
        "play the most frequent first move of this many best sequences; 0: of the best (write-up: 10, no gain)",
    ),
    *EVALUATION,
    Parameter("potion", 0.0, "rupees per potion brewed, beside its price (Magus: 1.1; write-up: none)", 0.0, 100.0),
)

# Past depth 15 or so a search gains nothing (write-up), so these beams end long before the time does.
CHAMPION_PARAMS = WRITEUP_PARAMS.variant(
    "fall challenge 2020 champion parameters",
    depth=16,
    time_share=0.5,
    opponent_level=WHICHEVER,
    opponent_mirror=False,
    spell_values=True,
    spell=1.1,
    substitute=0.8,
    escape=True,
    replies=3,
)
SOLO_PARAMS = WRITEUP_PARAMS.variant("fall challenge 2020 solo parameters", opponent=False)

# Any potion is good, so the cheap and fast ones are brewed: an opponent of another style.
RACER_PARAMS = WRITEUP_PARAMS.variant("fall challenge 2020 racer parameters", opponent=False, depth=16, potion=15.0)
