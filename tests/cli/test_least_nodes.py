"""The smallest sensible number of nodes of a bot: listed, and warned of."""

import json

from tests.commands import podium


def test_it_is_listed_with_its_measurement():
    found = {bot["name"]: bot for bot in json.loads(podium("bots", "zuniq", "--json"))["bots"]}
    assert found["champion"]["least_nodes"] > 0
    assert "games won against random" in found["champion"]["least_nodes_measured"]
    assert found["random"]["least_nodes"] is None
    assert "at least 20 nodes per move: 20 of 20 games won against random" in podium("bots", "zuniq", "champion")


def test_a_match_with_fewer_nodes_warns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ("match", "zuniq", "champion", "random", "--games", 2, "--jobs", 1, "--json")
    few = json.loads(podium(*words, "--nodes", 2))["warnings"]
    assert any(text.startswith("champion gets 2 nodes per move; at least 20 are sensible") for text in few)
    assert not any("are sensible" in text for text in json.loads(podium(*words, "--nodes", 20))["warnings"])
