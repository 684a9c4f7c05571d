"""Numba: compiles kernels, finds again in the cache what was compiled before, and makes code that runs without it.

Nothing else in this package imports this module; `podium.kernel.lazy` does, when something has to be compiled.

Ready code (`make_ready`) is a kernel's machine code with one more function in front, the *door*, which any process can
call that knows nothing of Numba: it takes the address of a row of 64-bit words, reads the kernel's arguments from it in
the order in which Numba passes them, and leaves a status and the result in the first two.
"""

import os
import pickle
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from operator import setitem
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import caching, cgutils
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, typeof_impl
from numba.np.arrayobj import basic_indexing, make_array, setitem_array

from podium.kernel.cache import DIGEST_BYTES, SUFFIX, index, is_too_new, keep, kept, root, stamp_of
from podium.kernel.generic import Name
from podium.kernel.ready import DOOR, RESULT_WORD, STATUS_WORD, WORDS_OF_RESULT, Ready
from podium.kernel.sources import Follower

WORD = ir.IntType(64)

# What Numba's own library does for kernels, and ready code has to do without. Arguments are borrowed and ready kernels
# allocate nothing, so no memory is ever given back.
HELPERS = """
define void @NRT_MemInfo_call_dtor(ptr %memory) { ret void }
declare double @nextafter(double, double)
define double @numba_nextafter(double %from, double %to) {
  %result = call double @nextafter(double %from, double %to)
  ret double %result
}
"""
FOREIGN = ("NRT_", "numba_", "Py", "_Py")  # beginnings of names that only Numba and Python know
RESULTS = {types.none: "none", types.boolean: "bool", types.float64: "float"}
OWN_SOURCE = blake2b(Path(__file__).read_bytes(), digest_size=8).hexdigest()


def environment() -> str:
    """What all compiled code depends on besides sources and types."""
    versions = f"{platform.python_version()} {numba.__version__} {llvmlite.__version__} {np.__version__}"
    return f"{versions} {platform.machine()} {config.BOUNDSCHECK} {config.OPT} {config.DEBUGINFO_DEFAULT} {OWN_SOURCE}"


def records_in(kind: Any) -> Iterator[Any]:
    """The record types that a type is made of."""
    if isinstance(kind, types.Record):
        yield kind
    elif isinstance(kind, types.Array):
        yield from records_in(kind.dtype)
    elif isinstance(kind, types.BaseTuple):
        for part in kind.types:
            yield from records_in(part)


class KernelCache(caching._Cache):
    """The compiled versions of one kernel; takes the place of Numba's own cache."""

    def __init__(
        self,
        function: Callable[..., Any],
        implementations: Callable[[Name, set[Any]], Iterator[Name]],
        registered: Callable[[], str],
        record_of: Callable[[Any], Any],
    ) -> None:
        self.function = function
        self.implementations, self.registered, self.record_of = implementations, registered, record_of

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(root())

    def place(self, signature: Any, codegen: Any) -> tuple[str, tuple[str, ...]] | None:
        """The digest that names the compiled kernel for a signature, and the files that it can see; None: keep none."""
        name = self.function
        kinds = " ".join(map(str, signature))
        # with its file: another working copy has the same names, and perhaps not the same sources
        place = f"{name.__code__.co_filename} {name.__module__}.{name.__qualname__}"
        key = f"{place} {kinds} {environment()} {self.registered()}"
        key = blake2b(key.encode(), digest_size=DIGEST_BYTES).hexdigest()
        known = index(root(), os.getpid())
        if known.get(key) is None:
            records = {record for kind in signature for record in records_in(kind)}
            follower = Follower(self.implementations, records)
            found = follower.follow((name.__module__, name.__name__), self.record_of)
            if not found.files or any(is_too_new(stamp_of(str(file))) for file in found.files):
                return None
            known.put(key, found.digest, found.files)
        sources, files = known.entries[key]
        text = f"{name.__module__}.{name.__qualname__} {kinds} {environment()} {codegen.magic_tuple()} {sources}"
        return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest(), tuple(files)

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        place = self.place(signature, codegen)
        return root() / f"{place[0]}{SUFFIX}" if place else None

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel for a signature, or None. What cannot be loaded is deleted and compiled again."""
        # The compiler's own declarations take a quarter of a second to load, and what is compiled needs none of them.
        rtsys.initialize(target_context)
        path = self._path(signature, target_context.codegen())
        payload = kept(path) if path else None
        if path is None or payload is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # whatever unpickling what another version has written raises
            with suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        path = self._path(signature, data.codegen)
        if path is not None:
            keep(path, caching.dumps(data._reduce()))

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """Not offered."""

    def flush(self) -> None:
        """Nothing is ever out of date."""


def dispatcher(function: Callable[..., Any], options: dict[str, Any], *known: Any) -> Any:
    """What compiles a function on first use for each combination of types; its compiled code is kept.

    `known` are the generic functions as the cache wants to know them: implementations, registered, record_of.
    """
    found = njit(**options)(function)
    if not config.DISABLE_JIT and function.__closure__ is None:
        found._cache = KernelCache(function, *known)
    return found


@typeof_impl.register(Ready)
def _type_of_ready(kernel: Ready, context: Any) -> Any:
    """To the compiler a kernel that runs from ready code is what it would be without it."""
    return types.Dispatcher(kernel.dispatcher)


def let_choose(function: Callable[..., Any], find: Callable[[tuple[Any, ...]], Any]) -> None:
    """Let kernels call a function in whose place they call another kernel, found by the types of the arguments.

    Numba's `overload` would do the same with one more function in between, compiled anew for each caller.
    """

    class Choice(AbstractTemplate):
        key = function

        def generic(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
            self.kernel = numba.typeof(find(arguments))
            return self.kernel.get_call_type(self.context, arguments, named)

        def get_impl_key(self, signature: Any) -> Any:
            return self.kernel.get_impl_key(signature)

    infer_global(function, types.Function(Choice))


@lower_builtin(setitem, types.Array, types.Any, types.Record)
def _copy_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Copy a record into an array as a block of memory.

    Numba loads and stores it as an array of bytes, which LLVM takes apart: a state of 760 bytes becomes 3,000
    instructions wherever it is copied, and that was most of the work of compiling a search.
    """
    kind, index, source = signature.args
    array, place, record = arguments
    several = isinstance(index, types.BaseTuple)
    kinds, places = (index.types, cgutils.unpack_tuple(builder, place)) if several else ((index,), (place,))
    if len(kinds) != kind.ndim or not all(isinstance(one, types.Integer) for one in kinds):
        return setitem_array(context, builder, signature, arguments)  # into more than one place
    array = make_array(kind)(context, builder, array)
    check = context.enable_boundscheck
    target, _, _ = basic_indexing(context, builder, kind, array, kinds, places, boundscheck=check)
    record = context.cast(builder, record, source, kind.dtype)
    size = context.get_constant(types.intp, kind.dtype.size)
    return cgutils.raw_memcpy(builder, target, record, size, itemsize=1)


def make_ready(kernel: Ready, arguments: Sequence[Any]) -> tuple[str, bytes, tuple[str, ...]] | None:
    """Code of a kernel for the types of these arguments, which were compiled: its name, the code, and what it can see.

    None where it has no place in the cache, leaves arguments to their defaults, allocates memory, or returns what is no
    plain number.
    """
    found = kernel.dispatcher
    kinds = tuple(found.typeof_pyval(argument) for argument in arguments)
    compiled = found.overloads.get(kinds)
    place = found._cache.place(kinds, compiled.library.codegen) if compiled else None
    if compiled is None or place is None:
        return None
    returned = compiled.signature.return_type
    result = RESULTS.get(returned) or (isinstance(returned, types.Integer) and f"int {returned.signed:d}")
    if not result:
        return None
    name, files = place
    module = llvm.parse_bitcode(compiled.library._get_module_for_linking().as_bitcode())
    door = DOOR.format(name)
    module.link_in(llvm.parse_assembly(str(_door(compiled, kinds, door)) + HELPERS))
    for function in module.functions:
        if not function.is_declaration and function.name != door:
            function.linkage = "internal"
    machine = _machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    if any(function.is_declaration and function.name.startswith(FOREIGN) for function in module.functions):
        return None
    return name, f"{result}\n".encode() + machine.emit_object(module), files


def _machine() -> Any:
    """The processor of this machine, as Numba compiles for it."""
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=features,
        opt=config.OPT,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def _door(compiled: Any, kinds: Sequence[Any], name: str) -> ir.Module:
    """A function that takes a kernel's arguments from a row of words, see above."""
    context = compiled.target_context
    module = ir.Module(name)
    module.triple, module.data_layout = llvm.get_process_triple(), str(context.codegen().target_data)
    convention, returned = context.call_conv, compiled.signature.return_type
    kernel = ir.Function(module, convention.get_function_type(returned, kinds), compiled.fndesc.llvm_func_name)
    door = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD.as_pointer()]), name)
    builder = ir.IRBuilder(door.append_basic_block())

    def word(place: int) -> Any:
        return builder.gep(door.args[0], [ir.Constant(WORD, place)])

    packer = context.get_arg_packer(kinds)
    flat = [
        _as(builder, builder.load(word(WORDS_OF_RESULT + place)), kind)
        for place, kind in enumerate(packer.argument_types)
    ]
    status, result = convention.call_function(builder, kernel, returned, kinds, packer.from_arguments(builder, flat))
    builder.store(builder.sext(status.code, WORD), word(STATUS_WORD))
    if returned == types.float64:
        builder.store(builder.bitcast(result, WORD), word(RESULT_WORD))
    elif returned != types.none:
        signed = getattr(returned, "signed", False)
        narrow = result.type.width < WORD.width
        wide = (builder.sext if signed else builder.zext)(result, WORD) if narrow else result
        builder.store(wide, word(RESULT_WORD))
    builder.ret_void()
    return module


def _as(builder: Any, word: Any, kind: Any) -> Any:
    """A word as what it stands for."""
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    if isinstance(kind, ir.DoubleType):
        return builder.bitcast(word, kind)
    if isinstance(kind, ir.IntType):
        return builder.trunc(word, kind) if kind.width < WORD.width else word
    raise TypeError(f"no word is a {kind}")
