"""Tables that fit a terminal, and numbers for people."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from podium.arena.stats.intervals import elo
from podium.cli.formatting import Sheet, count, elo_text, evaluation_text
from podium.cli.options import flowing

LONG = "cmd:/home/somebody/bots/champion-of-all --threads=1 --evaluation=linear"


def printed(sheet, width):
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    console.print(sheet)
    return console.file.getvalue().splitlines()


def column(lines, number):
    """The text of a column, its parts of several lines put together."""
    return "".join(line.split("│")[number].strip() for line in lines if line.startswith("│"))


def sheet():
    table = Sheet("bot", "answers", "how it ended", "disqualified", typed=("bot",))
    table.add_row(LONG, "1,234", "the last explorer went mad in turn 120", "crashed 2, late 1")
    table.add_row(Text("fall_challenge_2020"), "7", "all is well", "-")
    return table


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_too_long_and_nothing_is_cut(width):
    lines = printed(sheet(), width)
    assert max(map(len, lines)) <= width
    assert "…" not in "".join(lines)
    assert LONG.replace(" ", "") in column(lines, 1).replace(" ", "")


def test_what_is_typed_stays_together_while_there_is_room():
    table = Sheet("game", "title", typed=("game",))
    table.add_row("fall_challenge_2020", "a title that is much longer than there is room for in this line")
    lines = printed(table, 50)
    assert any("fall_challenge_2020" in line for line in lines)
    assert max(map(len, lines)) <= 50


def test_a_sheet_is_as_narrow_as_it_can_be():
    table = Sheet("a", "b")
    table.add_row("1", "2")
    assert len(printed(table, 80)[0]) == 9


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.4567, "0.46"), (-12.34, "-12.3"), (1234.5, "1,234"), (1000.0, "1,000"), (-6e9, "lost"), (6e9, "won")],
)
def test_numbers_are_for_people(value, text):
    assert evaluation_text(value) == text


def test_one_of_a_thing_is_one_thing():
    assert [count(number, "game") for number in (0, 1, 2, 1200)] == ["0 games", "1 game", "2 games", "1,200 games"]


@pytest.mark.parametrize(
    ("score", "text"), [(1.0, "+∞"), (0.0, "-∞"), (0.5, "+0.0"), (0.49999, "+0.0"), (0.6, "+70.4"), (0.4, "-70.4")]
)
def test_a_difference_is_infinite_where_everything_was_won(score, text):
    assert elo_text(elo(score)) == text


def test_help_flows_within_its_paragraphs():
    text = """What it does.

    A paragraph that the source
    breaks.
    """
    assert flowing(text) == "What it does.\n\nA paragraph that the source breaks."
