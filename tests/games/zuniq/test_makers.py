"""Making opening book and opening walls: an interrupted run goes on with just the jobs that are missing."""

import contextlib
import json

import numpy as np
import pytest

from podium.errors import PodiumError
from podium.games.game import MakeOptions
from podium.games.zuniq import makers
from podium.games.zuniq.book import Entry, read, wanted
from podium.games.zuniq.makers import GAMES_PER_JOB, make_book, make_walls, search_position
from podium.games.zuniq.symmetry import orbits


def counts_of(job):
    """What a job counts, told apart by its seed."""
    counts = np.zeros((2, len(orbits()), 2), np.int64)
    counts[:, job[1] % len(orbits())] = (10 * job[1], job[1])
    return counts.tolist()


class StoppedError(Exception):
    pass


def made(path, order, stop_after=None):
    """Make the walls of six jobs, done in some order; the jobs that were really run."""
    ran = []

    def run(function, jobs):
        assert function is makers.count_walls
        for place in [place for place in order if place < len(jobs)]:
            if len(ran) == stop_after:
                raise StoppedError
            ran.append(jobs[place])
            yield jobs[place], counts_of(jobs[place])

    options = MakeOptions(path, nodes=5, games=6 * GAMES_PER_JOB, seed=3, announce=lambda *_: None, run=run)
    with contextlib.suppress(StoppedError):
        make_walls(options)
    return ran


def test_jobs_that_ended_in_another_order_are_neither_lost_nor_done_twice(tmp_path):
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    made(whole, range(6))
    first = made(parts, (1, 0, 5, 2, 4, 3), stop_after=3)
    second = made(parts, range(6))
    assert sorted(first + second) == [(5, 3 + number) for number in range(6)]
    assert json.loads(parts.read_text()) == json.loads(whole.read_text())
    assert not parts.with_suffix(".part").exists()


def test_a_line_that_was_not_finished_is_done_again(tmp_path):
    path = tmp_path / "walls.json"
    made(path, (2, 0, 1, 3, 4, 5), stop_after=2)
    journal = path.with_suffix(".part")
    journal.write_text(journal.read_text()[:-30])
    assert len(made(path, range(6))) == 5


def test_a_journal_of_other_settings_does_not_count_and_a_foreign_one_is_refused(tmp_path):
    path = tmp_path / "walls.json"
    journal = path.with_suffix(".part")
    journal.write_text(json.dumps({"nodes": 4, "seed": 3, "counts": counts_of((4, 3))}) + "\n")
    assert len(made(path, range(6))) == 6
    journal.write_text("[[1, 2]]\n")
    with pytest.raises(PodiumError, match="journal"):
        made(path, range(6))


def made_book(path, nodes, stop_after=None):
    """Make a book without searching: the first free wall everywhere; the positions that were really searched."""
    ran = []

    def run(function, jobs):
        assert function is makers.search_position
        for position, simulations, _ in jobs:
            if len(ran) == stop_after:
                raise StoppedError
            ran.append(position)
            yield position, Entry(next(wall for wall in range(60) if wall not in position), 0.5, simulations)

    with contextlib.suppress(StoppedError):
        make_book(MakeOptions(path, nodes=nodes, games=0, seed=3, announce=lambda *_: None, run=run))
    return ran


def test_a_book_goes_on_where_it_was_stopped_and_replaces_the_old_one_when_it_is_whole(tmp_path):
    path, once = tmp_path / "book.csv", tmp_path / "once.csv"
    everything = made_book(once, 5)
    first = made_book(path, 5, stop_after=40)
    assert not path.exists()
    journal = path.with_suffix(".part")
    journal.write_text(journal.read_text()[:-3])  # the last line was not finished
    second = made_book(path, 5)
    assert (len(first), len(second)) == (40, len(everything) - 39)
    assert path.read_text() == once.read_text()
    assert not journal.exists()


def test_a_book_of_fewer_simulations_is_searched_again_and_stays_until_then(tmp_path):
    path = tmp_path / "book.csv"
    everything = made_book(path, 5)
    assert made_book(path, 5) == []
    assert len(made_book(path, 6, stop_after=10)) == 10
    assert {entry.simulations for entry in read(path).values()} == {5}
    assert len(made_book(path, 6)) == len(everything) - 10
    assert {entry.simulations for entry in read(path).values()} == {6}


def test_positions_come_ply_by_ply_so_that_an_unfinished_book_is_a_whole_one_of_fewer_plies():
    book, plies = {}, []
    for layer in wanted(book, 4):
        plies.append({len(position) for position in layer})
        book |= {
            position: Entry(next(wall for wall in range(60) if wall not in position), 0.0, 1) for position in layer
        }
    assert plies == [{0}, {1}, {2}, {3}]
    shallow = {}
    for layer in wanted(shallow, 2):
        shallow |= {position: book[position] for position in layer}
    assert len(shallow) == 10 and shallow.items() <= book.items()


@pytest.mark.compiled
def test_a_position_is_searched_for_its_side_to_move(monkeypatch):
    monkeypatch.setattr(makers, "BOOK_MEMORY", 8)
    for position in ((), (0,), (0, 7)):
        found, entry = search_position((position, 50, 1))
        assert found == position and entry.simulations == 50
        assert entry.move not in position and -1 < entry.value < 1
