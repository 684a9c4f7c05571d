"""Signatures of play: one short hash per bot, which changes when the bot plays differently.

A bot answers in fixed positions with a fixed number of nodes; the hash covers its answers, principal variations,
depths and the nodes that it counted. A change that should not affect play leaves all signatures as they are, and a
commit that changes play names the old and the new one, as Stockfish's commits name the node count of its bench.

A game keeps the positions in `data/signature.jsonl`, one a line: the seed and settings of a game and all answers so
far (made by `python -m tools.signature_positions`). A game without that file uses the starts of a few seeds.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from typing import Any

from podium.games import folder_of
from podium.games.game import Answer, BotKind, Budget, Game, Thoughts
from podium.games.loop import requests_of

FILE = "signature.jsonl"
NODES = 300  # per position
BOT_SEED = 1
START_SEEDS = (1, 2, 3)  # of games without positions
HASH_BYTES = 5


@dataclass(frozen=True)
class SignaturePosition:
    """Where a bot answers: the game of a seed, after some answers."""

    seed: int
    answers: tuple[str | None, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PlaySignature:
    """How a bot plays in the fixed positions."""

    game: str
    bot: str
    hash: str
    nodes: int  # in all positions together, as the bot counts them
    positions: int


@cache
def signature_positions(game: str) -> Sequence[SignaturePosition]:
    """The positions of a game, always the same."""
    path = folder_of(game) / "data" / FILE
    if not path.is_file():
        return [SignaturePosition(seed) for seed in START_SEEDS]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [SignaturePosition(row["seed"], tuple(row["answers"]), row.get("settings") or {}) for row in rows]


def play_signature(game: Game, kind: BotKind) -> PlaySignature:
    """Let a bot answer in all positions of its game, and hash what it answers."""
    digest, total = blake2b(digest_size=HASH_BYTES), 0
    positions = signature_positions(game.name)
    for position in positions:
        line, thoughts = _answer(game, kind, position)
        digest.update(f"{line} {thoughts.nodes} {thoughts.depth} {' '.join(thoughts.line)}\n".encode())
        total += thoughts.nodes
    return PlaySignature(game.name, kind.name, digest.hexdigest(), total, len(positions))


def _answer(game: Game, kind: BotKind, position: SignaturePosition) -> tuple[str, Thoughts]:
    """What a bot answers in a position for the first seat that is asked there, and what it thought."""
    referee = game.new_referee(position.seed, position.settings)
    history: dict[int, list[tuple[Sequence[str], str]]] = {}
    answers = iter(position.answers)
    played = 0
    while played < len(position.answers):
        given = []
        for request in requests_of(referee):
            line = next(answers)
            history.setdefault(request.seat, []).append((request.lines, line or ""))
            given.append(Answer(line))
        referee.answer(given)
        played += len(given)
    request = requests_of(referee)[0]
    bot = kind.bot(seed=BOT_SEED)
    for lines, line in history.get(request.seat, []):
        bot.observe(lines, line)
    answer = bot.reply(request.lines, Budget(nodes=NODES))
    referee.close()
    return answer, bot.thoughts or Thoughts()
