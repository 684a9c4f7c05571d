"""The real exchanges and protocols in the pages of the games, taken from the referees and from the starters.

`python -m tests.exchange` writes them into the pages anew; tests/test_docs.py sees that they are what is there.
"""

import re
from pathlib import Path

from podium.games import folder_of, load
from podium.games.game import Budget
from podium.games.loop import play_bots

PAGES = Path(__file__).parents[1] / "docs" / "games"
GAMES = ("zuniq", "wondev_woman", "code4life", "code_of_kutulu", "fall_challenge_2020")
SEED = 3
ANSWERS = {"zuniq": 3, "code4life": 4}  # of seat 0, where not 2
LONGEST = 22  # lines of a prompt that are shown


def shown(lines):
    """A prompt, without the middle of a long one."""
    if len(lines) <= LONGEST:
        return list(lines)
    half = LONGEST // 2
    return [*lines[:half], f"... {len(lines) - 2 * half} lines ...", *lines[-half:]]


def exchange(name):
    """The first prompts of seat 0 in a game between random bots, with its answers marked by `>`."""
    game, lines = load(name), []

    def watch(requests, answers):
        for request, answer in zip(requests, answers, strict=True):
            if request.seat == 0:
                lines.append([*shown(request.lines), f"> {answer.line}"])

    bots = [game.kind("random").bot(seed=seat) for seat in range(game.seats)]
    play_bots(game.new_referee(SEED), bots, Budget(nodes=1), watch)
    return "\n".join("\n".join(turn) for turn in lines[: ANSWERS.get(name, 2)])


def protocol(name):
    """The protocol in words."""
    return (folder_of(name) / "starters" / "protocol.txt").read_text().rstrip()


BLOCKS = {"protocol": protocol, "exchange": exchange}  # by their marks


def page_of(name):
    return PAGES / f"{name}.md"


def pattern(kind, name):
    return re.compile(rf"(<!-- {kind} {name} -->\n```\n).*?(\n```\n)", re.DOTALL)


def main():
    for name in GAMES:
        text = page_of(name).read_text()
        for kind, block in BLOCKS.items():
            made = block(name)
            text = pattern(kind, name).sub(lambda found, made=made: found[1] + made + found[2], text)
        page_of(name).write_text(text)


if __name__ == "__main__":
    main()
