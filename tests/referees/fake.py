"""A referee that speaks the engine's protocol in Python: each player names numbers; the sums are the scores.

The first word is how it behaves: plain, filler (player 0 gets a map in an extra step), lines (three lines are
wanted), unsteady (it fails with every third seed), fail, early, deaf (it takes a seed of its own), fragile (an answer
that is no number makes it fail), points (a disqualified player keeps its points, and a tooltip gives the reason).
"""

import random
import sys

how = sys.argv[1]
frame = 0


def say(name, *lines):
    print(f"[[{name}] {len(lines)}]", *lines, sep="\n")


def hear():
    header = sys.stdin.readline().rstrip("\n")
    name, count = header[2:-1].split("] ")
    return name, [sys.stdin.readline().rstrip("\n") for _ in range(int(count))]


def ask(player, wanted, lines, summary=None):
    global frame
    assert hear()[0] == "GET_GAME_INFO"
    say("VIEW", *([f"INTERMEDIATE_FRAME {frame}"] if summary is None else [f"KEY_FRAME {frame}", '{"board":1}']))
    frame += 1
    say("INFOS")
    if summary is not None:
        say("SUMMARY", *summary)
    say("NEXT_PLAYER_INPUT", *lines)
    say("NEXT_PLAYER_INFO", str(player), str(wanted), "1000")
    sys.stdout.flush()
    name, answer = hear()
    return answer if name == "SET_PLAYER_OUTPUT" else None


_, init = hear()
players = int(init[0])
given = dict(line.split("=", 1) for line in init[1:])
seed = random.randrange(10**6) if how == "deaf" else int(given["seed"])
scores = [0] * players
out = set()
summary = []
tooltips = []
wanted = 3 if how == "lines" else 1
for turn in range(int(given.get("turns", 3)) * (how != "early")):
    if how == "fail" or (how == "unsteady" and seed % 3 == 2):
        say("FAIL", "java.lang.IllegalStateException: boom", "\tat com.codingame.game.Referee.gameTurn(Referee.java:7)")
        sys.exit(1)
    if how == "filler":
        ask(0, 0, [f"map {turn}"], summary)
    now = []
    for player in [player for player in range(players) if player not in out]:
        first = player == 0 and how != "filler"
        answer = ask(player, wanted, [f"turn {turn} number {(seed + turn) % 10}"], summary if first else None)
        if how == "fragile" and answer is not None and not answer[0].isdigit():
            say("FAIL", "java.lang.NumberFormatException: boom")
            sys.exit(1)
        try:
            assert answer is not None
            scores[player] += sum(map(int, answer))
            now.append(f"${player} named {' and '.join(answer)}")
        except (AssertionError, ValueError):
            out.add(player)
            if how == "points":
                tooltips += ["Invalid Input: expected a number", str(player)]
                continue
            scores[player] = -1
            now.append(f"¤RED¤${player} gave invalid input and is disqualified§RED§")
    summary = now
    if len(out) >= players - 1 > 0:
        break
say("VIEW", f"KEY_FRAME {frame}", "{}")
say("INFOS")
say("SUMMARY", *summary)
say("TOOLTIP", *tooltips, "the end", "0")
say("UINPUT", f"seed={seed}", *(f"{key}={value}" for key, value in given.items() if key != "seed"))
say("METADATA", "{}")
say("SCORES", *(f"{player} {score}" for player, score in enumerate(scores)))
