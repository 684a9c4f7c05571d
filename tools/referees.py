"""Games per second under a referee in Java, with one JVM for many games or one JVM a game, and the cost of a step.

    python tools/referees.py path/to/referee.jar [--players 2] [--league 4] [--answer WAIT] [--games 20]

Both sides answer the same line to every question at once: the referee and the way to it are all that is measured.
"""

import argparse
import time
from pathlib import Path

from podium.games.game import Answer
from podium.referees.engine import EngineReferee
from podium.referees.java import JvmSpec, class_path_of, engine_version


def play(jvm: JvmSpec, players: int, seed: int, answer: str) -> int:
    """A whole game; how many steps it had."""
    referee = EngineReferee(jvm.channel(), players, seed)
    while requests := referee.requests():
        referee.answer([Answer("\n".join([answer] * requests[0].answers))])
    return referee.turn


def rate(jvm: JvmSpec, players: int, games: int, answer: str) -> tuple[float, float]:
    """Games per second, and milliseconds a step."""
    start = time.perf_counter()
    steps = sum(play(jvm, players, seed, answer) for seed in range(games))
    elapsed = time.perf_counter() - start
    return games / elapsed, 1000 * elapsed / max(1, steps)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("jar", type=Path)
    options.add_argument("--players", type=int, default=2)
    options.add_argument("--league", type=int, default=0)
    options.add_argument("--answer", default="WAIT")
    options.add_argument("--games", type=int, default=20)
    given = options.parse_args()
    class_path = class_path_of(given.jar)
    league = (("league.level", str(given.league)),) if given.league else ()
    print(f"{given.jar.name}, engine {engine_version(class_path) or 'unknown'}, {given.games} games each")
    cold = rate(JvmSpec(class_path, league, warm=False), given.players, max(1, given.games // 5), given.answer)
    jvm = JvmSpec(class_path, league)
    play(jvm, given.players, 0, given.answer)  # starting the JVM is not measured
    warm = rate(jvm, given.players, given.games, given.answer)
    for name, (games, step) in (("one JVM a game", cold), ("one warm JVM", warm)):
        print(f"{name:20} {games:7.2f} games/s   {step:6.3f} ms a step, all of the game divided by its steps")
    print(f"{'':20} {warm[0] / cold[0]:7.1f} times as many")


if __name__ == "__main__":
    main()
