"""Machine code that a Python program can load by itself: an object file of x86-64, linked to one piece of memory.

The sections of the object are laid out one after the other, first what is read and run, then what is written.
References among them are resolved here; one to a function of the C library goes through a table of addresses, which
the loader fills. So the loader only copies the piece, adds its address to some words, and fills the table.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from podium.errors import PodiumError

PAGE = 4096
WORD = 8
ALLOCATED, WRITTEN, RUN, NO_CONTENT, RELOCATIONS, SYMBOLS = 2, 1, 4, 8, 4, 2  # flags and types of ELF sections
UNWIND = ".eh_frame"
COMMON = 0xFFF2  # the section of variables that the linker places
ABSOLUTE, RELATIVE, CALL, TABLE, TABLE_X, TABLE_REX = 1, 2, 4, 9, 41, 42  # types of relocations
JUMP = b"\xff\x25"  # jmp *offset(%rip)
STUB_BYTES = 8
LARGE = 1 << 15  # bytes of a constant


class LinkError(PodiumError):
    """Machine code that this linker does not know how to link."""


@dataclass(frozen=True)
class LinkedCode:
    """Machine code for any address."""

    content: bytes
    writable: int  # where the part begins that is written; the part before it is read and run
    words: Sequence[int]  # places of words that the address is added to
    imports: Sequence[str]  # functions of the C library; their addresses belong into the first words of that part
    exports: dict[str, int]  # places of functions by name
    tables: Sequence[tuple[int, int]] = ()  # place and size of large constants


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: str
    section: int
    value: int
    size: int


class _Relocation(NamedTuple):
    section: int  # that is changed
    place: int
    kind: int
    symbol: int
    addend: int


class _Object:
    """An object file as it was compiled."""

    def __init__(self, data: bytes) -> None:
        if data[:5] != b"\x7fELF\x02":
            raise LinkError("this machine's compiler makes no object files of 64-bit ELF: bots are packed on Linux")
        self.data = data
        (start,) = struct.unpack_from("<Q", data, 40)
        count, names = struct.unpack_from("<HH", data, 60)
        self.sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * i)) for i in range(count)]
        self.names = self.sections[names]
        table = next((section for section in self.sections if section.kind == SYMBOLS), None)
        self.symbols = [*self._symbols(table)] if table else []

    def content(self, section: _Section) -> bytes:
        """The bytes of a section."""
        if section.kind == NO_CONTENT:
            return bytes(section.size)
        return self.data[section.offset : section.offset + section.size]

    def text(self, table: _Section, place: int) -> str:
        """A name in a table of names."""
        start = table.offset + place
        return self.data[start : self.data.index(0, start)].decode()

    def _symbols(self, table: _Section) -> Iterator[_Symbol]:
        for name, _, _, section, value, size in struct.iter_unpack("<IBBHQQ", self.content(table)):
            yield _Symbol(self.text(self.sections[table.link], name), section, value, size)

    def relocations(self) -> Iterator[_Relocation]:
        """All places that have to be changed, in sections that are kept."""
        for section in self.sections:
            if section.kind == RELOCATIONS:
                for place, info, addend in struct.iter_unpack("<QQq", self.content(section)):
                    yield _Relocation(section.info, place, info & 0xFFFFFFFF, info >> 32, addend)


class _Linker:
    """Lays out one object and resolves its references."""

    def __init__(self, data: bytes) -> None:
        self.object = _Object(data)
        self.memory = bytearray()
        self.starts: dict[int, int] = {}  # of sections, by number
        self.words: list[int] = []
        kept = {
            number: section
            for number, section in enumerate(self.object.sections)
            if section.flags & ALLOCATED and self.object.text(self.object.names, section.name) != UNWIND
        }
        self._place(kept, writable=False)
        self.relocations = [each for each in self.object.relocations() if each.section in kept]
        used = {each.symbol for each in self.relocations}
        outside = [number for number in sorted(used) if self.object.symbols[number].section == 0]
        self.stubs = {number: len(self.memory) + STUB_BYTES * i for i, number in enumerate(outside)}
        self.memory += bytes(STUB_BYTES * len(outside))
        self._align(PAGE)
        self.writable = len(self.memory)
        inside = sorted({each.symbol for each in self.relocations if self._is_by_table(each)} - {*outside})
        self.table = {number: self.writable + WORD * i for i, number in enumerate((*outside, *inside))}
        self.memory += bytes(WORD * len(self.table))
        self._place(kept, writable=True)
        self.common = {number: self._common(number) for number in used if self.object.symbols[number].section == COMMON}
        for number in inside:
            self._store_address(self.table[number], self._address(number))
        for number, stub in self.stubs.items():
            struct.pack_into("<2si", self.memory, stub, JUMP, self.table[number] - stub - 6)
        for relocation in self.relocations:
            self._resolve(relocation)
        self.imports = [self.object.symbols[number].name for number in outside]

    def _is_by_table(self, relocation: _Relocation) -> bool:
        return relocation.kind in (TABLE, TABLE_X, TABLE_REX)

    def _align(self, size: int) -> None:
        self.memory += bytes(-len(self.memory) % max(1, size))

    def _place(self, kept: dict[int, _Section], writable: bool) -> None:
        for number, section in kept.items():
            if bool(section.flags & WRITTEN) == writable:
                self._align(section.alignment)
                self.starts[number] = len(self.memory)
                self.memory += self.object.content(section)

    def _common(self, number: int) -> int:
        symbol = self.object.symbols[number]
        self._align(symbol.value)  # which is the alignment of a variable without a place
        self.memory += bytes(symbol.size)
        return len(self.memory) - symbol.size

    def _address(self, number: int) -> int:
        """The place of a symbol that is defined here."""
        symbol = self.object.symbols[number]
        if symbol.section == COMMON:
            return self.common[number]
        if symbol.section not in self.starts:
            raise LinkError(f"the machine code needs {symbol.name or 'a section'}, which has no place")
        return self.starts[symbol.section] + symbol.value

    def _store_address(self, place: int, address: int) -> None:
        """A word that holds an address, to which the loader adds where the code lies."""
        struct.pack_into("<Q", self.memory, place, address)
        self.words.append(place)

    def _resolve(self, relocation: _Relocation) -> None:
        place, number = self.starts[relocation.section] + relocation.place, relocation.symbol
        if relocation.kind == ABSOLUTE:
            self._store_address(place, self.stubs.get(number) or self._address(number) + relocation.addend)
        elif relocation.kind in (RELATIVE, CALL):
            target = self.stubs[number] if number in self.stubs else self._address(number)
            struct.pack_into("<i", self.memory, place, target + relocation.addend - place)
        elif self._is_by_table(relocation):
            struct.pack_into("<i", self.memory, place, self.table[number] + relocation.addend - place)
        else:
            name = self.object.symbols[number].name
            raise LinkError(f"the machine code refers to {name} in a way that is not known here ({relocation.kind})")


def link(data: bytes) -> LinkedCode:
    """Link an object file with position-independent code; LinkError if that is not possible."""
    linker = _Linker(data)
    exports = {
        symbol.name: linker.starts[symbol.section] + symbol.value
        for symbol in linker.object.symbols
        if symbol.name and symbol.section in linker.starts
    }
    tables = [
        (linker.starts[symbol.section] + symbol.value, symbol.size)
        for symbol in linker.object.symbols
        if symbol.size >= LARGE and not linker.object.sections[symbol.section].flags & (WRITTEN | RUN)
    ]
    return LinkedCode(bytes(linker.memory), linker.writable, linker.words, linker.imports, exports, tables)
