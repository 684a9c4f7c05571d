"""Reads game texts of CodeCup, for Zuniq: the moves of a game in one line, as the contest's site prints them.

    E5v A2h B3h C4v ...
    159658 ann - bob 104:50 E5v A2h B3h! C4v ...

A game's number, its players (White first) and its scores may stand before the moves; `!` behind a move claims the win.
A game with scores may end early, even without any move: whose turn it was gave no answer, or no legal one.
Empty lines and those that begin with `#` are left out.
"""

import re
from collections.abc import Callable

from podium.errors import PodiumError
from podium.pack.site_replay import ReplayFrame, SiteReplay

MOVE = r"[A-Fa-f][1-6][hv]!?"
NAME, SCORE = r"\S.{0,60}?", r"\d{1,9}"  # bounded, so that no line takes long
GAME = re.compile(
    r"\s*(?:#?(?P<number>\d{1,9})[.:]?\s+)?"
    rf"(?:(?P<white>{NAME})\s+(?:-|vs)\s+(?P<black>{NAME})"
    rf"(?:\s+(?P<first>{SCORE})\s*[:-]\s*(?P<second>{SCORE}))?:?(?:\s+|$))?"
    rf"(?P<moves>{MOVE}(?:[\s,;]+{MOVE})*|(?(first)|(?!)))[\s.]*"  # no moves only after scores
)
TITLE, NAMES = "Zuniq", ("white", "black")


def is_codecup_text(text: str) -> bool:
    """Whether a text is one of CodeCup's: some line of it is a game, and it does not begin like JSON."""
    return not text.lstrip().startswith(("{", "[", '"')) and any(GAME.fullmatch(line) for line in text.splitlines())


def codecup_games(source: str, text: str, refuse: Callable[[PodiumError], None]) -> list[SiteReplay]:
    """The games in a text; `refuse` is called for each line that is none."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith("# ")]
    found = []
    for number, line in lines:
        where = f"{source}, line {number}" if len(lines) > 1 else source
        game = GAME.fullmatch(line)
        if game is None:
            refuse(PodiumError(f"{where} is no game of {TITLE}: {line.strip()[:60]!r}"))
        else:
            found.append(_game(where, game))
    return found


def _game(source: str, game: re.Match[str]) -> SiteReplay:
    moves = re.findall(MOVE, game["moves"])
    frames = tuple(ReplayFrame(place % 2, f"{move[0].upper()}{move[1:]}\n") for place, move in enumerate(moves))
    if game["first"]:
        frames += (ReplayFrame(len(moves) % 2, ""),)  # the referee asks for it where the game is not over
    scores = (float(game["first"]), float(game["second"])) if game["first"] else ()
    finish = (0, 1) if not scores or scores[0] >= scores[1] else (1, 0)
    names = (game["white"], game["black"]) if game["white"] else NAMES
    if names[0] == names[1]:
        names = (f"{names[0]} (0)", f"{names[1]} (1)")
    return SiteReplay(source, int(game["number"] or 0), frames, scores, finish, names, {"seed": "0"}, TITLE)
