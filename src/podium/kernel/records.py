"""Record types: a game's state and a bot's parameters are each one NumPy record.

A search stack, a beam or a pool is an array of records, and copying a state is one assignment. Arrays are
`recarray`s, so that `state.field` means the same in compiled code and with the JIT off.
"""

import mmap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from podium.kernel.lazy import when_compiling

Dtype = np.dtype[Any]

_names: dict[Any, str] = {}  # of record types in messages; by NumPy dtype and by Numba type
_current: dict[str, Dtype] = {}  # the record type that a name stands for
_of_types: dict[Any, Dtype] = {}  # by Numba type
_texts: dict[int, tuple[Dtype, str]] = {}  # by the id of a dtype, which is kept so that no other gets the same id
_packed: dict[str, Dtype] = {}  # by text: the same fields without padding
_on_change: list[Callable[[], None]] = []  # called when a name comes to stand for another record type


def record(name: str, fields: Sequence[tuple[Any, ...]]) -> Dtype:
    """A record type with the given fields, known as `name` in messages.

    A record of the same name and fields is the same record. One of the same name and other fields takes the place of
    the earlier one, as when a cell of a notebook is edited and run again.

    Generic functions choose by the type, so two types must differ in at least one field's name or type; and none may
    begin with all fields of another: Numba takes the longer record for the shorter one, and runs code compiled for it.
    """
    for field in fields:
        if hasattr(np.recarray, field[0]):
            raise ValueError(f"record {name!r}: an array has an attribute {field[0]!r} already; rename the field")
        if len(field) > 2 and np.dtype(field[1]) == np.bool_:
            raise ValueError(f"record {name!r}: compiled code reads no arrays of '?'; make {field[0]!r} one of 'i1'")
    dtype = np.dtype(list(fields), align=True)
    if _current.get(name) == dtype:
        return _current[name]
    for other, known in _current.items():
        if other == name:
            continue
        if known == dtype:
            raise ValueError(f"record {name!r} has exactly the fields of record {other!r}; rename one")
        if _begins_with(dtype, known) or _begins_with(known, dtype):
            raise ValueError(f"records {name!r} and {other!r} begin with the same fields; put another one first")
    replaced = name in _current
    _current[name], _names[dtype] = dtype, name

    @when_compiling
    def register_name() -> None:
        import numba

        numba_type = numba.from_dtype(dtype)
        _names[numba_type], _of_types[numba_type] = name, dtype

    if replaced:
        for change in _on_change:
            change()
    return dtype


def on_record_change(change: Callable[[], None]) -> None:
    """Have a function called whenever a record type is replaced by another one of the same name."""
    _on_change.append(change)


def _begins_with(longer: Dtype, shorter: Dtype) -> bool:
    """Whether the fields of a record are the first fields of another."""
    count = len(shorter.names or ())
    return list((longer.fields or {}).items())[:count] == list((shorter.fields or {}).items())


def name_of(record_type: Any) -> str:
    """The name of a record type (NumPy's or Numba's), or the type itself if it has none."""
    return _names.get(record_type, str(record_type))


def dtype_of(numba_type: Any) -> Dtype | None:
    """The record type that Numba knows as this type; None if it is not one of ours."""
    return _of_types.get(numba_type)


def text_of(dtype: Dtype) -> str:
    """A dtype with all its fields, as a text: equal for equal dtypes, in every process."""
    known = _texts.get(id(dtype))
    if known is None:
        known = _texts[id(dtype)] = dtype, _described(dtype)
    return known[1]


def _described(dtype: Dtype) -> str:
    if dtype.subdtype is not None:
        return f"{_described(dtype.subdtype[0])}{dtype.shape}"
    if dtype.fields is None:
        return dtype.str
    fields = (f"{name} {_described(field)} {offset}" for name, (field, offset, *_) in dtype.fields.items())
    return f"{{{', '.join(fields)}; {dtype.itemsize}}}"


def nested_records(dtype: Dtype) -> Iterator[Dtype]:
    """A record type and those of its fields; nothing for a plain number."""
    if dtype.subdtype is not None:
        yield from nested_records(dtype.subdtype[0])
    elif dtype.fields is not None:
        yield dtype
        for field, *_ in dtype.fields.values():
            yield from nested_records(field)


def packed_bytes(records: Any) -> bytes:
    """The content of a record, or of an array, without padding: equal for equal contents.

    `tobytes()` has padding in it, which copying does not copy.
    """
    dtype = records.dtype
    if dtype.names is None:
        found: bytes = records.tobytes()
        return found
    text = text_of(dtype)
    if text not in _packed:
        _packed[text] = _without_padding(dtype)
    return np.asarray(records).astype(_packed[text]).tobytes()


def _without_padding(dtype: Dtype) -> Dtype:
    if dtype.subdtype is not None:
        return np.dtype((_without_padding(dtype.subdtype[0]), dtype.shape))
    if dtype.names is None or dtype.fields is None:
        return dtype
    return np.dtype([(name, _without_padding(dtype.fields[name][0])) for name in dtype.names])


def registered(dtype: Dtype) -> Dtype:
    """The record type that equals a dtype, such as that of a file: there it is not known to be aligned, and to Numba it
    is another type. The dtype itself if there is none."""
    return next((known for known in _current.values() if known == dtype), dtype)


def allocate(dtype: Dtype, *shape: int) -> Any:
    """An array of zeroed records."""
    return np.zeros(shape, dtype).view(np.recarray)


def sparse(dtype: Any, size: int) -> Any:
    """An array of zeros for scattered access: the system hands out its memory in small pages, as they are touched.

    NumPy asks for pages of 2 MB, which may take a millisecond each to find: a hundred of them at the wrong moment, and
    an answer is late.
    """
    total = size * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, total), dtype, size)


def copy_of(record: Any) -> Any:
    """A record of its own with the same content; padding is zero, so that equal records have equal bytes.

    A third of the time of `record.copy()`, which also copies no padding but leaves it as it is in memory.
    """
    fresh = np.zeros(1, record.dtype)
    fresh[0] = record
    return fresh[0]


def blank(dtype: Dtype) -> Any:
    """One zeroed record, which kernels can change in place."""
    return allocate(dtype, 1)[0]
