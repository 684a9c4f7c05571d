"""Budgets: what they limit, and parts of them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.kernel.clock import MILLISECOND, NEVER, SECOND, now
from podium.model.budget import NO_LIMIT, Budget


def test_nodes_go_before_the_clock():
    assert Budget(17, nodes=5).limits == (NEVER, 5)
    assert Budget(17).limits == (17, NEVER)
    assert NO_LIMIT.limits == (NEVER, NEVER)


@given(st.integers(1, 10**6), st.integers(1, 10**9))
def test_a_part_of_a_budget_of_nodes_is_never_endless(nodes, parts):
    part = Budget(nodes=nodes).part(Fraction(1, parts))
    assert part.nodes == max(1, nodes // parts)
    assert Budget(nodes=nodes).part(0.0).nodes == 1


def test_parts_of_a_time_follow_each_other():
    begin = now()
    whole = Budget(begin + SECOND, bank=True)
    assert whole.part(0.25, since=begin) == Budget(begin + 250 * MILLISECOND)
    assert abs(whole.part(0.5).deadline - (begin + SECOND + now()) // 2) < SECOND // 10
    assert Budget().part(0.5) == NO_LIMIT


def test_slices_are_spent_one_after_the_other():
    assert Budget(nodes=10).slices(4) == [Budget(nodes=2)] * 4
    assert Budget(nodes=1).slices(3) == [Budget(nodes=1)] * 3
    end = now() + SECOND
    deadlines = [part.deadline for part in Budget(end).slices(4)]
    assert deadlines == sorted(deadlines)
    assert deadlines[-1] == end
    assert abs(deadlines[0] - (end - 3 * SECOND // 4)) < SECOND // 10


def test_a_number_of_nodes_below_zero_is_a_mistake():
    with pytest.raises(ValueError, match="-1"):
        Budget(nodes=-1)
