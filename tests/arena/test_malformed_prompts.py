"""`podium bot` and input that is no prompt: a sentence that names the line, whatever the game."""

import io
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from podium.arena.processes.stdio import play_on_stdio
from podium.errors import PodiumError
from podium.games import load, names
from podium.games.game import Budget
from podium.games.loop import play_bots
from podium.kernel import JIT

TURNS = 6  # of a game that are mutated
WORDS = ["", "-1", "0", "7", "255", "99999999999999999999", "1e9", "x", "²", "-", "\x00", "A1h", "NONE"]


@cache
def prompts(name):
    """What seat 0 is sent in the first turns of a real game."""
    game = load(name)
    lines = []

    def watch(requests, answers):
        lines.extend(line for request in requests if request.seat == 0 for line in request.lines)

    bots = [game.kind("random").bot(seed=seat) for seat in range(game.seats)]
    play_bots(game.new_referee(5), bots, Budget(0, nodes=1), watch)
    return lines[: len(lines) * TURNS // 20 or 1]


@st.composite
def mutated(draw, name):
    """A real game's lines with one to three of them changed, left out, doubled, swapped or cut off."""
    lines = list(prompts(name))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        how = draw(st.sampled_from(["word", "word", "word", "drop", "double", "swap", "line", "end"]))
        if how == "word":
            words = lines[place].split(" ")
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(WORDS))
            lines[place] = " ".join(words)
        elif how == "drop" and len(lines) > 1:
            del lines[place]
        elif how == "double":
            lines.insert(place, lines[place])
        elif how == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
        elif how == "line":
            lines[place] = draw(st.text(max_size=20)).replace("\n", " ")
        else:
            lines = lines[: place + 1]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", names())
def test_mutated_prompts_end_in_a_sentence(name, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())

    @settings(max_examples=200 if JIT else 60, suppress_health_check=list(HealthCheck))
    @given(mutated(name))
    def judge(text):
        sys.stdin, usual = io.StringIO(text), sys.stdin
        try:
            play_on_stdio(name, "random", nodes=1)
        except PodiumError as error:
            assert "no prompt" in str(error)
        finally:
            sys.stdin = usual

    judge()


@pytest.mark.parametrize("name", names())
def test_the_line_is_named(name, monkeypatch):
    lines = list(prompts(name))
    lines[-1] = "this is not what a judge would say"
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*lines, *lines]) + "\n"))
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(PodiumError, match=r"^line \d+ of the input, '.*', or one before it is no prompt: "):
        play_on_stdio(name, "random", nodes=1)
