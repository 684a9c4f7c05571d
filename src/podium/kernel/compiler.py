"""Numba: compiles kernels, finds again in the cache what was compiled before, and makes code that runs without it.

Nothing else in this package imports this module; `podium.kernel.lazy` does, when something has to be compiled. What
is private to Numba lies in `podium.kernel.numba_internals`.

Ahead-of-time code (`compile_ahead`) is a kernel's machine code with one more function in front, the *trampoline*, which
a process without Numba can call: it takes the address of a row of 64-bit words, reads the kernel's arguments from it in
the order in which Numba passes them, and leaves a status and the result in the first two.
"""

import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import config, njit, types

from podium.kernel import numba_internals as internals
from podium.kernel.aot import TRAMPOLINE, WORDS_OF_RESULT, AotKernel
from podium.kernel.cache import SUFFIX, key, load, root, store
from podium.kernel.dependencies import Dependencies, UnknownValueError
from podium.kernel.diagnostics import MissingImplementationError, located, unknown_field
from podium.kernel.explain import explain, is_wanted, store_parts
from podium.kernel.notices import compilations, notice
from podium.kernel.records import dtype_of

FOREIGN = ("NRT_", "numba_", "Py", "_Py")  # beginnings of names that only Numba and Python know
RESULTS = {types.none: "none", types.boolean: "bool", types.float64: "float"}
SMALL = 32  # bytes of a part that is remembered as it is
OWN_FILES = Path(__file__), Path(internals.__file__)  # which decide how code is made
OWN_DIGEST = blake2b(b"".join(file.read_bytes() for file in OWN_FILES), digest_size=8).hexdigest()

register_choice = internals.register_choice
Signature = tuple[Any, ...]


def environment() -> dict[str, str]:
    """All that compiled code depends on besides functions, values and types."""
    return {
        "the version of Python": platform.python_version(),
        "the versions of Numba, llvmlite and NumPy": f"{numba.__version__} {llvmlite.__version__} {np.__version__}",
        "the settings of Numba": f"{config.BOUNDSCHECK} {config.OPT} {config.DEBUGINFO_DEFAULT}",
        "how Podium compiles": f"{platform.machine()} {OWN_DIGEST}",
    }


STORABLE = internals.name_symbols_uniquely()  # whether compiled code may be stored


def records_in(kind: Any) -> Iterator[np.dtype[Any]]:
    """The record types of ours that a type of Numba's is made of."""
    if isinstance(kind, types.Record):
        found = dtype_of(kind)
        if found is not None:
            yield found
    elif isinstance(kind, types.Array):
        yield from records_in(kind.dtype)
    elif isinstance(kind, types.BaseTuple):
        for part in kind.types:
            yield from records_in(part)


class Compiled:
    """What one compiled version of a kernel depends on, as it was when it was compiled or loaded."""

    def __init__(self, dependencies: Dependencies) -> None:
        self.digest = dependencies.digest
        self.functions = dependencies.functions
        self.parts = {(id(function), name): _short(content) for function, name, content in dependencies.parts}

    def agrees_with(self, other: "Compiled") -> bool:
        """Whether all parts that both depend on are the same."""
        return all(other.parts.get(part, content) == content for part, content in self.parts.items())


def _short(content: bytes) -> bytes:
    return content if len(content) <= SMALL else blake2b(content, digest_size=SMALL).digest()


class KernelCache:
    """The compiled versions of one kernel on disk; takes the place of Numba's own cache."""

    cache_path = property(lambda self: str(root()))

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        self.function, self.options = function, str(sorted(options.items()))
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.compiled: dict[Signature, Compiled] = {}
        self.unknown: dict[Signature, str] = {}  # why compiled code cannot be stored

    def dependencies(self, signature: Signature) -> Dependencies:
        """What the kernel depends on now, for a signature."""
        return Dependencies(self.function, [record for kind in signature for record in records_in(kind)])

    def has_changed(self, signature: Signature) -> bool:
        """Whether a compiled version would be another one if it were compiled now."""
        try:
            return self.dependencies(signature).digest != self.compiled[signature].digest
        except UnknownValueError:
            return True

    def _path(self, signature: Signature, digest: str, codegen: Any) -> Path:
        kinds, processor = " ".join(map(str, signature)), internals.processor_key(codegen)
        role = "callee" if internals.is_compiling_callee() else "whole"
        return root() / f"{key(self.name, role, kinds, str(environment()), self.options, processor, digest)}{SUFFIX}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature, or None. What cannot be loaded is deleted and compiled again."""
        signature = tuple(getattr(signature, "args", signature))
        with suppress(Exception):  # which costs a quarter of a second
            internals.initialize_runtime(target_context)
        try:
            dependencies = self.dependencies(signature)
        except UnknownValueError as error:
            self.unknown[signature] = str(error)
            if is_wanted():
                notice(f"{self.name} is compiled in every process: {error}")
            return None
        now = self.compiled[signature] = Compiled(dependencies)
        compiled_records.update(dependencies.records)
        path = self._path(signature, now.digest, target_context.codegen())
        payload = load(path) if STORABLE else None
        if payload is not None:
            try:
                return internals.deserialized(target_context, payload)
            except Exception:  # whatever unpickling raises if another version has written the file
                with suppress(OSError):
                    path.unlink()
        explain(self.name, str(signature), dependencies.described() | environment())
        reset_outdated(now)
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Store a compiled kernel, unless what it depends on has changed while it was compiled."""
        signature = tuple(getattr(signature, "args", signature))
        if signature in self.unknown or not STORABLE:
            return
        try:
            dependencies = self.dependencies(signature)
            digest = dependencies.digest
            if internals.is_storable(data) and digest == self.compiled[signature].digest:
                store(self._path(signature, digest, data.codegen), internals.serialized(data))
                store_parts(self.name, str(signature), dependencies.described() | environment())
        except Exception as error:  # whatever another version of Numba does differently
            notice(f"compiled code is not stored with Numba {numba.__version__}: {error!r}", once=True)

    def enable(self) -> None:
        """It always is enabled."""

    def disable(self) -> None:
        """Ignored: the cache is always on."""

    def flush(self) -> None:
        """Nothing is ever out of date."""


# ---- Kernels of this process

dispatchers: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by the id of the Python function
compiled_records: set[str] = set()  # the record types that compiled kernels have met, as texts


def dispatcher(function: FunctionType, options: dict[str, Any]) -> Any:
    """What compiles a function on first use for each combination of types; its compiled code is stored."""
    made = njit(**options)(function)
    if not config.DISABLE_JIT:
        dispatchers[id(function)] = made
        internals.install_cache(made, KernelCache(function, options))
        made.podium_options = options
        made.compile = _with_sentences(made.compile, function)
    return made


def _with_sentences(compile_kernel: Callable[[Any], Any], function: FunctionType) -> Callable[[Any], Any]:
    """The method that compiles a kernel, with sentences for two mistakes that Numba leaves to be guessed."""

    def compile_or_explain(signature: Any) -> Any:
        try:
            return compile_kernel(signature)
        except KeyError as error:
            names = function.__code__.co_varnames
            kinds = tuple(getattr(signature, "args", signature))
            dtypes = {name: dtype for name, kind in zip(names, kinds, strict=False) for dtype in records_in(kind)}
            mistake = unknown_field(function, str(error.args[0]) if error.args else "", dtypes)
            if mistake is None:
                raise
            raise mistake from None
        except MissingImplementationError as error:
            raise located(error, function) from None

    return compile_or_explain


def kernels_left() -> int:
    """How many kernels that are defined by now have been neither compiled nor loaded."""
    return sum(not made.overloads for made in dispatchers.values())


def reset_all() -> None:
    """Forget all compiled code: it is loaded from the cache, or compiled, on the next call."""
    for made in list(dispatchers.values()):
        _reset(made)


def reset_users(function: FunctionType) -> None:
    """Forget the compiled code of all kernels that call a function, directly or not."""
    for made in list(dispatchers.values()):
        if any(id(function) in version.functions for version in internals.cache_of(made).compiled.values()):
            _reset(made)


def reset_changed() -> None:
    """Forget the compiled code of all kernels that have captured a value which is another one now."""
    for made in list(dispatchers.values()):
        if any(cache.has_changed(kinds) for cache in [internals.cache_of(made)] for kinds in list(cache.compiled)):
            _reset(made)


def reset_outdated(now: Compiled) -> None:
    """Forget callees of a kernel that were compiled with other values than they have now, before they are linked."""
    for function in now.functions:
        made = dispatchers.get(function)
        if made is not None and made.overloads:
            versions = internals.cache_of(made).compiled.values()
            if not all(version.agrees_with(now) for version in versions):
                _reset(made)


def _reset(made: Any) -> None:
    if not made.overloads:
        return
    try:
        internals.reset(made)
        internals.cache_of(made).compiled.clear()
    except Exception as error:  # whatever another version of Numba does differently
        text = f"Numba {numba.__version__} keeps earlier definitions of kernels: restart Python ({error!r})"
        notice(text, once=True)


# ---- Ahead-of-time code


def compile_ahead(kernel: AotKernel, arguments: Sequence[Any], name: str) -> bytes | None:
    """Machine code of a kernel for the types of these arguments, which it was compiled for; loaded as `name`.

    None if it cannot run without Numba.
    """
    found = module_ahead(kernel, arguments, name)
    if found is None:
        return None
    result, module = found
    code: bytes = _machine().emit_object(module)
    return f"{result}\n".encode() + code


def module_ahead(kernel: AotKernel, arguments: Sequence[Any], name: str) -> tuple[str, Any] | None:
    """What a kernel returns, and the LLVM module of its ahead-of-time code; its trampoline is named after `name`.

    None if it leaves arguments to their defaults, allocates memory, or returns something else than a plain number.
    """
    made = kernel.dispatcher
    kinds = tuple(made.typeof_pyval(argument) for argument in arguments)
    compiled = made.overloads.get(kinds)
    if compiled is None:
        return None
    returned = compiled.signature.return_type
    result = RESULTS.get(returned) or (isinstance(returned, types.Integer) and f"int {returned.signed:d}")
    if not result:
        return None
    module = internals.linked_module(compiled)
    entry = TRAMPOLINE.format(name)
    module.link_in(llvm.parse_assembly(str(internals.trampoline(compiled, kinds, entry, WORDS_OF_RESULT))))
    for function in module.functions:
        if not function.is_declaration and function.name != entry:
            function.linkage = "internal"
    internals.drop_unused_functions(module, _machine())
    if any(function.is_declaration and function.name.startswith(FOREIGN) for function in module.functions):
        return None
    return result, module


def position_independent_object(modules: Sequence[Any], cpu: str) -> bytes:
    """The code of modules that `module_ahead` made as one object file, which may be loaded at any address.

    `cpu` is a level of x86-64, or `native`; constants that several kernels use are in it once.
    """
    first, *others = modules
    for module in others:
        first.link_in(module)
    whole = llvm.parse_assembly(str(first).replace(" = internal constant ", " = internal unnamed_addr constant "))
    is_native = cpu == "native"
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name() if is_native else cpu,
        features=llvm.get_host_cpu_features().flatten() if is_native else "",
        opt=config.OPT,
        reloc="pic",
        codemodel="small",
    )
    internals.merge_duplicates(whole, machine)
    code: bytes = machine.emit_object(whole)
    return code


def _machine() -> Any:
    """The processor of this machine, as Numba compiles for it."""
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=config.OPT,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def _name(made: Any) -> str:
    function = made.py_func
    return f"{function.__module__.removeprefix('podium.')}.{function.__name__}"


def _begin() -> None:
    """What is registered with Numba once."""
    sentence = internals.untested_version()
    if sentence:
        notice(sentence, once=True)
    internals.copy_records_as_blocks()
    internals.link_callees_only()
    internals.borrow_arguments()
    internals.register_as_dispatcher(AotKernel, lambda kernel: kernel.dispatcher)
    internals.report_compiling(lambda made: compilations.started(_name(made)), compilations.ended)


_begin()
