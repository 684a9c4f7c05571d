"""The torture itself: each ordeal is passed, and notices what it should."""

from random import Random

import pytest

from podium.arena import torture
from podium.arena.torture import Chamber, edges, hostile, kills, prompts, stores
from podium.errors import PodiumError
from podium.games import load


@pytest.fixture
def chamber(tmp_path):
    return Chamber(load("zuniq"), tmp_path, Random(7))


@pytest.mark.parametrize(("ordeal", "times"), [(stores, 25), (prompts, 10), (hostile, 3)])
def test_ordeals_are_passed(chamber, ordeal, times):
    tried = [said for _ in range(times) for said in ordeal(chamber)]
    assert tried == [""] * times


@pytest.mark.compiled
@pytest.mark.slow
def test_a_killed_run_and_an_edge_are_passed(chamber, monkeypatch):
    monkeypatch.setattr(torture, "MOST_KILLS", 1)
    monkeypatch.setattr(torture, "GAMES", 400)
    assert set(kills(chamber)) <= {""}
    assert list(edges(chamber)) == [""]


def test_what_is_no_sentence_is_noticed(chamber, monkeypatch):
    def fail(error):
        def work(*_):
            raise error

        return work

    monkeypatch.setattr(torture, "_look_through", fail(PodiumError("a sentence")))
    assert list(stores(chamber)) == [""]
    monkeypatch.setattr(torture, "_look_through", fail(KeyError("block")))
    assert list(stores(chamber)) == ["a changed store: KeyError: 'block'", ""]
