"""Makes the positions in which signatures of play are taken: `python -m tools.signature_positions [GAME ...]`.

Two bots play a few games with a small number of nodes; positions are taken early, in the middle and late. The files are
written to the data folders of the games, and the signatures of all their bots change with them.
"""

import json
import sys
from collections.abc import Sequence

from podium.games import folder_of, load, names
from podium.games.game import Answer, Budget, Game, Request
from podium.games.loop import play_bots
from podium.games.signature import FILE

SEEDS = (11, 12, 13)
SHARES = (0.1, 0.35, 0.6, 0.85)  # of the turns of a game
NODES = 200


def positions_of(game: Game) -> list[str]:
    """Positions of games between the first two bots of a game, as lines of JSON."""
    kinds = [kind for kind in game.bots.values() if kind.name not in ("random", "wait")][:2]
    lines = []
    for seed in SEEDS:
        turns: list[list[str | None]] = []

        def note(requests: Sequence[Request], answers: Sequence[Answer], turns: list[list[str | None]] = turns) -> None:
            turns.append([answer.line for answer in answers])

        bots = [kinds[seat % len(kinds)].bot(seed=seed + seat) for seat in range(game.seats)]
        play_bots(game.new_referee(seed), bots, Budget(nodes=NODES), note)
        for share in SHARES:
            answers = [line for turn in turns[: int(share * len(turns))] for line in turn]
            lines.append(json.dumps({"game": game.name, "seed": seed, "settings": {}, "answers": answers}))
    return lines


def main() -> None:
    """Write the files of the games named on the command line, or of all games."""
    for name in sys.argv[1:] or names():
        path = folder_of(name) / "data" / FILE
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(positions_of(load(name))) + "\n", encoding="utf-8")
        print(f"{path.name} of {name}: written")


if __name__ == "__main__":
    main()
