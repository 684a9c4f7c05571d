"""A bot whose parameters can be changed by name, and its variants.

A bot of a game has its parameters with their types and bounds. A program has those that its command names in braces:
`cmd:./mybot --width {width=20}`; behind the equals sign stands the baseline value, which also decides the type: on or
off, a whole number, a number, a word. Every variant is a bot like any other, named by a text that a user can paste.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from podium.arena.entrants.bot_names import COMMAND, PYTHON, given_name
from podium.arena.store.store import StoredBot
from podium.errors import PodiumError
from podium.games.game import Game
from podium.model.params import FALSE_WORDS, TRUE_WORDS, Parameter, Value, find

_BRACES = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")
_WHOLE = re.compile(r"[+-]?\d+")


class TunableBot:
    """A baseline bot, and its variants."""

    def __init__(self, game: Game, spec: str) -> None:
        """Read a text that names a bot; PodiumError if it has no parameters."""
        self.game = game
        _, self.text = given_name(spec.strip())
        if self.text.startswith(PYTHON):
            raise PodiumError(
                f"{self.text} has no parameters by name; start it as a program that takes them on its command line: "
                f"'{COMMAND}python3 mybot.py --width {{width=20}}'"
            )
        self.is_program = self.text.startswith(COMMAND)
        self.parameters: dict[str, Parameter] = {}
        self.base: dict[str, Value | None] = {}  # of the baseline bot; None where a program's command does not state it
        if self.is_program:
            values = _values_in(self.text)
            self.parameters = {name: parameter_like(name, value) for name, value in values.items()}
            self.base = {name: self.parameters[name].default if value else None for name, value in values.items()}
        else:
            kind, changes = game.named(self.text)
            self.kind = kind.name
            self.parameters = dict(kind.param_spec.parameters)
            self.base = {name: changes.get(name, each.default) for name, each in self.parameters.items()}
        if not self.parameters:
            raise PodiumError(f"{self.text} has no parameters; name those of a program in braces: --width {{width=20}}")

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name or alias."""
        return find(f"parameter of {self.text}", self.parameters.values(), name)

    def variant(self, changes: Mapping[str, Value]) -> str:
        """The text that names the bot with some of its parameters changed."""
        values = {name: changes.get(name, value) for name, value in self.base.items()}
        if self.is_program:
            return _BRACES.sub(lambda found: written(_known(found[1], values[found[1]])), self.text)
        different = [
            f"{name}={written(_known(name, value))}"
            for name, value in values.items()
            if name in changes or value != self.parameters[name].default
        ]
        return f"{self.kind}:{','.join(different)}" if different else self.kind

    def is_same(self, one: str, other: str) -> bool:
        """Whether two texts name the same variant, also if a parameter had another name when one was stored."""
        if one == other or self.is_program:
            return one == other
        try:
            return self.game.named(one) == self.game.named(other)
        except PodiumError:  # a parameter that is no more
            return False

    def values_of(self, bot: StoredBot) -> dict[str, Value] | None:
        """All parameters of a stored variant, read from its name; None if it is not a variant of this bot."""
        _, text = given_name(bot.name)
        if self.is_program:
            found = self._pattern().fullmatch(text)
            if found is None:
                return None
            return {
                name: each.read(value)
                for (name, each), value in zip(self.parameters.items(), found.groups(), strict=True)
            }
        try:
            kind, changes = self.game.named(text)
        except PodiumError:
            return None
        return {name: changes.get(name, each.default) for name, each in kind.param_spec.parameters.items()}

    def _pattern(self) -> re.Pattern[str]:
        """A pattern for the texts of a program's variants: a group for each parameter, in their order."""
        parts, end = [], 0
        groups: dict[str, int] = {}
        for found in _BRACES.finditer(self.text):
            parts.append(re.escape(self.text[end : found.start()]))
            parts.append(rf"(?:\{groups[found[1]]})" if found[1] in groups else "(.*?)")
            groups.setdefault(found[1], len(groups) + 1)
            end = found.end()
        return re.compile("".join([*parts, re.escape(self.text[end:])]))


def _values_in(text: str) -> dict[str, str]:
    """The baseline values that a command states, by parameter; "" where it states none."""
    if any(one.end() == other.start() for one, other in pairwise(_BRACES.finditer(text))):
        raise PodiumError(f"two parameters of {text} have nothing between them, so their values cannot be separated")
    values: dict[str, str] = {}
    for name, value in _BRACES.findall(text):
        if value and values.get(name, value) not in ("", value):
            raise PodiumError(
                f"{name} has two baseline values, {values[name]} and {value}: write the same in all braces"
            )
        values[name] = value or values.get(name, "")
    return values


def parameter_like(name: str, value: str) -> Parameter:
    """A parameter of a program, of the type that a value looks like."""
    word = value.strip().lower()
    if word in (TRUE_WORDS | FALSE_WORDS) - {"0", "1"}:
        return Parameter(name, word in TRUE_WORDS, "a switch of a program")
    if _WHOLE.fullmatch(word):
        return Parameter(name, int(word), "a whole number of a program")
    try:
        return Parameter(name, float(word), "a number of a program")
    except ValueError:
        return Parameter(name, value.strip(), "a word of a program")


def written(value: Value) -> str:
    """A value as it stands in the text that names a bot."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _known(name: str, value: Value | None) -> Value:
    if value is None:
        raise PodiumError(f"{name} has no baseline value: write it in its braces, {{{name}=20}}")
    return value
