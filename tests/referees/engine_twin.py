"""A game of Podium's own behind the engine's protocol: `engine_twin.py GAME [lie]`. `lie`: an input is wrong."""

import sys

from podium.games import load
from podium.games.game import Answer


def say(name, *lines):
    print(f"[[{name}] {len(lines)}]", *lines, sep="\n")


def hear():
    name, count = sys.stdin.readline().rstrip("\n")[2:-1].split("] ")
    return name, [sys.stdin.readline().rstrip("\n") for _ in range(int(count))]


_, init = hear()
seed = int(next(line for line in init if line.startswith("seed="))[5:])
referee = load(sys.argv[1]).new_referee(seed)
while requests := referee.requests():
    answers = []
    for request in requests:
        assert hear()[0] == "GET_GAME_INFO"
        lie = ["lie"] if "lie" in sys.argv and referee.turn == 1 else []
        say("VIEW", "INTERMEDIATE_FRAME 0")
        say("NEXT_PLAYER_INPUT", *request.lines, *lie)
        say("NEXT_PLAYER_INFO", str(request.seat), "1", "1000")
        sys.stdout.flush()
        name, lines = hear()
        answers.append(Answer(lines[0] if name == "SET_PLAYER_OUTPUT" else None))
    referee.answer(answers)
say("UINPUT", f"seed={seed}")
say("SCORES", *(f"{seat} {score:g}" for seat, score in enumerate(referee.outcome.scores)))
