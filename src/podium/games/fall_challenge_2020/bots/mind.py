"""The numbers and switches of the beam search bots of Fall Challenge 2020.

`writeup` has the values of Agade's write-up (2nd place); `champion` differs from it in what matches have confirmed.
"""

from podium.games.fall_challenge_2020.cards import SPELLS
from podium.games.fall_challenge_2020.state import MOST_TURNS
from podium.kernel.minds import MindType, Parameter

EVALUATION = (
    Parameter("win", 20_000.0, "rupees that a won game is worth, a lost one costs (write-up: 20,000)", 0.0, 1e9),
    Parameter("tier_0", 0.8, "rupees per ingredient of tier 0 (write-up: 0.8 x 1)", 0.0, 20.0),
    Parameter("tier_1", 1.6, "rupees per ingredient of tier 1 (write-up: 0.8 x 2)", 0.0, 20.0),
    Parameter("tier_2", 2.4, "rupees per ingredient of tier 2 (write-up: 0.8 x 3)", 0.0, 20.0),
    Parameter("tier_3", 3.2, "rupees per ingredient of tier 3 (write-up: 0.8 x 4)", 0.0, 20.0),
    Parameter("inside", 0.1, "share of the ingredients' worth that is discounted (write-up: 0.1)", 0.0, 1.0),
    Parameter("outside", 0.9, "share of the ingredients' worth that is not (write-up: 0.9)", 0.0, 1.0),
    Parameter("spell", 0.8, "rupees per spell that cannot be repeated (write-up: 0.8)", 0.0, 20.0),
    Parameter("repeatable", 1.25, "how many times that a repeatable spell is worth (write-up: 1.25)", 0.0, 20.0),
    Parameter("spell_limit", 11, "spells that count in full, the repeatable ones first (write-up: 11)", 0, SPELLS),
    Parameter("surplus", 0.25, "share that a spell beyond the limit counts (write-up: 0.2 / 0.8)", 0.0, 1.0),
    Parameter(
        "spell_values", False, "weigh each spell by pb4's measured value instead (write-up: about 3 % more wins)"
    ),
)

NAIVE, WARY, WHICHEVER = range(3)  # levels of the opponent model
LEVEL_HELP = (
    "how he plans: 0: as if I rested (write-up); 1: against the plan that I would have if he rested; "
    "2: whichever of the two has foretold his moves better"
)

WRITEUP_MINDS = MindType(
    "fall challenge 2020 beam mind",
    Parameter("width", 350, "positions that live on at each depth of my beam (write-up: 350)", 1, 5000),
    Parameter("depth", MOST_TURNS, "turns that my beam looks ahead at most (write-up: no limit)", 1, MOST_TURNS),
    Parameter("time", 0.6, "share of the time limit for my beam (write-up: 30 of 50 ms)", 0.0, 0.95),
    Parameter("opponent", True, "search the other player's plan first and let him follow it"),
    Parameter("opponent_width", 150, "width of his beam (write-up: 150)", 1, 5000),
    Parameter("opponent_depth", 15, "depth of his beam (write-up: 15)", 1, MOST_TURNS),
    Parameter("opponent_time", 0.2, "share of the time limit for his beam (write-up: 10 of 50 ms)", 0.0, 0.95),
    Parameter("level", 0, LEVEL_HELP, 0, 2),
    Parameter("mirror", True, "he values positions as I do (write-up); off: as the write-up does, whatever I do"),
    Parameter("longest", 50.0, "milliseconds of a longer limit that are used, for the first turn has 1000", 1.0, 1e6),
    Parameter("discount", 0.98, "what a change of worth keeps with each turn (write-up: 0.98)", 0.0, 1.0),
    Parameter("stop_at_win", True, "play a sequence believed to win as soon as a depth has found it (write-up: on)"),
    Parameter("separate", False, "one beam for each first move, in equal shares of the time (write-up: no gain)"),
    Parameter("backtrack", False, "beam stack search down to `depth` (write-up: no gain)"),
    Parameter("imagine", False, "deal the unseen cards into the decks at random instead of leaving them unknown"),
    Parameter(
        "top", 0, "play the move that starts most of so many best sequences; 0: the best (write-up: 10, no gain)"
    ),
    *EVALUATION,
)

# Past depth 15 or so a search gains nothing (write-up), so these beams end long before the time does.
CHAMPION_MINDS = WRITEUP_MINDS.variant(
    "fall challenge 2020 champion mind",
    depth=16,
    time=0.5,
    level=WHICHEVER,
    mirror=False,
    spell_values=True,
    spell=1.1,
)
SOLO_MINDS = WRITEUP_MINDS.variant("fall challenge 2020 solo mind", opponent=False)
