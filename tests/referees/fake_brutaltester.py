"""A stand-in for a jar with brutaltester's command line. The first word is its dialect, the others what it is given.

Dialects: d (-d seed=N), seed (-seed N; -d is a flag without a value), deaf (-d is a flag, the seed random), mute (as d,
but it tells no seed), crash, null (a crash that prints null for each player), noisy, late (player 1 times out).
"""

import argparse
import json
import random
import sys

dialect, *words = sys.argv[1:]
parser = argparse.ArgumentParser()
for player in "1234":
    parser.add_argument(f"-p{player}")
parser.add_argument("-l")
parser.add_argument("-league", default="0")
if dialect in ("seed", "deaf"):
    parser.add_argument("-d", action="store_true")
    words = [word for word in words if not word.startswith("seed=")]
else:
    parser.add_argument("-d", default="seed=0")
if dialect == "seed":
    parser.add_argument("-seed", type=int)
given = parser.parse_args(words)
if dialect == "crash":
    sys.exit("java.lang.NullPointerException")
seed = random.randrange(2**31) if dialect == "deaf" else None
if dialect == "seed":
    seed = given.seed if given.seed is not None else random.randrange(2**31)
if seed is None:
    seed = int(given.d.partition("=")[2])
commands = [command for command in (given.p1, given.p2, given.p3, given.p4) if command]
scores = [len(command) + seed % 3 for command in commands]
if dialect == "late":
    scores[1] = -1
if given.l:
    with open(given.l, "w") as file:
        failure = {"failCause": "java.lang.Boom: at x\nmore"} if dialect == "null" else {}
        seeds = {} if dialect == "mute" else {"uinput": f"seed={seed}\n"}
        told = {"scores": scores, "summaries": [f"league {given.league}"], **seeds, **failure}
        if dialect == "late":
            told["outputs"] = {
                "0": [None, "a", None, "b", None],
                "1": [None, None, "a", None, None],
                "referee": [""] * 5,
            }
            told["tooltips"] = [{"turn": 4, "text": "Timeout!", "event": 1}]
        json.dump(told, file)
for score in scores:
    if dialect == "noisy":
        print("Exception in thread main")
    print("null" if dialect == "null" else score)
if dialect != "mute":
    print(f"seed={seed}\n")
