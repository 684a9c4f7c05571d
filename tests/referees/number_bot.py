"""A bot for `fake.py`: it names the digit of its first word. Others: lines (three a prompt), map, quit, bad."""

import os
import sys

digit, *words = sys.argv[1:]
lines = 3 if "lines" in words else 1
known = None
for number, prompt in enumerate(sys.stdin):
    if prompt.startswith("map"):
        known = prompt.strip()
        continue
    if "quit" in words and number == 1:
        sys.exit(3)
    answer = "0" if "map" in words and known is None else digit
    if "bad" in words and number > 0:
        answer = "x\u2028y"
    print(f"seed {os.environ.get('PODIUM_SEED')}", file=sys.stderr, flush=True)
    for _ in range(lines):
        print(answer, flush=True)
