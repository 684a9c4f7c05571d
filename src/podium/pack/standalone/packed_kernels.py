"""Kernels of a packed bot: machine code that was compiled for the types of their arguments, or else plain Python.

It takes the place of `podium.kernel.aot`.
"""

from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_void_p
from functools import update_wrapper
from typing import Any

from podium.kernel.marshalling import Kind, marshal, text_of_kind, unmarshal
from podium.pack.standalone.loader import PACKED

WORDS_OF_RESULT = 2  # the status and the result


def loose_text(kind: Kind) -> str:
    """A kind as a text in which all whole numbers are the same: machine code takes one for the other."""
    if kind is int or kind is bool or (isinstance(kind, str) and len(kind) == 1):
        return "whole"
    return "({})".format(" ".join(map(loose_text, kind))) if isinstance(kind, tuple) else text_of_kind(kind)


class PackedKernel:
    """A kernel with machine code, or in Python where there is none."""

    def __init__(self, function: Callable[..., Any], make: Any, options: Any) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.code = PACKED.about["kernels"].get(self.name)
        self.found: Any = {}  # by kinds: a function, and what it returns

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code for the types of these arguments."""
        if self.code is None:
            return self.py_func(*arguments)
        words = array("q", [0] * WORDS_OF_RESULT)
        kinds = tuple([marshal(argument, words) for argument in arguments])
        if kinds not in self.found:
            self.found[kinds] = self.find(kinds)
        function, result = self.found[kinds]
        function(words.buffer_info()[0])
        if words[0]:
            raise RuntimeError(f"the kernel {self.name} failed with the status {words[0]}")
        return unmarshal(words[1], result)

    def find(self, kinds: Any) -> Any:
        """The machine code for kinds of arguments."""
        found = self.code.get(text_of_kind(kinds)) or self.code.get(loose_text(kinds))
        if found is None:
            raise TypeError(f"the kernel {self.name} was not packed for {text_of_kind(kinds)}")
        return CFUNCTYPE(None, c_void_p)(PACKED.address + found[0]), found[1]


AotKernel = PackedKernel


def forget_all() -> None:
    """Nothing is ever defined anew."""


def is_used() -> bool:
    """Nothing is ever defined anew."""
    return False


def build_missing() -> None:
    """All that can be compiled was compiled when the bot was packed."""
