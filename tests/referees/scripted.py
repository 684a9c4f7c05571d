"""A channel whose referee is a list of blocks, for tests of one thing at a time."""

from collections import deque

from podium.referees.channel import Channel
from podium.referees.engine import EngineReferee


def message(name, *lines):
    return [f"[[{name}] {len(lines)}]", *lines]


def question(seat, wanted=1, limit=50, lines=("go",)):
    return [*message("NEXT_PLAYER_INPUT", *lines), *message("NEXT_PLAYER_INFO", str(seat), str(wanted), str(limit))]


def result(*scores, parameters=("seed=7",)):
    numbered = [f"{seat} {score}" for seat, score in enumerate(scores)]
    return [*message("UINPUT", *parameters), *message("METADATA", "{}"), *message("SCORES", *numbered)]


class Scripted(Channel):
    """Says one block after each GET_GAME_INFO; keeps what it receives."""

    def __init__(self, *blocks):
        self.blocks = deque(blocks)
        self.lines = deque()
        self.heard = []
        self.released = []

    def send(self, data):
        text = data.decode()
        self.heard += text.split("\n")[:-1]
        for _ in range(text.count("[[GET_GAME_INFO] 0]")):
            if self.blocks:
                self.lines += [line.encode() for line in self.blocks.popleft()]

    def line(self):
        return self.lines.popleft() if self.lines else None

    def complaint(self):
        return "it ended with status 1"

    def release(self, reusable):
        self.released.append(reusable)


def game(*blocks, players=2, **options):
    """A referee and its channel."""
    channel = Scripted(*blocks)
    return EngineReferee(channel, players, 7, **options), channel
