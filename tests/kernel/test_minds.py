"""Minds: parameters by name, validated."""

import pytest

from podium.errors import PodiumError
from podium.kernel import kernel, record
from podium.kernel.minds import MindType, Parameter, adjusted

PARAMETERS = (
    Parameter("depth", 4, "plies", 1, 9),
    Parameter("weight", 0.5, "points", 0, 1),
    Parameter("fog", "worst", "where hidden units are", choices=("worst", "random")),
    Parameter("book", True, "use the book"),
)
MINDS = MindType("a test mind", *PARAMETERS)


def test_defaults_and_changes():
    mind = MINDS.mind(MINDS.parse("depth=7, fog=random,book=off"))
    assert MINDS.values(mind) == {"depth": 7, "weight": 0.5, "fog": "random", "book": False}
    assert (mind.depth, mind.fog, mind.book) == (7, 1, False)
    assert MINDS.values(MINDS.mind()) == {"depth": 4, "weight": 0.5, "fog": "worst", "book": True}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("dept=3", "unknown parameter of a test mind 'dept'; did you mean depth"),
        ("depth", "name=value, not 'depth'"),
        ("depth=x", "depth needs a whole number, not 'x'"),
        ("depth=0", "depth must be from 1 to 9, not '0'"),
        ("weight=nan", "weight must be from 0 to 1, not 'nan'"),
        ("fog=randon", "unknown value of fog 'randon'; did you mean random"),
        ("book=maybe", "book is a switch: on or off expected, not 'maybe'"),
    ],
)
def test_mistakes_are_explained(text, sentence):
    with pytest.raises(PodiumError) as error:
        MINDS.parse(text)
    assert sentence in str(error.value)


FILED = MindType("a test mind with a file", Parameter("depth", 4, "plies", 1, 9), Parameter("file", "", "a file"))


@kernel
def depth_of(mind):
    return mind.depth


def test_a_text_is_kept_and_kernels_take_minds_that_hold_one():
    mind = FILED.mind(FILED.parse("file=learned/größer.npz,depth=3"))
    assert FILED.values(mind) == {"depth": 3, "file": "learned/größer.npz"}
    assert FILED.values(FILED.mind())["file"] == ""
    assert depth_of(mind) == 3
    with pytest.raises(PodiumError, match="file is longer than 240 bytes"):
        FILED.parse(f"file={'x' * 241}")


def test_other_defaults():
    assert adjusted(PARAMETERS, depth=2)[0].default == 2
    with pytest.raises(ValueError, match="no such parameters"):
        adjusted(PARAMETERS, deep=2)


def test_an_outlook_holds_the_mind_and_more():
    minds = MindType(
        "mind with an outlook",
        Parameter("a", 2.5, "a number"),
        Parameter("way", "left", "a", choices=("left", "right")),
    )
    outlooks = minds.outlook("an outlook", [("seat", "i8"), ("plan", "i8", (3,))])
    mind = minds.mind({"way": "right"})
    outlook = outlooks.of(mind, seat=1, plan=[7, 8, 9])
    assert (float(outlook.a), int(outlook.way), int(outlook.seat)) == (2.5, 1, 1)
    assert outlook.plan.tolist() == [7, 8, 9]
    mind.a = 9.0
    assert outlook.a == 2.5
    with pytest.raises(TypeError, match="comes from the mind"):
        outlooks.of(mind, a=1.0)
    with pytest.raises(TypeError, match="an outlook is made of a mind with an outlook"):
        outlooks.of(outlook)


@pytest.mark.compiled
def test_minds_and_outlooks_never_pass_for_each_other():
    """Numba takes a record that begins with all fields of another for that other one, and runs its code."""
    minds = MindType("mind to be mistaken", Parameter("a", 2.5, "a number"))
    longer = MindType("longer mind to be mistaken", Parameter("a", 2.5, "a number"), Parameter("b", 1, "another"))
    outlooks = minds.outlook("outlook to be mistaken", [("plan", "i8")])

    @kernel
    def weight(opinion):
        return opinion.a

    for opinion in (minds.mind(), longer.mind(), outlooks.of(minds.mind())):
        weight(opinion)
    assert len(weight.signatures) == 3


def test_a_record_that_begins_like_another_is_refused():
    record("short record", [("p", "i8"), ("q", "i8")])
    with pytest.raises(ValueError, match="'long record' and 'short record' begin with the same fields"):
        record("long record", [("p", "i8"), ("q", "i8"), ("r", "i8")])
