"""Plain data from elsewhere (stores, recordings, files of positions) as the types that the program works with."""

import sys
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")
LARGEST = sys.float_info.max

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]  # a whole number from 0 that a column can hold
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]  # a whole number of 64 bits
Finite = Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]  # no infinity, and not NaN


def decoded(data: Any, kind: type[T]) -> T:
    """What JSON has given as a value of a type; ValueError with the place that does not fit, such as `$.turns[3]`."""
    return msgspec.convert(data, kind, str_keys=True)
