"""The help of commands: commands and options in groups, in 80 columns and without colour, on any terminal.

The library of the command line has help of its own, but in a narrow terminal it leaves half of the room to names and
types. Only what every version of it offers is used here: names, help texts, defaults and choices of parameters.
"""

import textwrap
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup

from podium.cli.console import console
from podium.cli.usage_errors import UsageError, usage_error
from podium.errors import unknown

WIDEST_TERM = 22  # characters; longer ones have a line of their own
WIDEST = 100  # characters of a line, however wide the terminal is
ARGUMENTS, OPTIONS, COMMANDS, OUTPUT = "Arguments", "Options", "Commands", "Output"
PLACEHOLDERS = {int: "N", float: "X", Path: "FILE"}  # for options without a metavar, by the type of the default


def shown_help(command: Any, ctx: Any) -> str:
    """The help of a command or a group of commands."""
    sections = (_section(title, rows) for title, rows in help_sections(command, ctx).items())
    return "\n\n".join([f"Usage: {usage(command, ctx)}", *_paragraphs(command.help or ""), *sections])


def help_sections(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """Arguments, options and commands by the titles of their groups: what is written, and what it means."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for each in command.get_params(ctx):
        if not getattr(each, "hidden", False):
            panel = getattr(each, "rich_help_panel", None)
            if each.param_type_name == "argument":
                sections.setdefault(ARGUMENTS, []).append((_argument(each), each.help or ""))
            else:
                panel = panel or (OUTPUT if "--help" in each.opts else OPTIONS)
                sections.setdefault(panel, []).append((_term(each), _text(each)))
    for name, each in _commands(command, ctx).items():
        panel = getattr(each, "rich_help_panel", None)
        section = sections.setdefault(panel if isinstance(panel, str) else COMMANDS, [])
        section.append((name, first_sentence(each.help or "")))
    order = sorted(sections, key=lambda title: (title != ARGUMENTS, title != OPTIONS, title == OUTPUT))
    return {title: sections[title] for title in order}


def _commands(command: Any, ctx: Any) -> dict[str, Any]:
    """The commands that a help lists: those of a group, or those beside the one that needs no name."""
    if isinstance(command, TyperGroup):
        return dict(command.commands)
    return command.others(ctx) if hasattr(command, "others") else {}


def usage(command: Any, ctx: Any) -> str:
    """How a command is written, in one line."""
    words = [ctx.command_path.strip(), "[OPTIONS]"]
    for each in command.get_params(ctx):
        if each.param_type_name == "argument":
            name = _argument(each) + ("..." if each.nargs == -1 else "")
            words.append(name if each.required else f"[{name}]")
    return " ".join([*words, *(["COMMAND ..."] if isinstance(command, TyperGroup) else [])])


def _argument(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def first_sentence(text: str) -> str:
    """What a list of commands says of one: its first sentence, up to a colon or a semicolon."""
    line = text.strip().split("\n")[0]
    for end in (": ", "; ", ". "):
        line = line.partition(end)[0]
    return line.removesuffix(".")


def _width() -> int:
    return min(console.width, WIDEST)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield textwrap.fill(paragraph.replace("\n", " "), _width(), break_on_hyphens=False, break_long_words=False)


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    indent = 4 + min(WIDEST_TERM, max(len(term) for term, _ in rows))
    lines = [f"{title}:"]
    for term, text in rows:
        wrapped = textwrap.wrap(text, max(20, _width() - indent), break_on_hyphens=False, break_long_words=False)
        head = f"  {term}"
        if len(head) + 2 > indent:
            lines.append(head)
            head = ""
        lines += [head.ljust(indent) + (wrapped[0] if wrapped else "")]
        lines += [" " * indent + line for line in wrapped[1:]]
    return "\n".join(line.rstrip() for line in lines)


def _term(option: Any) -> str:
    names = ", ".join([*sorted(option.opts, key=len), *option.secondary_opts])
    if option.is_flag:
        return names.replace(", --no-", "/--no-")
    return f"{names} {_placeholder(option)}"


def _placeholder(option: Any) -> str:
    if option.metavar:
        return str(option.metavar)
    if isinstance(option.default, Enum):
        return "|".join(str(each.value) for each in type(option.default))
    return next((word for kind, word in PLACEHOLDERS.items() if isinstance(option.default, kind)), "TEXT")


def _text(option: Any) -> str:
    """The help of an option with its default, unless that stands for something that the help explains."""
    text, default = option.help or "", option.default
    if (
        default is None
        or default is False
        or callable(default)
        or default in ("", (), [], {})
        or not option.show_default
    ):
        return text
    if isinstance(default, int | float) and (f"{default:g}:" in text or "efault" in text):
        return text
    return f"{text} [default: {_default(option, default)}]"


def _default(option: Any, default: Any) -> str:
    if option.is_flag:
        return "on" if default else "off"
    if isinstance(default, Enum):
        return str(default.value)
    if isinstance(default, tuple | list):
        return " ".join(f"{each:g}" if isinstance(each, float) else str(each) for each in default)
    return f"{default:g}" if isinstance(default, float) else str(default)


class Helpful:
    """A command, or a group of them, with the help of this module and errors of one sentence."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the usage line of this module."""
        formatter.write(f"Usage: {usage(self, ctx)}\n")

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of this module."""
        formatter.write(shown_help(self, ctx) + "\n")

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read options and arguments; a PodiumError for wrong ones. Where none is not enough, help is asked for."""
        command: Any = self
        base: Any = super()
        if not args and command.no_args_is_help and not ctx.resilient_parsing:
            args = ["--help"]
        try:
            return base.parse_args(ctx, args)
        except UsageError as error:
            options = [name for each in command.get_params(ctx) for name in each.opts]
            raise usage_error(error, options, usage(command, ctx)) from None


class HelpfulCommand(Helpful, TyperCommand):
    """A command with this help."""


class HelpfulGroup(Helpful, TyperGroup):
    """A group of commands with this help."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first word names; an UnknownNameError if there is none."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            owner = ctx.command_path.partition(" ")[2]
            raise unknown(f"command of podium {owner}" if owner else "command", args[0], self.commands)
        return super().resolve_command(ctx, args)
