"""A made-up game of two prompts, on which bots compile what they need before their clock starts.

The second prompt contradicts the first, so that the search for the turn on which an enemy gave up is compiled too.
"""

FIRST_PROMPT = ["5", "2", *["00000"] * 5, "0 0", "4 4", "-1 -1", "-1 -1", "1", "MOVE&BUILD 0 E S"]
SECOND_PROMPT = [*FIRST_PROMPT[2:7], "1 0", *FIRST_PROMPT[8:11], "1", "MOVE&BUILD 1 N W"]
