"""The arguments of a kernel as a row of 64-bit words, and its result as a number.

A number is one word, a record its address, an array the seven or more words that Numba describes one by, a tuple its
parts. The kinds of the arguments, as a text, name the machine code that takes them.
"""

import struct
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from podium.kernel.records import text_of

MOST_MARSHALLED = 256  # arguments that are remembered
SIGNED, UNSIGNED = range(-(2**63), 2**63), 2**64 - 1

Kind = Any  # what a type of arguments is known by in this process
Words = Sequence[int]


class UnsupportedArgumentError(TypeError):
    """An argument that only Numba can pass."""


_marshalled: dict[int, tuple[Any, Kind, Words]] = {}  # by id: the argument itself, so that no other gets the same id
_dtypes: dict[int, tuple[np.dtype[Any], int]] = {}  # by id: a dtype, and the id of the first one that is equal
_first: dict[str, int] = {}  # by text: the id of the first dtype


def marshal(argument: Any, words: "array[int]") -> Kind:
    """Append an argument to a row of words, and return its kind. UnsupportedArgumentError if that is not possible."""
    kind = type(argument)
    if kind is int:
        if argument not in SIGNED:
            raise UnsupportedArgumentError
        words.append(argument)
        return kind
    known = _marshalled.get(id(argument))
    if known is None:
        known = argument, *_marshal(argument)
        if isinstance(argument, np.ndarray | np.void | tuple):
            if len(_marshalled) >= MOST_MARSHALLED:
                _marshalled.clear()
            _marshalled[id(argument)] = known
    words.extend(known[2])
    return known[1]


def forget_arguments() -> None:
    """Let go of the arguments that are remembered."""
    _marshalled.clear()


def _marshal(argument: Any) -> tuple[Kind, Words]:
    """The kind and the words of an argument."""
    if isinstance(argument, np.void):
        return _known(argument.dtype), [np.frombuffer(argument, np.uint8).ctypes.data]
    if isinstance(argument, np.ndarray):
        if not argument.flags.carray or not argument.ndim:
            raise UnsupportedArgumentError
        shape = [argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides]
        return (f"array {argument.ndim}d", _known(argument.dtype)), [0, 0, *shape]  # nobody owns its memory
    if isinstance(argument, tuple):
        words = array("q")
        kinds = tuple([marshal(part, words) for part in argument])
        return (type(argument), kinds), words
    if isinstance(argument, bool | np.bool_):
        return bool, [int(argument)]
    if isinstance(argument, float):  # also of NumPy
        return float, struct.unpack("q", struct.pack("d", argument))
    if isinstance(argument, np.integer):
        number = int(argument)
        return argument.dtype.char, [number if number in SIGNED else number - UNSIGNED - 1]
    raise UnsupportedArgumentError


def _known(dtype: np.dtype[Any]) -> int:
    """The id of the first dtype that is equal to this one: views make new dtype objects of the same type."""
    if id(dtype) not in _dtypes:
        _dtypes[id(dtype)] = dtype, _first.setdefault(text_of(dtype), id(dtype))
    return _dtypes[id(dtype)][1]


def text_of_kind(kind: Kind) -> str:
    """A kind as a text that means the same in every process."""
    if isinstance(kind, int):
        return text_of(_dtypes[kind][0])
    if isinstance(kind, type):
        return f"{kind.__module__}.{kind.__qualname__}"
    return f"({' '.join(map(text_of_kind, kind))})" if isinstance(kind, tuple) else str(kind)


def records_in_kind(kind: Kind) -> Iterator[np.dtype[Any]]:
    """The dtypes of records and arrays in a kind."""
    if isinstance(kind, int):
        yield _dtypes[kind][0]
    elif isinstance(kind, tuple):
        for part in kind:
            yield from records_in_kind(part)


def unmarshal(word: int, result: str) -> Any:
    """What a kernel returned."""
    if result == "none":
        return None
    if result == "bool":
        return bool(word)
    if result == "float":
        return struct.unpack("d", struct.pack("q", word))[0]
    return word if result == "int 1" else word & UNSIGNED
