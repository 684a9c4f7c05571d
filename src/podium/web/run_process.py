"""A run that a page has started, in a process of its own: the same calls as `podium match` and `podium league`.

It reads what to play as one line of JSON, answers with the number of the run in the store, and plays. A signal ends it
in good order: every game is in the store as soon as it has ended.
"""

import json
import signal
import sys
from collections.abc import Mapping
from typing import Any

from podium.arena.tournament.league import League
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
from podium.games import load

TWO = 2  # bots play a match, more of them a league


def run_of(wish: Mapping[str, Any]) -> Match | League:
    """The match or league that was wished for, found in the store or created there."""
    game, bots, options = wish["game"], wish["bots"], wish["options"]
    if len(bots) == TWO:
        return Match(game, *bots, games=wish["games"], **options)
    seats = load(game).seats
    pairings = len(bots) * (len(bots) - 1) // 2
    rounds = max(1, -(-wish["games"] // (pairings * seats))) if seats == TWO else max(1, wish["games"] // seats)
    return League(game, bots, rounds=rounds, name=wish["name"], **options)


def main() -> None:
    """Play until it is done, or until a signal."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        with run_of(json.loads(sys.stdin.readline())) as found:
            found.session.keeps_refused = True  # its page is open, and tells why
            tell({"run": found.run.id})
            found.play()
    except KeyboardInterrupt:
        tell({"stopped": True})
    except PodiumError as error:
        tell({"error": str(error)})


def tell(message: Mapping[str, Any]) -> None:
    """Write a message for the server, which may be gone."""
    try:
        print(json.dumps(message), flush=True)
    except BrokenPipeError:
        sys.stdout = None  # nobody listens any more


if __name__ == "__main__":
    main()
