"""Whole numbers in foreign text: within bounds or refused, in one look whatever the length."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import PodiumError
from podium.games.parsing import parse_int, read_int, read_ints


@given(st.integers(-(2**40), 2**40), st.integers(0, 6), st.integers(-(2**33), 0), st.integers(0, 2**33))
def test_a_number_within_bounds_is_itself_with_any_zeros_before_it(value, zeros, low, high):
    sign = "-" if value < 0 else ""
    expected = value if low <= value <= high else None
    assert parse_int(f"{sign}{'0' * zeros}{abs(value)}", low, high) == expected


@given(st.text(max_size=12))
def test_what_is_no_number_is_none(text):
    found = parse_int(text)
    assert found is None or int(text) == found
    if found is None and text.isascii() and text.lstrip("+-").isdigit() and len(text) - len(text.lstrip("+-")) < 2:
        assert not -(2**31) <= int(text) < 2**31


@pytest.mark.parametrize(
    "text", ["", "+", "-", "0x1", "1 ", " 1", "1.0", "1e3", "--1", "\N{ARABIC-INDIC DIGIT ONE}", "1\n"]
)
def test_forms_that_are_none(text):
    assert parse_int(text) is None


@pytest.mark.parametrize("text", ["0" * 10**6 + "1", "9" * 10**6, "-" + "0" * 10**6, "0" * 10**6 + "x"])
def test_a_million_digits_take_one_look(text):
    begin = process_time()
    parse_int(text)
    assert process_time() - begin < 0.1


def test_a_refusal_says_what_was_expected_and_shows_what_came():
    with pytest.raises(PodiumError, match="the round: a whole number from 0 to 9 was expected, but got '12'"):
        read_int("12", "the round", 0, 9)
    with pytest.raises(PodiumError, match="a place: 2 whole numbers were expected, but got '1 2 3'"):
        read_ints("1 2 3", "a place", 2)
    assert read_int(" 7 ", "the round", 0, 9) == 7
    assert read_ints("1 -2", "a place", 2) == [1, -2]
    with pytest.raises(PodiumError) as caught:
        read_int("9" * 5000, "the round")
    assert len(str(caught.value)) < 120
