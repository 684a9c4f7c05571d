"""What the machine code of a kernel depends on, followed through the functions and values that this process has loaded.

Numba compiles a kernel together with everything it calls, and freezes the *values* of the globals that it uses. A
fingerprint for compiled code therefore covers what Numba would see if it compiled the kernel now:

 1. The byte code of the kernel and its defaults. Comments, formatting, annotations and docstrings are not in it.
 2. The value of each global that the byte code loads, and of each closure variable: the bytes of an array, the digits
    of a number, the parts of a tuple, the fields of a record type.
 3. A kernel among these values is followed in the same way. A generic function leads to its implementations for the
    record types that were met: those of the kernel's arguments and those among the values.
 4. A plain function can be called from a kernel only if it is overloaded. Overloads are looked for in its own module:
    the plain functions there count, and those decorated with `@when_compiling`.

It does not matter where a value comes from: a literal, a file, or another module that fills a table. Python's own
modules and the libraries below are known by their versions, which are part of the cache's keys.
"""

import sys
from collections.abc import Iterable, Iterator
from enum import EnumMeta
from hashlib import blake2b
from opcode import opmap
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from podium.kernel.lazy import extensions_of
from podium.kernel.records import nested_records, packed_bytes, text_of

LIBRARIES = frozenset({"builtins", "numpy", "numba", "llvmlite", "scipy", *sys.stdlib_module_names}) - {"__main__"}
OWN_EXTENSIONS = "podium.kernel."  # modules whose overloads are known to be in `@when_compiling` functions only
DIGEST_BYTES = 16
LARGE = 2048  # bytes of an array that is hashed apart
CO_HAS_DOCSTRING = 0x4000000  # from Python 3.13 on; before, the first constant is the docstring or None
LOAD_GLOBAL, EXTENDED_ARG = opmap["LOAD_GLOBAL"], opmap["EXTENDED_ARG"]

Part = tuple[FunctionType, str, bytes]  # the function that uses it, its name there ("" for the byte code), its content


class Code(NamedTuple):
    """Byte code, with that of the functions defined inside."""

    digest: bytes
    globals: tuple[str, ...]  # that it loads
    names: frozenset[str]  # globals and attributes


class UnknownValueError(TypeError):
    """A kernel uses a value whose content cannot be told: code compiled with it must not be stored."""


# ---- Byte code

_codes: dict[int, tuple[CodeType, Code]] = {}  # by id; with the code object, so that no other can get the same id


def _read_code(code: CodeType, doc: str | None) -> Code:
    known = _codes.get(id(code))
    if known is None:
        known = _codes[id(code)] = code, _digest_code(code, doc)
    return known[1]


def _digest_code(code: CodeType, doc: str | None) -> Code:
    loaded, names = dict.fromkeys(_loaded_globals(code)), {*code.co_names}
    constants = []
    for place, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            inner = _digest_code(constant, None)
            loaded.update(dict.fromkeys(inner.globals))
            names |= inner.names
            constants.append(inner.digest)
        elif place == 0 and doc is not None and constant == doc:
            continue
        else:
            constants.append(_literal(constant).encode())
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~CO_HAS_DOCSTRING)
    texts = (code.co_name, shape, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    parts = (repr(texts).encode(), code.co_code, code.co_exceptiontable, *constants)
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return Code(digest.digest(), tuple(loaded), frozenset(names))


def _loaded_globals(code: CodeType) -> Iterator[str]:
    """The names of the globals that byte code loads."""
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    place = operations.find(LOAD_GLOBAL)
    while place >= 0:
        index, shift, before = arguments[place], 8, place - 1
        while before >= 0 and operations[before] == EXTENDED_ARG:
            index |= arguments[before] << shift
            shift, before = shift + 8, before - 1
        yield code.co_names[index >> 1]  # the lowest bit says whether it is called next
        place = operations.find(LOAD_GLOBAL, place + 1)


def _literal(constant: Any) -> str:
    """A constant of byte code as a text that is the same in every process."""
    if isinstance(constant, frozenset):
        return f"frozenset {sorted(map(_literal, constant))}"
    if isinstance(constant, tuple):
        return f"({','.join(map(_literal, constant))})"
    return f"{type(constant).__name__} {constant!r}"


# ---- Everything else

_large: dict[int, tuple[Any, bytes, bytes]] = {}  # by id: the array, its content when it was hashed, and its digest


def _array_content(array: Any) -> bytes:
    """The bytes of an array; a digest of them if there are many, which is not computed again while they are the same.

    Comparing bytes takes a tenth of the time of hashing them.
    """
    content = packed_bytes(array)
    if len(content) <= LARGE:
        return content
    known = _large.get(id(array))
    if known is None or known[1] != content:
        known = _large[id(array)] = array, content, blake2b(content, digest_size=DIGEST_BYTES).digest()
    return known[2]


class Dependencies:
    """All that one kernel's machine code depends on, for arguments with certain record types."""

    def __init__(self, kernel: FunctionType, records: Iterable[np.dtype[Any]] = ()) -> None:
        self.functions: dict[int, FunctionType] = {}  # by id, in the order of discovery
        self.parts: list[Part] = []
        self._plain: set[int] = set()  # those that are no kernels
        self.records: dict[str, None] = {}  # the texts of record types that were met
        self._generics: dict[int, Any] = {}
        self._waiting: list[FunctionType] = []
        for dtype in records:
            self._meet(dtype)
        self._reach(kernel)
        while self._waiting:
            self._visit(self._waiting.pop())
            if not self._waiting:  # new records may select implementations of generic functions met before
                for generic in list(self._generics.values()):
                    for implementation in generic.implementations_for(self.records):
                        self._reach(function_of(implementation))

    @property
    def digest(self) -> str:
        """The fingerprint; equal in every process in which all parts are equal."""
        total = blake2b(digest_size=DIGEST_BYTES)
        for function, name, content in self.parts:
            total.update(f"{function.__module__} {function.__qualname__} {name} {len(content)} ".encode() + content)
        return total.hexdigest()

    def described(self) -> dict[str, str]:
        """A digest of each part by its description, to tell later which part has changed."""
        found: dict[str, str] = {}
        for function, name, content in self.parts:
            place = f"{function.__module__}.{function.__qualname__}"
            label = f"the value of {name} in {place}" if name else f"the code of {place}"
            found[label] = blake2b(content, digest_size=8).hexdigest()
        return found

    def _reach(self, function: FunctionType, plain: bool = False) -> None:
        if id(function) not in self.functions:
            if plain:
                self._plain.add(id(function))
            self.functions[id(function)] = function
            self._waiting.append(function)

    def _meet(self, dtype: np.dtype[Any]) -> None:
        for record in nested_records(dtype):
            self.records[text_of(record)] = None

    def _visit(self, function: FunctionType) -> None:
        """Visit a function: steps 1 and 2 of the module."""
        code = _read_code(function.__code__, function.__doc__)
        self.parts.append((function, "", code.digest))
        if function.__defaults__ or function.__kwdefaults__:
            defaults = (*(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items()))
            self._add(function, "its defaults", defaults, code)
        for name in code.globals:
            if name in function.__globals__:
                self._add(function, name, function.__globals__[name], code)
        if function.__closure__:
            for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
                self._add(function, name, cell.cell_contents, code)

    def _add(self, function: FunctionType, name: str, value: Any, code: Code) -> None:
        try:
            self.parts.append((function, name, self._content(value, code)))
        except UnknownValueError as error:
            if id(function) in self._plain:
                return  # which is not compiled itself
            place = f"{function.__module__}.{function.__qualname__}"
            raise UnknownValueError(f"{place} uses {name}, {error}") from None

    def _content(self, value: Any, code: Code) -> bytes:
        """The content of a value; what it leads to is followed."""
        if isinstance(value, np.ndarray):
            if value.dtype.hasobject:
                raise UnknownValueError("an array of Python objects")
            self._meet(value.dtype)
            layout = f"array {text_of(value.dtype)} {value.shape} {value.flags.c_contiguous} {value.flags.f_contiguous}"
            return layout.encode() + _array_content(value)
        if isinstance(value, np.generic):
            self._meet(value.dtype)
            return text_of(value.dtype).encode() + packed_bytes(value)
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return f"{type(value).__qualname__} {value!r}".encode()
        if isinstance(value, np.dtype):
            self._meet(value)
            return b"dtype " + text_of(value).encode()
        if isinstance(value, tuple | list | set | frozenset):
            parts = [self._content(part, code) for part in value]
            parts = sorted(parts) if isinstance(value, set | frozenset) else parts
            return b"%s %d " % (type(value).__qualname__.encode(), len(parts)) + b"\0".join(parts)
        if isinstance(value, ModuleType):
            return self._module(value, code)
        return self._callable(value)

    def _module(self, module: ModuleType, code: Code) -> bytes:
        """A module among the values: of ours and the user's, every attribute that the byte code may mean."""
        content = f"module {module.__name__}".encode()
        if module.__name__.partition(".")[0] in LIBRARIES:
            return content
        attributes = sorted(name for name in code.names if name in vars(module))
        return content + b"\0".join(name.encode() + self._content(vars(module)[name], code) for name in attributes)

    def _callable(self, value: Any) -> bytes:
        """Steps 3 and 4, and what only has a name."""
        generic = getattr(value, "podium_generic", None)
        if generic is not None:
            self._generics[id(generic)] = generic
            return f"generic {generic.name}".encode()
        if is_kernel(value):
            self._reach(function_of(value))
            return f"kernel {function_of(value).__qualname__} {options_of(value)}".encode()
        name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
        if isinstance(value, FunctionType) and (value.__module__ or "").partition(".")[0] not in LIBRARIES:
            for function in overloads_beside(value):
                self._reach(function, plain=True)
            return f"function {name}".encode()
        if isinstance(value, EnumMeta):
            return f"enum {name} {dict(value.__members__)}".encode()
        if isinstance(value, type):
            return f"class {name} {getattr(value, '_fields', '')}".encode()
        if isinstance(value, BuiltinFunctionType | np.ufunc | FunctionType):
            return f"builtin {name} {getattr(value, '__name__', '')}".encode()
        inner = getattr(value, "__wrapped__", None)  # an intrinsic
        if isinstance(inner, FunctionType):
            self._reach(inner, plain=True)
            return f"wrapped {inner.__qualname__}".encode()
        text = repr(value)
        if type(value).__module__.partition(".")[0] in LIBRARIES and " at 0x" not in text:
            return f"{type(value).__qualname__} {text}".encode()
        raise UnknownValueError(f"a {type(value).__qualname__}")


def is_kernel(value: Any) -> bool:
    """Whether a value is a compiled function: ours (also with the JIT off) or one of Numba's."""
    return hasattr(value, "podium_kernel") or hasattr(value, "py_func")


def function_of(kernel: Any) -> FunctionType:
    """The Python function that a kernel is compiled from."""
    found: FunctionType = getattr(kernel, "py_func", kernel)
    return found


def options_of(kernel: Any) -> str:
    """The options that a kernel is compiled with."""
    options = getattr(kernel, "podium_options", None) or getattr(kernel, "targetoptions", {})
    return str(sorted(options.items()))


def overloads_beside(function: FunctionType) -> Iterator[FunctionType]:
    """The functions of a module that may tell the compiler what to do in the place of one of them."""
    yield function
    yield from extensions_of(function.__module__)
    if not (function.__module__ or "").startswith(OWN_EXTENSIONS):
        for other in list(function.__globals__.values()):
            if isinstance(other, FunctionType) and other.__module__ == function.__module__:
                yield other
