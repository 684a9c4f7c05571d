"""Generic functions: chosen by record type, in compiled code and out of it; clear about what is missing."""

import numpy as np
import pytest

from podium.kernel import JIT, MissingImplementationError, blank, generic, kernel, record
from podium.kernel.records import name_of
from podium.model.params import Parameter, ParamSpec

Square = record("a square", [("side", "i8")])
Circle = record("a circle", [("radius", "f8")])
Paint = record("red paint", [("price_per_unit", "f8")])


@generic(by=1)
def area(shape):
    """The area of a shape."""


@generic(by=2)
def cost(shape, paint):
    """What painting a shape costs."""


@generic(by=1)
def corners(shape):
    """How many corners a shape has."""


@area.register(Square)
@kernel
def square_area(shape):
    return shape.side * shape.side


@cost.register(Square, Paint)
@kernel
def square_cost(shape, paint):
    return area(shape) * paint.price_per_unit


@corners.otherwise
@kernel
def no_corners(shape):
    return 0


@kernel
def double_area(shape):
    return 2 * area(shape)


@kernel
def double_cost(shape, paint):
    return 2 * cost(shape, paint)


@kernel
def any_corners(shape):
    return corners(shape)


def square(side):
    shape = blank(Square)
    shape.side = side
    return shape


def test_called_from_python_and_from_a_kernel():
    paint = blank(Paint)
    paint.price_per_unit = 0.5
    assert area(square(3)) == 9
    assert double_area(square(3)) == 18
    assert double_cost(square(3), paint) == 9.0


def test_the_default_serves_all_types():
    assert corners(square(1)) == any_corners(blank(Circle)) == 0


@pytest.mark.parametrize("call", [area, double_area])
def test_a_missing_implementation_is_named(call):
    with pytest.raises(MissingImplementationError, match=r"area\(\) is not implemented for a circle .*a square"):
        call(blank(Circle))


@pytest.mark.parametrize("call", [cost, double_cost])
def test_a_missing_implementation_names_game_and_params(call):
    with pytest.raises(MissingImplementationError, match=r"cost\(\) is not implemented for a circle with red paint"):
        call(blank(Circle), blank(Paint))


def test_records_of_the_same_shape_are_refused():
    with pytest.raises(ValueError, match=r"'copy' has exactly the fields of record 'a square'"):
        record("copy", [("side", "i8")])


def test_param_specs_with_the_same_parameters_are_two_types_and_one_pair_of_types_has_one_implementation():
    first = ParamSpec("first parameters", Parameter("weight_of_both", 1, "what it is"))
    second = ParamSpec("second parameters", Parameter("weight_of_both", 2, "what it is"))
    assert first.dtype != second.dtype
    assert (name_of(first.dtype), name_of(second.dtype)) == ("first parameters", "second parameters")
    with pytest.raises(ValueError, match=r"two implementations for a square: .*square_area and .*another_area"):

        @area.register(Square)
        @kernel
        def another_area(shape):
            return 0


def test_names_that_arrays_use_themselves_are_refused():
    with pytest.raises(ValueError, match="an array has an attribute 'size' already"):
        record("sized", [("size", "i8")])


def test_arrays_of_switches_are_refused():
    with pytest.raises(ValueError, match="no arrays of '\\?'; make 'lights' one of 'i1'"):
        record("lamps", [("lights", "?", (3,))])


def test_wrong_number_of_types():
    with pytest.raises(TypeError, match="chosen by 2 record types, not 3"):
        cost.register(Square, Square, Square)


def test_arithmetic_of_64_bits_wraps_around():
    @kernel
    def wrap(x):
        return x * np.uint64(3)

    assert wrap(np.uint64(2**63)) == np.uint64(2**63), f"JIT {JIT}"
