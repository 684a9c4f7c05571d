"""Everything that touches private parts of Numba and llvmlite. No other module imports them; a test looks.

| what is used | why | since | without it |
| --- | --- | --- | --- |
| `Dispatcher._cache`; `load_overload`, `save_overload` of what is there | a cache whose keys cover captured values | before 0.60 | kernels are compiled in every process |
| `CompileResult._reduce`, `_rebuild`; `caching.dumps` | compiled kernels as bytes | before 0.60 | the same |
| `CompileResult.library`, `.signature`, `.fndesc`, `.target_context`, `.lifted` | what is stored, and ahead-of-time code | before 0.60 | the same |
| `codegen.magic_tuple()` | the processor, as part of a key | before 0.60 | the same |
| `rtsys.initialize` | a kernel from the cache runs without the declarations of the compiler | before 0.60 | a start is 0.25 s slower |
| `FunctionIdentity._unique_ids` | symbols that no other process uses: code of a redefined kernel never meets its namesake | before 0.60 | compiled code is not stored |
| `Dispatcher._reset_overloads`, `_make_finalizer` | a new definition reaches compiled callers | before 0.60 | a sentence: restart Python |
| `templates.AbstractTemplate`, `infer_global` | generic functions, without one more function per call | before 0.60 | Podium does not run |
| `cgutils`, `arrayobj.make_array`, `populate_array` | `on_stack`, `prefetch` | before 0.60 | kernels with them cannot be compiled |
| `arrayobj.basic_indexing`, `setitem_array` | copying a record as one block of memory | before 0.60 | compiling takes up to four times as long |
| `JITCodeLibrary`, `JITCPUCodegen.create_library`, `set_env`, `CPUContext.get_executable`, `Dispatcher.compile`, `add_overload` | no machine code of kernels that only kernels call | before 0.60 | compiling takes up to a half longer |
| `JITCodeLibrary._optimize_final_module`, `CPUCallConv.call_function`; names of the runtime's functions | no counting of references to memory that a kernel only borrows | before 0.60 | searches run at half the speed |
| `library._get_module_for_linking` | the LLVM code of a kernel with all that it calls | before 0.60 | no ahead-of-time code |
| `context.call_conv`, `get_arg_packer`, `fndesc.llvm_func_name` | calling a kernel from its trampoline | before 0.60 | no ahead-of-time code |
| `numba.core.event` (documented for developers) | saying that something is being compiled | before 0.60 | compiling is silent |
| new or old pass manager of `llvmlite.binding` | dropping functions that ahead-of-time code does not call | new: 0.45, old: until 0.44 | no ahead-of-time code |

Podium is tested with the versions of TESTED (`tools/versions.py`). With another one a sentence says so once; what does
not work there then costs time, not correctness, as the last column says.
"""  # noqa: E501

import itertools
import os
import pickle
from collections.abc import Callable, Sequence
from operator import setitem
from threading import local
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numba.extending
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global

from podium.kernel.notices import notice

F = TypeVar("F", bound=Callable[..., Any])

TESTED = (0, 60), (0, 68)  # oldest and newest
WORD = ir.IntType(64)
ENVIRONMENT = "_ZN08NumbaEnv"  # beginning of the names of environments, which hold what a kernel may raise
PROCESS_BITS = 40  # of the first number in the names of this process's symbols


def untested_version() -> str:
    """A sentence about a version of Numba that Podium was not tested with, or ""."""
    version = tuple(int(part) for part in numba.__version__.split(".")[:2])
    if TESTED[0] <= version <= TESTED[1]:
        return ""
    oldest, newest = (".".join(map(str, tested)) for tested in TESTED)
    return f"Numba {numba.__version__} is untested with Podium; {oldest} to {newest} are tested"


# ---- Public parts, with types


def overload(function: Callable[..., Any], **options: Any) -> Callable[[F], F]:
    """Decorate what makes an implementation of a Python function for compiled code."""
    decorate: Callable[[F], F] = numba.extending.overload(function, **options)
    return decorate


def intrinsic(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate what makes an intrinsic: a typing function that returns a signature and a generator of LLVM code."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        plain = numba.extending.intrinsic
        made: Callable[..., Any] = plain(**options)(function) if options else plain(function)
        return made

    return decorate


def register_as_dispatcher(kind: type, dispatcher_of: Callable[[Any], Any]) -> None:
    """Let kernels call objects of a class: to the compiler each is the dispatcher that it has."""
    numba.extending.typeof_impl.register(kind, lambda value, context: types.Dispatcher(dispatcher_of(value)))


# ---- Compiled kernels: names, storing, loading, forgetting


def name_symbols_uniquely() -> bool:
    """Let the names of compiled functions begin at a random number in this process; whether that is possible.

    Numba numbers functions from 1 in every process, so two definitions of one name could meet under one symbol when
    one of them is loaded from the cache: LLVM would take the first for both.
    """
    try:
        from numba.core.bytecode import FunctionIdentity

        if not isinstance(FunctionIdentity._unique_ids, itertools.count):
            return False
        start = int.from_bytes(os.urandom(PROCESS_BITS // 8), "little")
        FunctionIdentity._unique_ids = itertools.count(start + 1)
    except (ImportError, AttributeError):
        return False
    return True


def install_cache(dispatcher: Any, cache: Any) -> None:
    """Let a dispatcher look for compiled versions in a cache of ours before it compiles."""
    dispatcher._cache = cache


def cache_of(dispatcher: Any) -> Any:
    """The cache of a dispatcher."""
    return dispatcher._cache


def is_storable(compiled: Any) -> bool:
    """Whether compiled code can run in another process: it has no addresses of this one in it."""
    return not compiled.library.has_dynamic_globals and all(lifted.can_cache for lifted in compiled.lifted)


def serialized(compiled: Any) -> bytes:
    """A compiled kernel as bytes."""
    from numba.core.caching import dumps

    found: bytes = dumps(compiled._reduce())
    return found


def deserialized(context: Any, payload: bytes) -> Any:
    """A compiled kernel from bytes that `serialized` made."""
    from numba.core.compiler import CompileResult

    return CompileResult._rebuild(context, *pickle.loads(payload))


def initialize_runtime(context: Any) -> None:
    """Prepare for running compiled kernels without the declarations that compiling needs (0.25 s to load)."""
    from numba.core.runtime import rtsys

    rtsys.initialize(context)


def processor_key(codegen: Any) -> str:
    """The processor that a code generator compiles for."""
    return str(codegen.magic_tuple())


def reset(dispatcher: Any) -> None:
    """Forget the compiled versions of a kernel: its next call compiles or loads it again."""
    dispatcher._make_finalizer()()
    dispatcher._reset_overloads()


# ---- Callees: kernels that only other kernels call

_compiling = local()  # by thread: `depth`, the number of kernels that are being compiled, each for the one before


class Callee:
    """Stands for the entry point of a callee, which Python cannot call."""


def is_compiling_callee() -> bool:
    """Whether the kernel that is being compiled is compiled for another one."""
    return getattr(_compiling, "depth", 0) > 1


def link_callees_only() -> None:
    """Make neither machine code nor an entry point of a callee: its code is linked into that of its callers.

    That is a third of the work of compiling a search. When Python calls a callee later, it is compiled as a whole.
    """
    try:
        from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
        from numba.core.cpu import CPUContext
        from numba.core.dispatcher import Dispatcher
        from numba.core.environment import lookup_environment

        create_library, set_env = JITCPUCodegen.create_library, JITCPUCodegen.set_env
        get_executable = CPUContext.get_executable
        compile_kernel, add_overload = Dispatcher.compile, Dispatcher.add_overload
        parts = JITCodeLibrary._finalize_dynamic_globals, JITCodeLibrary._verify_declare_only_symbols
        bitcode = JITCodeLibrary.serialize_using_bitcode
    except (ImportError, AttributeError):
        return

    def finalize(self: Any) -> None:
        for part in parts:
            part(self)
        self._finalized = True

    members = {"_finalize_final_module": finalize, "serialize_using_object_code": bitcode}
    callee_library: Any = type("CalleeLibrary", (JITCodeLibrary,), members)

    def create(self: Any, name: str, **options: Any) -> Any:
        return callee_library(self, name) if is_compiling_callee() else create_library(self, name, **options)

    def set_existing(self: Any, name: str, environment: Any) -> None:
        if self._engine.get_global_value_address(name):  # a callee's own exists in its callers only
            set_env(self, name, environment)

    def executable(self: Any, library: Any, description: Any, environment: Any) -> Any:
        if isinstance(library, callee_library):
            library._ensure_finalized()
            return Callee()
        made = get_executable(self, library, description, environment)
        for variable in library._final_module.global_variables:
            known = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if known is not None:
                library.codegen.set_env(variable.name, known)
        return made

    def compile_or_link(self: Any, signature: Any) -> Any:
        depth, kinds = getattr(_compiling, "depth", 0), tuple(getattr(signature, "args", signature))
        before = self.overloads.get(kinds)
        if depth:
            self.targetoptions["no_cpython_wrapper"] = True
        elif before is not None and isinstance(before.entry_point, Callee):
            del self.overloads[kinds]
        _compiling.depth = depth + 1
        try:
            return compile_kernel(self, signature)
        finally:
            _compiling.depth = depth
            self.targetoptions.pop("no_cpython_wrapper", None)

    def add(self: Any, compiled: Any) -> None:
        if isinstance(compiled.entry_point, Callee):
            self.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add_overload(self, compiled)

    for owner, name, replacement in (
        (JITCPUCodegen, "create_library", create),
        (JITCPUCodegen, "set_env", set_existing),
        (CPUContext, "get_executable", executable),
        (Dispatcher, "compile", compile_or_link),
        (Dispatcher, "add_overload", add),
    ):
        setattr(owner, name, replacement)


# ---- Calls from compiled code


def register_choice(function: Callable[..., Any], find: Callable[[tuple[Any, ...]], Any]) -> None:
    """Let kernels call a function that stands for another kernel, found by the types of the arguments.

    Numba's `overload` would do the same with one more function in between, compiled anew for each caller.
    """

    def generic(self: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        self.kernel = numba.typeof(find(arguments))
        return self.kernel.get_call_type(self.context, arguments, named)

    def get_impl_key(self: Any, signature: Any) -> Any:
        return self.kernel.get_impl_key(signature)

    members = {"key": function, "generic": generic, "get_impl_key": get_impl_key}
    infer_global(function, types.Function(type("Choice", (AbstractTemplate,), members)))


def stack_array(context: Any, builder: Any, kind: Any, count: int, alignment: int) -> Any:
    """An array type and a number of elements as an array on the stack of the present function."""
    from numba.np.arrayobj import make_array, populate_array

    element = context.get_data_type(kind.dtype)
    memory = cgutils.alloca_once(builder, element, size=count)
    memory.align = alignment
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(element))
    populate_array(
        array,
        data=builder.bitcast(memory, array.data.type),
        shape=[context.get_constant(types.intp, count)],
        strides=[size],
        itemsize=size,
        meminfo=None,  # nobody has to free it
    )
    return array._getvalue()


def element_address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """The address of an element of an array of a type with one dimension, as a pointer to bytes."""
    from numba.np.arrayobj import make_array

    data = make_array(kind)(context, builder, array)
    return builder.gep(builder.bitcast(data.data, cgutils.voidptr_t), [builder.mul(index, data.itemsize)])


def copy_records_as_blocks() -> None:
    """Let compiled code copy a record into an array as one block of memory.

    Numba loads and stores it as an array of bytes, which LLVM takes apart: a state of 760 bytes becomes 3,000
    instructions wherever it is copied, and that was most of the work of compiling a search.
    """
    try:
        from numba.np.arrayobj import basic_indexing, make_array, setitem_array
    except ImportError:
        return

    def copy_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
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

    numba.extending.lower_builtin(setitem, types.Array, types.Any, types.Record)(copy_record)


# ---- Borrowed memory

PYTHON_ENTRY = "_ZN7cpython"  # beginning of the name of the function by which Python calls a kernel
RETURNS_MEMORY = "podium.returns_memory"  # marks modules in which a function returns an array
COUNTING = "NRT_incref", "NRT_decref", "NRT_adapt_ndarray_from_python"
# what the runtime offers to kernels that neither allocate memory nor return an array
OF_BORROWERS = {*COUNTING, "NRT_MemInfo_call_dtor", "NRT_MemInfo_data_fast", "NRT_Free"}
WITHOUT_COUNTING = """
declare i32 @numba_adapt_ndarray(i8*, i8*)
define void @NRT_incref(i8* %memory) alwaysinline { ret void }
define void @NRT_decref(i8* %memory) alwaysinline { ret void }
define i32 @NRT_adapt_ndarray_from_python(i8* %array, i8* %place) alwaysinline {
  %status = call i32 @numba_adapt_ndarray(i8* %array, i8* %place)
  ret i32 %status
}
"""


def borrow_arguments() -> None:
    """Let a kernel that neither allocates memory nor returns an array count no references: its caller owns all arrays.

    Numba counts at every call that takes an array, with an atomic instruction, which was up to half of a search. A
    kernel in which some function returns an array is left as it is: a kernel that does allocate may be linked with the
    same function, and there the count of what it returns has to be right.
    """
    try:
        from numba.core.callconv import CPUCallConv
        from numba.core.codegen import JITCodeLibrary

        optimize, call = JITCodeLibrary._optimize_final_module, CPUCallConv.call_function
    except (ImportError, AttributeError):
        return

    def call_and_mark(self: Any, builder: Any, callee: Any, returned: Any, *arguments: Any, **named: Any) -> Any:
        module = builder.module
        if self.context.data_model_manager[returned].contains_nrt_meminfo() and RETURNS_MEMORY not in module.globals:
            mark = ir.GlobalVariable(module, ir.IntType(8), RETURNS_MEMORY)
            mark.linkage, mark.initializer = "weak_odr", ir.Constant(ir.IntType(8), 0)
        return call(self, builder, callee, returned, *arguments, **named)

    def optimize_without_counting(self: Any) -> None:
        if _only_borrows(self._final_module):
            self._final_module.link_in(llvm.parse_assembly(WITHOUT_COUNTING))
            for name in COUNTING:
                self._final_module.get_function(name).linkage = "internal"
        optimize(self)

    CPUCallConv.call_function = call_and_mark
    JITCodeLibrary._optimize_final_module = optimize_without_counting


def _only_borrows(module: Any) -> bool:
    """Whether the LLVM module is that of a kernel that Python calls, whose arrays all come from Python."""
    functions = {function.name: function.is_declaration for function in module.functions}
    runtime = {name for name, is_declaration in functions.items() if is_declaration and name.startswith("NRT_")}
    is_entered = any(name.startswith(PYTHON_ENTRY) and not functions[name] for name in functions)
    is_marked = any(variable.name == RETURNS_MEMORY for variable in module.global_variables)
    return is_entered and not is_marked and runtime <= OF_BORROWERS


# ---- Ahead-of-time code: LLVM


def linked_module(compiled: Any) -> Any:
    """The LLVM module of a compiled kernel with all that it calls, as a copy."""
    return llvm.parse_bitcode(compiled.library._get_module_for_linking().as_bitcode())


def drop_unused_functions(module: Any, machine: Any) -> None:
    """Delete the internal functions of an LLVM module that nothing calls."""
    new: Any = llvm.create_new_module_pass_manager() if hasattr(llvm, "create_new_module_pass_manager") else None
    if hasattr(new, "add_global_dead_code_eliminate_pass"):
        new.add_global_dead_code_eliminate_pass()
        new.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    else:
        old = llvm.create_module_pass_manager()
        old.add_global_dce_pass()
        old.run(module)


def merge_duplicates(module: Any, machine: Any) -> None:
    """Let equal constants and equal functions of an LLVM module be one; nothing happens with an old llvmlite."""
    new: Any = llvm.create_new_module_pass_manager() if hasattr(llvm, "create_new_module_pass_manager") else None
    if hasattr(new, "add_constant_merge_pass"):
        new.add_constant_merge_pass()
        new.add_merge_functions_pass()
        new.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))


def trampoline(compiled: Any, kinds: Sequence[Any], name: str, first_argument: int) -> ir.Module:
    """An LLVM module with a function that takes a kernel's arguments from a row of words.

    It is given the address of the row, whose words from `first_argument` on are the arguments in the order in which
    Numba passes them, and leaves a status and the result in the first two.
    """
    context = compiled.target_context
    module = ir.Module(name)
    module.triple, module.data_layout = llvm.get_process_triple(), str(context.codegen().target_data)
    convention, returned = context.call_conv, compiled.signature.return_type
    kernel = ir.Function(module, convention.get_function_type(returned, kinds), compiled.fndesc.llvm_func_name)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())

    def word(place: int) -> Any:
        return builder.gep(function.args[0], [ir.Constant(WORD, place)])

    packer = context.get_arg_packer(kinds)
    flat = [
        _from_word(builder, builder.load(word(first_argument + place)), kind)
        for place, kind in enumerate(packer.argument_types)
    ]
    status, result = convention.call_function(builder, kernel, returned, kinds, packer.from_arguments(builder, flat))
    builder.store(builder.sext(status.code, WORD), word(0))
    if returned == types.float64:
        builder.store(builder.bitcast(result, WORD), word(1))
    elif returned != types.none:
        signed = getattr(returned, "signed", False)
        narrow = result.type.width < WORD.width
        wide = (builder.sext if signed else builder.zext)(result, WORD) if narrow else result
        builder.store(wide, word(1))
    builder.ret_void()
    _add_runtime(module)
    return module


def _from_word(builder: Any, word: Any, kind: Any) -> Any:
    """An argument of an LLVM type, from the word that holds it."""
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    if isinstance(kind, ir.DoubleType):
        return builder.bitcast(word, kind)
    if isinstance(kind, ir.IntType):
        return builder.trunc(word, kind) if kind.width < WORD.width else word
    raise TypeError(f"an argument of the type {kind} does not fit into a word")


def _add_runtime(module: ir.Module) -> None:
    """Functions that kernels expect of Numba's own library, which ahead-of-time code has to do without.

    Arguments are borrowed and such kernels allocate nothing, so no memory is ever freed.
    """
    pointer, double = ir.IntType(8).as_pointer(), ir.DoubleType()
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer]), "NRT_MemInfo_call_dtor")
    ir.IRBuilder(free.append_basic_block()).ret_void()
    kind = ir.FunctionType(double, [double, double])
    next_after = ir.Function(module, kind, "numba_nextafter")
    builder = ir.IRBuilder(next_after.append_basic_block())
    builder.ret(builder.call(ir.Function(module, kind, "nextafter"), next_after.args))


# ---- Events


def _has_failed(happening: Any) -> bool:
    """Whether an event ended with an exception; `is_failed` says the contrary."""
    return (getattr(happening, "_exc_details", None) or (None,))[0] is not None


def report_compiling(started: Callable[[Any], None], ended: Callable[[bool], None]) -> None:
    """Have functions called whenever Numba begins to compile (with the dispatcher) and ends (with whether it failed).

    Loading from the cache is not reported.
    """
    try:
        from numba.core import event

        members = {
            "on_start": lambda self, happening: started(happening.data["dispatcher"]),
            "on_end": lambda self, happening: ended(_has_failed(happening)),
        }
        event.register("numba:compile", type("Listener", (event.Listener,), members)())
    except (ImportError, AttributeError) as error:
        notice(f"compiling is silent with Numba {numba.__version__}: {error}", once=True)
