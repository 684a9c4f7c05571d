"""The stress tests themselves: each one passes, and notices what it should."""

from random import Random

import pytest
from tools.stress import Workbench, edges, hostile, kills, prompts, stores

from podium.errors import PodiumError
from podium.games import load
from tools import stress


@pytest.fixture
def bench(tmp_path):
    return Workbench(load("zuniq"), tmp_path, Random(7))


@pytest.mark.parametrize(("test", "times"), [(stores, 25), (prompts, 10), (hostile, 3)])
def test_they_pass(bench, test, times):
    tried = [said for _ in range(times) for said in test(bench)]
    assert tried == [""] * times


@pytest.mark.compiled
@pytest.mark.slow
def test_a_killed_run_and_an_edge_are_passed(bench, monkeypatch):
    monkeypatch.setattr(stress, "MOST_KILLS", 1)
    monkeypatch.setattr(stress, "GAMES", 400)
    assert set(kills(bench)) <= {""}
    assert list(edges(bench)) == [""]


def test_what_is_no_sentence_is_noticed(bench, monkeypatch):
    def fail(error):
        def work(*_):
            raise error

        return work

    monkeypatch.setattr(stress, "_look_through", fail(PodiumError("a sentence")))
    assert list(stores(bench)) == [""]
    monkeypatch.setattr(stress, "_look_through", fail(KeyError("block")))
    assert list(stores(bench)) == ["a changed store: KeyError: 'block'", ""]
