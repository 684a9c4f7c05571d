"""Parameters: parameters by name, validated."""

import pytest

from podium.errors import PodiumError
from podium.kernel import kernel, record
from podium.model.params import Parameter, ParamSpec, adjusted

PARAMETERS = (
    Parameter("depth", 4, "plies", 1, 9),
    Parameter("weight", 0.5, "points", 0, 1),
    Parameter("fog", "worst", "where hidden units are", choices=("worst", "random")),
    Parameter("book", True, "use the book"),
)
PARAMS = ParamSpec("a test parameters", *PARAMETERS)


def test_defaults_and_changes():
    params = PARAMS.params(PARAMS.parse("depth=7, fog=random,book=off"))
    assert PARAMS.values(params) == {"depth": 7, "weight": 0.5, "fog": "random", "book": False}
    assert (params.depth, params.fog, params.book) == (7, 1, False)
    assert PARAMS.values(PARAMS.params()) == {"depth": 4, "weight": 0.5, "fog": "worst", "book": True}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("dept=3", "unknown parameter of a test parameters 'dept'; did you mean depth"),
        ("depth", "name=value, not 'depth'"),
        ("depth=x", "depth needs a whole number, not 'x'"),
        ("depth=0", "depth must be from 1 to 9, not 0"),
        ("weight=nan", "weight must be from 0 to 1, not nan"),
        ("fog=randon", "unknown value of fog 'randon'; did you mean random"),
        ("book=maybe", "book is a switch: on or off expected, not 'maybe'"),
    ],
)
def test_mistakes_are_explained(text, sentence):
    with pytest.raises(PodiumError) as error:
        PARAMS.parse(text)
    assert sentence in str(error.value)


FILED = ParamSpec(
    "a test parameters with a file", Parameter("depth", 4, "plies", 1, 9), Parameter("file", "", "a file")
)


@kernel
def depth_of(params):
    return params.depth


def test_a_text_is_kept_and_kernels_take_param_specs_that_hold_one():
    params = FILED.params(FILED.parse("file=learned/größer.npz,depth=3"))
    assert FILED.values(params) == {"depth": 3, "file": "learned/größer.npz"}
    assert FILED.values(FILED.params())["file"] == ""
    assert depth_of(params) == 3
    with pytest.raises(PodiumError, match="file is longer than 240 bytes"):
        FILED.parse(f"file={'x' * 241}")


def test_other_defaults():
    assert adjusted(PARAMETERS, depth=2)[0].default == 2
    with pytest.raises(ValueError, match="no such parameters"):
        adjusted(PARAMETERS, deep=2)


def test_an_context_holds_the_params_and_more():
    param_spec = ParamSpec(
        "parameters with a search context",
        Parameter("a", 2.5, "a number"),
        Parameter("way", "left", "a", choices=("left", "right")),
    )
    contexts = param_spec.context("a search context", [("seat", "i8"), ("plan", "i8", (3,))])
    params = param_spec.params({"way": "right"})
    context = contexts.of(params, seat=1, plan=[7, 8, 9])
    assert (float(context.a), int(context.way), int(context.seat)) == (2.5, 1, 1)
    assert context.plan.tolist() == [7, 8, 9]
    params.a = 9.0
    assert context.a == 2.5
    with pytest.raises(TypeError, match="comes from the parameters"):
        contexts.of(params, a=1.0)
    with pytest.raises(TypeError, match="a search context is made of parameters with a search context"):
        contexts.of(context)


@pytest.mark.compiled
def test_param_specs_and_contexts_never_pass_for_each_other():
    """Numba takes a record that begins with all fields of another for that other one, and runs its code."""
    param_spec = ParamSpec("parameters to be mistaken", Parameter("a", 2.5, "a number"))
    longer = ParamSpec(
        "longer parameters to be mistaken", Parameter("a", 2.5, "a number"), Parameter("b", 1, "another")
    )
    contexts = param_spec.context("search context to be mistaken", [("plan", "i8")])

    @kernel
    def weight(opinion):
        return opinion.a

    for opinion in (param_spec.params(), longer.params(), contexts.of(param_spec.params())):
        weight(opinion)
    assert len(weight.signatures) == 3


def test_a_record_that_begins_like_another_is_refused():
    record("short record", [("p", "i8"), ("q", "i8")])
    with pytest.raises(ValueError, match="'long record' and 'short record' begin with the same fields"):
        record("long record", [("p", "i8"), ("q", "i8"), ("r", "i8")])


RENAMED = ParamSpec(
    "renamed parameters",
    Parameter("opponent_epsilon", 0.1, "share of random choices", 0, 1, aliases=("pitfalls",)),
    Parameter("random_plies", 3, "plies", 0, 9, aliases=("stray", "random")),
)


def test_a_former_name_of_a_parameter_is_accepted_wherever_one_is_named():
    """By a user's text, by the changes of a stored bot, by a script that makes a bot with other defaults."""
    new = {"opponent_epsilon": 0.5, "random_plies": 2}
    assert RENAMED.parse("pitfalls=0.5,stray=2") == RENAMED.parse("opponent_epsilon=0.5,random=2") == new
    assert RENAMED.values(RENAMED.params({"pitfalls": 0.5, "random": 2})) == new
    assert RENAMED.canonical({"pitfalls": 0.5, "stray": 2}) == new
    assert RENAMED.values(RENAMED.variant("another", pitfalls=0.5, stray=2).params()) == new
    assert [each.default for each in adjusted(RENAMED, random=2, opponent_epsilon=0.5)] == [0.5, 2]


def test_of_two_names_for_one_parameter_the_last_counts():
    assert RENAMED.parse("stray=2,random_plies=4") == RENAMED.canonical({"random_plies": 2, "stray": 4})
    assert RENAMED.canonical({"random_plies": 2, "stray": 4}) == {"random_plies": 4}


def test_former_names_are_not_shown():
    with pytest.raises(PodiumError) as error:
        RENAMED.parse("strange=2")
    assert (
        str(error.value) == "unknown parameter of renamed parameters 'strange'; known: opponent_epsilon, random_plies"
    )
    assert [*RENAMED.values(RENAMED.params())] == ["opponent_epsilon", "random_plies"]


def test_a_parameter_has_its_name_even_if_another_one_had_it_before():
    both = ParamSpec("reused name", *RENAMED, Parameter("stray", 7, "something new"))
    assert both.parse("stray=8,random=2") == {"stray": 8, "random_plies": 2}
