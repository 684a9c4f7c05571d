"""Record types: a game's state and a bot's mind are each one NumPy record.

A search stack, a beam or a pool is an array of records, and copying a state is one assignment. Arrays are
`recarray`s, so that `state.field` means the same in compiled code and with the JIT off.
"""

import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.kernel.lazy import when_compiling

# What to call a record type in messages; by NumPy dtype and by Numba type.
_names: dict[Any, str] = {}
_dtypes: list[np.dtype] = []
_texts: dict[int, tuple[np.dtype, str]] = {}  # by the id of a dtype, which is kept so that no other comes to have it


def record(name: str, fields: Sequence[tuple[Any, ...]]) -> np.dtype:
    """A record type with the given fields, known as `name` in messages.

    Generic functions choose by the type, so two types must differ in at least one field's name or type; and none may
    begin with all fields of another: Numba takes the longer record for the shorter one, and runs code compiled for it.
    """
    for field in fields:
        if hasattr(np.recarray, field[0]):
            raise ValueError(f"record {name!r}: an array has an attribute {field[0]!r} already; rename the field")
    dtype = np.dtype(list(fields), align=True)
    if dtype in _names:
        raise ValueError(f"record {name!r} has exactly the fields of record {_names[dtype]!r}; rename one")
    for known in _dtypes:
        if _begins_with(dtype, known) or _begins_with(known, dtype):
            raise ValueError(
                f"records {name!r} and {_names[known]!r} begin with the same fields; put another one first"
            )
    _dtypes.append(dtype)
    _names[dtype] = name

    @when_compiling
    def tell() -> None:
        import numba

        _names[numba.from_dtype(dtype)] = name

    return dtype


def _begins_with(longer: np.dtype, shorter: np.dtype) -> bool:
    """Whether the fields of a record are the first fields of another."""
    count = len(shorter.names or ())
    return list((longer.fields or {}).items())[:count] == list((shorter.fields or {}).items())


def name_of(record_type: Any) -> str:
    """The name of a record type (NumPy's or Numba's), or the type itself if it has none."""
    return _names.get(record_type, str(record_type))


def text_of(dtype: np.dtype) -> str:
    """A dtype with all its fields, as a text that means the same in every process."""
    if id(dtype) not in _texts:
        _texts[id(dtype)] = dtype, repr(dtype)  # which for a record takes a tenth of a millisecond
    return _texts[id(dtype)][1]


def allocate(dtype: np.dtype, *shape: int) -> Any:
    """An array of zeroed records."""
    return np.zeros(shape, dtype).view(np.recarray)


def sparse(dtype: Any, size: int) -> Any:
    """An array of zeros that is used here and there: the system hands out its memory in small pages, as it is touched.

    NumPy asks for pages of 2 MB, which may take a millisecond each to find: a hundred of them at the wrong moment, and
    an answer is late.
    """
    bytes_in_all = size * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, bytes_in_all), dtype, size)


def blank(dtype: np.dtype) -> Any:
    """One zeroed record, which kernels can change in place."""
    return allocate(dtype, 1)[0]


def record_type_of(thing: Any) -> Any:
    """The record type, as the compiler knows it, of a dtype or of what has one; None if it has no known one."""
    import numba

    dtype = thing if isinstance(thing, np.dtype) else getattr(thing, "dtype", None)
    return numba.from_dtype(dtype) if isinstance(dtype, np.dtype) and dtype in _names else None
