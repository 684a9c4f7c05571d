"""Groups of commands with one that needs no name: `podium league GAME` beside `podium league add`."""

from typing import Any

from podium.cli.help_text import HelpfulCommand, HelpfulGroup
from podium.errors import UnknownNameError


class DefaultCommand(HelpfulCommand):
    """The command of a group that needs no name; its help lists the others."""

    def others(self, ctx: Any) -> dict[str, Any]:
        """The commands of its group that have names."""
        group = ctx.parent.command if ctx.parent else None
        return {name: each for name, each in getattr(group, "commands", {}).items() if each is not self}


class WithDefault(HelpfulGroup):
    """A group of commands whose first one needs no name."""

    def _default(self) -> str:
        return next(iter(self.commands))

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Insert the name of the default command where none is given."""
        if args and args[0] in self.commands:
            return super().parse_args(ctx, args)
        default = self.commands[self._default()]
        takes_words = any(each.param_type_name == "argument" for each in default.params)
        if args and not args[0].startswith("-") and not takes_words:
            named = [name for name in self.commands if name != self._default()]
            raise UnknownNameError(f"unknown command {args[0]!r} of {self.name}; known: {', '.join(sorted(named))}")
        return super().parse_args(ctx, [self._default(), *args])

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command; the default has no name in its usage line."""
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == self._default() else name), command, rest
