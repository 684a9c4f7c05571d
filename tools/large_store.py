"""Large stores: writes one of many games within a minute, and measures what commands and pages cost with it.

python -m tools.large_store [--games 1000000] [--store FILE] [--json]

The games are copies of a few real ones of random bots: every copy has a place, a signature and times of its own. Half
of them are a match, two fifths a league, the rest a hundred small matches. `--match-only` makes one match of all games.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import httpx
import numpy as np
from tools.common import print_table

from podium.arena.store.game_row import GameRow
from podium.arena.tournament.league import League
from podium.arena.tournament.match import Match
from podium.arena.tournament.run_session import RunSession
from podium.arena.tournament.schedule import Pairing, pairings
from podium.arena.tournament.worker import Fixture, play_fixture
from podium.cli.console import errors, print_json

GAME = "zuniq"
BOTS = ("random", "random:", "uct:exploration=0.1", "uct:exploration=0.2", "uct:exploration=0.3", "uct")
TOGETHER = 20_000  # games of one transaction
SMALL_RUNS = 100


@dataclass(frozen=True)
class Cost:
    """What something took."""

    what: str
    seconds: float  # of processor time
    megabytes: float = 0.0  # the largest resident set of the server


def copies(session: RunSession, met: Sequence[Pairing], number: int) -> Iterator[GameRow]:
    """That many games of pairings, copied from one real block of each."""
    random = np.random.default_rng(1)
    models = {
        (pairing.key, part): play_fixture(
            session.conditions, session.entrants, Fixture(pairing.key, 0, part, bots, 1 + part)
        )
        for pairing in met
        for part, bots in enumerate(pairing.seatings)
    }
    places = (
        (number, key, part) for number in range(10**9) for key, part in models
    )  # round by round, as leagues are played
    for index, (round_, key, part) in enumerate(islice(places, number)):
        model = models[key, part]
        yield replace(
            model,
            round=round_,
            ranks=model.ranks if random.random() < 0.6 else model.ranks[::-1],
            signature=blake2b(str(index).encode(), digest_size=8).hexdigest(),
            times=random.gamma(2.0, 0.05, len(model.asked)).astype(np.float32).tobytes(),
        )


def fill(session: RunSession, met: Sequence[Pairing], number: int) -> None:
    """Write games into the store of a session."""
    games = copies(session, met, number)
    while some := list(islice(games, TOGETHER)):
        session.store.add(session.run, some)


def build(path: Path, games: int, match_only: bool) -> None:
    """Write a store of that many games."""
    in_match = games if match_only else games // 2
    with Match(GAME, *BOTS[:2], games=in_match, nodes=1, store=path) as match:
        fill(match.session, [match.pairing], in_match)
    if match_only:
        return
    with League(GAME, BOTS, rounds=10**6, nodes=1, store=path, archive=False) as league:
        entrants = league.session.entrants
        fill(league.session, pairings(entrants, 2, entrants, None), games * 2 // 5)
    for seed in range(SMALL_RUNS):
        few = games // 10 // SMALL_RUNS
        with Match(GAME, *BOTS[:2], games=few, nodes=1, seed=seed + 1, store=path) as match:
            fill(match.session, [match.pairing], few)


def costs(path: Path, games: int, runs: Sequence[int]) -> list[Cost]:
    """What commands and pages cost."""
    shown = [f"r{run}" for run in runs] + [f"g{games // 3}"]
    commands = [
        ["--version"],
        ["runs", "--store", str(path)],
        *(["show", each, "--store", str(path)] for each in shown),
    ]
    found = [command_cost(" ".join(["podium", *words[:2]]).partition(" --store")[0], words) for words in commands]
    return [*found, *page_costs(path, runs)]


def command_cost(name: str, words: Sequence[str]) -> Cost:
    """The processor time of a command."""
    with subprocess.Popen([sys.executable, "-P", "-m", "podium", *words], stdout=subprocess.DEVNULL) as command:
        _, _, usage = os.wait4(command.pid, 0)
        command.returncode = 0
    return Cost(name, usage.ru_utime + usage.ru_stime)


def page_costs(path: Path, runs: Sequence[int]) -> list[Cost]:
    """The processor time of the server for some pages, the first time and again, and its memory after each."""
    words = [sys.executable, "-P", "-m", "podium", "web", "--store", str(path), "--port", "0"]
    found = []
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        address = server.stdout.readline().strip().removesuffix("/")
        try:
            with httpx.Client(base_url=f"{address}/api/v1", timeout=600) as client:
                lists = ("runs/1/games", "runs/1/games?result=lost&bot=1")
                for page in ("runs", *(f"runs/{run}" for run in runs), *lists):
                    for visit in ("first", "again"):
                        before = process_seconds(server.pid)
                        response = client.get(f"/{page}")
                        response.raise_for_status()
                        taken = process_seconds(server.pid) - before
                        found.append(Cost(f"page {page}, {visit}", taken, process_megabytes(server.pid)))
        finally:
            server.terminate()
    return found


def process_seconds(process: int) -> float:
    """The processor time of another process."""
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def process_megabytes(process: int) -> float:
    """The largest resident set of another process."""
    line = next(row for row in Path(f"/proc/{process}/status").read_text().splitlines() if row.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """Build the store unless it is there, measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=1_000_000)
    options.add_argument("--store", type=Path, help="where to keep the store (default: a temporary file)")
    options.add_argument("--match-only", action="store_true", help="one match of all games")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.store or Path(folder, "large.db")
        if not path.exists():
            with errors.status(f"writing {given.games:,} games ..."):
                build(path, given.games, given.match_only)
        found = costs(path, given.games, [1] if given.match_only else [1, 2])
    if given.json:
        print_json({"costs": [vars(cost) for cost in found]})
        return
    rows = [
        (cost.what, f"{cost.seconds:.2f} s", f"{cost.megabytes:.0f} MB" if cost.megabytes else "") for cost in found
    ]
    print_table(("what", "processor time", "memory"), rows, f"a store of {given.games:,} games")


if __name__ == "__main__":
    main()
