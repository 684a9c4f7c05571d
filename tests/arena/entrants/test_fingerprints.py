"""What makes bots and rules the same tomorrow, and what is compiled before their clock starts."""

import sys
from dataclasses import replace

import pytest

from podium.arena.entrants import fingerprint
from podium.arena.entrants.entrant import entrant
from podium.arena.entrants.fingerprint import rules_fingerprint
from podium.arena.game import players
from podium.arena.game.players import warm
from podium.errors import PodiumError
from podium.games import load


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of a user's, with a referee that stands on a module of rules."""
    folder = tmp_path / "usersgame"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text("HIGHEST = 9\n")
    (folder / "referee.py").write_text(
        "from tests.arena.numbers_game import NumbersReferee\nfrom usersgame.rules import HIGHEST\n\n"
        "class UsersReferee(NumbersReferee):\n    highest = HIGHEST\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield folder
    for name in [name for name in sys.modules if name.startswith("usersgame")]:
        del sys.modules[name]


def forget():
    for function in (fingerprint._sources, fingerprint._imports, fingerprint._module_file):
        function.cache_clear()


@pytest.mark.parametrize("statement", ["from usersgame.rules import", "from .rules import"])
def test_a_mended_rule_makes_other_rules(toys, package, statement):
    referee = package / "referee.py"
    referee.write_text(referee.read_text().replace("from usersgame.rules import", statement))
    from usersgame.referee import UsersReferee

    duel = toys("duel")
    game = replace(duel, contest=replace(duel.contest, referee=UsersReferee))
    before = rules_fingerprint(game)
    forget()
    assert rules_fingerprint(game) == before
    (package / "rules.py").write_text("HIGHEST = 8\n")
    forget()
    assert rules_fingerprint(game) != before


def test_rules_have_their_sources_and_data():
    known = {rules_fingerprint(load(name)) for name in ("zuniq", "code4life")}
    assert len(known) == 2
    assert fingerprint.sources(load("zuniq").contest.referee, "zuniq") != fingerprint.sources(
        load("zuniq").contest.referee, "code4life"
    )


def test_every_variant_of_a_bot_is_warmed_by_itself(toys, monkeypatch):
    """A parameter may switch on a kernel that other variants never call; a number does so only by not being 0."""
    warmed = []
    monkeypatch.setattr(players, "JIT", True)
    monkeypatch.setattr(players, "_warm", set())
    monkeypatch.setattr(players, "play_bots", lambda referee, bots, budget: warmed.append(bots[0].base))
    duel = toys("duel")
    variants = [entrant(duel, spec) for spec in ("namer:number=6", "namer:number=0", "namer:number=6", "namer")]
    warm(duel, variants)
    warm(duel, variants)
    assert warmed == [6, 0]


def test_a_file_that_a_parameter_names_is_part_of_the_bot(tmp_path):
    zuniq, network = load("zuniq"), tmp_path / "network.npz"
    spec = f"alphazero:network={network}"
    prints = [entrant(zuniq, "alphazero").fingerprint, entrant(zuniq, spec).fingerprint]
    for content in (b"one", b"two"):
        network.write_bytes(content)
        prints.append(entrant(zuniq, spec).fingerprint)
    assert len(set(prints)) == 4
    assert entrant(zuniq, spec).fingerprint == prints[-1]


@pytest.mark.compiled
def test_a_file_that_is_not_what_a_parameter_needs_is_told_before_the_first_game(tmp_path):
    zuniq, network = load("zuniq"), tmp_path / "network.npz"
    bots = [entrant(zuniq, f"alphazero:network={network}")]
    for _ in range(2):  # also when it is asked again
        with pytest.raises(PodiumError, match="there is no network file"):
            warm(zuniq, bots)
    network.write_bytes(b"no network")
    with pytest.raises(PodiumError, match="is not a network file"):
        warm(zuniq, bots)
