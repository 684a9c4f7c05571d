"""Sentences of referees with the names of the bots in the place of their seats.

A referee knows seats alone, and calls them by number ("player 0", "Explorers 1 and 3") or as its contest does
("White"). Who reads a page knows the bots.
"""

import re
from collections.abc import Sequence

from podium.games.game import Game

NUMBERED = r"\b(?i:explorer|player|seat)s? (\d+(?:(?:, | and )\d+)*)\b"


def with_names(sentence: str, game: Game, bots: Sequence[str]) -> str:
    """A sentence about a game with its bots' names by seat; a name that several seats share keeps the number."""
    names = [bot if bots.count(bot) == 1 else f"{bot} (seat {seat})" for seat, bot in enumerate(bots)]

    def named(found: re.Match[str]) -> str:
        if not found[1]:
            return words[found[0]]
        if max(map(int, re.findall(r"\d+", found[1]))) >= len(names):
            return found[0]
        return re.sub(r"\d+", lambda number: names[int(number[0])], found[1])

    words = {word: names[seat] for seat, word in enumerate(game.contest.seat_names) if seat < len(names)}
    pattern = "|".join([NUMBERED, *(rf"\b{re.escape(word)}\b" for word in words)])
    return re.sub(pattern, named, sentence)
