"""A Dask cluster in trouble: what is said while one waits, and when waiting is in vain."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from podium.arena.tournament import cluster
from podium.arena.tournament.cluster import ClusterWatch, dask
from podium.errors import PodiumError


def client(status="running", workers=1):
    return SimpleNamespace(status=status, scheduler_info=lambda: {"workers": dict.fromkeys(range(workers))})


def test_nothing_is_said_while_all_is_well():
    assert ClusterWatch(client(), "tcp://there:1")() == ""


def test_dead_workers_are_told_of():
    assert ClusterWatch(client(workers=0), "tcp://there:1")() == (
        "the cluster at tcp://there:1 has no workers left; waiting for new ones"
    )


def test_a_lost_scheduler_is_told_of_and_then_given_up(monkeypatch):
    watch = ClusterWatch(client("connecting"), "tcp://there:1")
    assert "trying again" in watch()
    assert "trying again" in watch()
    monkeypatch.setattr(cluster, "LOST_SECONDS", 0.0)
    with pytest.raises(PodiumError, match="is gone; games finished so far are stored"):
        watch()


def test_a_closed_client_is_in_vain():
    with pytest.raises(PodiumError, match="is gone"):
        ClusterWatch(client("closed"), "tcp://there:1")()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tls://127.0.0.1:9", "nonsense://x", "127.0.0.1:1"])
def test_an_address_where_nobody_is(address, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(PodiumError, match="cannot reach a Dask scheduler at"), dask(address):
        pass


# A scheduler and a worker of its own, a match there, and then first the worker and then the scheduler die.
SCRIPT = """
import sys, time
from distributed import LocalCluster
from podium.arena.tournament.match import Match
from podium.errors import PodiumError
import podium.arena.tournament.cluster

podium.arena.tournament.cluster.LOST_SECONDS = 2.0
if __name__ == "__main__":
    there = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
    with Match("zuniq", "random", "random", games=20, nodes=1, store=sys.argv[1]) as match:
        print("played", match.play(cluster=there.scheduler_address).games, flush=True)
    seen = set()

    def progress(match):
        if match.tally.finished == 0:
            return
        if match.session.notice not in seen:
            seen.add(match.session.notice)
            print("notice", match.session.notice, flush=True)
        if len(seen) == 1 and there.workers:
            there.scale(0)
        if any("no workers" in text for text in seen):
            there.close()

    with Match("zuniq", "random", "random", games=10**9, nodes=2, store=sys.argv[1]) as match:
        try:
            match.play(cluster=there.scheduler_address, progress=progress)
        except PodiumError as error:
            print("error", error, flush=True)
"""


@pytest.mark.compiled
@pytest.mark.slow
def test_a_cluster_that_dies(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(tmp_path / "podium.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=dict(os.environ))
    assert "played 20" in done.stdout, done.stderr
    assert re.search("notice the cluster at .* has no workers left", done.stdout), done.stdout + done.stderr
    assert re.search("error the .* gone; games finished so far are stored", done.stdout), done.stdout + done.stderr
