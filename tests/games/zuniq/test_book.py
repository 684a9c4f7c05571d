"""The opening book: what is looked up line by line is what stands in the file."""

from collections import Counter

import pytest

from podium.errors import PodiumError
from podium.games.zuniq.book import COLUMNS, Shelf, find, read, shipped


def test_the_shipped_book_is_whole_and_read_alike_at_once_and_line_by_line():
    shelf = shipped()
    assert Counter(map(len, shelf)) == {0: 1, 1: 9, 2: 58, 3: 416}, "every position of plies 1 to 4"
    assert all(entry.simulations >= 200_000 for entry in shelf.values())
    assert dict(shelf) == read(shelf.path)


def test_what_is_not_in_a_book_is_not_found(tmp_path):
    assert find(Shelf(tmp_path / "missing.csv"), ()) is None
    assert find(shipped(), range(6)) is None


def test_a_corrupt_line_is_named_when_it_is_looked_up(tmp_path):
    path = tmp_path / "book.csv"
    path.write_text(f"{','.join(COLUMNS)}\n,A9h,0.5,10\n")
    with pytest.raises(PodiumError, match=r"line 2: not an entry of a book: ',A9h,0.5,10'"):
        find(Shelf(path), ())
