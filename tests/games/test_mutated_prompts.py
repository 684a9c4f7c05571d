"""Prompts that somebody has damaged are refused with a sentence, or understood: never a traceback."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.games import load
from podium.games.game import Budget
from podium.games.loop import play_bots
from podium.kernel import JIT

GAMES = ["code4life", "fall_challenge_2020", "wondev_woman"]
FEW = Budget(nodes=20 if JIT else 2)
WORDS = ["0", "-1", "1", "7", "63", "999", "99999999999", "9" * 5000, "x", "", "-", "1.5", "E", "5 5", "\x85"]
PROMPTS: dict[str, list[list[str]]] = {}


def prompts_of(name):
    """The prompts of one seat in a game between random bots."""
    if name not in PROMPTS:
        game, found = load(name), []

        def watch(requests, answers):
            found.extend(list(request.lines) for request in requests if request.seat == 0)

        bots = [game.kind("random").bot(seed=seat) for seat in range(game.seats)]
        play_bots(game.new_referee(3), bots, FEW, watch)
        PROMPTS[name] = found[:12]
    return PROMPTS[name]


def damaged(lines, choices):
    """The same lines with a line or a word dropped, doubled, changed or replaced."""
    lines, index = list(lines), choices.randrange(len(lines))
    words = lines[index].split() or [""]
    place = choices.randrange(len(words))
    damage = choices.randrange(5)
    if damage == 0:
        del lines[index]
    elif damage == 1:
        lines.insert(index, choices.choice(lines))
    elif damage == 2:
        lines[index] = choices.choice(WORDS)
    elif damage == 3:
        lines[index] = " ".join([*words[:place], choices.choice(WORDS), *words[place + 1 :]])
    else:
        lines[index] = " ".join([*words[:place], *words[place + 1 :]])
    return lines


@pytest.mark.parametrize("bot", ["random", "champion"])
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60 if JIT else 3, deadline=None, suppress_health_check=list(HealthCheck))
@given(choices=st.randoms(use_true_random=False))
def test_damaged_prompts_are_refused_or_answered(name, bot, choices):
    game, sent = load(name), prompts_of(name)
    at = choices.randrange(len(sent) - 1)
    lines = [line for prompt in sent[:at] for line in prompt]
    lines += damaged(sent[at], choices) + damaged(sent[at + 1], choices)
    stream, player = iter(lines), game.kind(bot).bot(seed=1)

    def read():
        try:
            return next(stream)
        except StopIteration:
            raise EOFError from None

    with suppress(EOFError, PodiumError):
        for prompt in game.contest.prompts(read):
            assert isinstance(player.reply(prompt, FEW), str)
