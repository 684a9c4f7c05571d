"""A referee that speaks the line protocol: each of two turns every player says lines; the longest words win.

Words: seed (it knows ###Seed), dumb (it reads one line as the start), error, crash.
"""

import random
import sys

words = sys.argv[1:]
line = input()
seed = None
if line.startswith("###Seed") and "seed" in words:
    seed = int(line.split()[1])
    line = input()
players = int(line.split()[1]) if line.startswith("###Start") else 2
chance = random.Random(seed)
sums = [0] * players
for turn in range(2):
    for player in range(players):
        print(f"###Input {player}\nnumber {chance.randrange(10**6)}")
        if turn == 0:
            print(f"###Input {player}\nand more")
        if "error" in words:
            print("###Error 0 something for people")
        print(f"###Output {player} {turn + 1}", flush=True)
        sums[player] += sum(len(input()) for _ in range(turn + 1))
    if "crash" in words:
        sys.exit("boom")
best = sorted(set(sums), reverse=True)
print("###End", *("".join(str(player) for player in range(players) if sums[player] == value) for value in best))
sys.stdout.flush()
input()  # some never end by themselves
