"""What is said of a command that was written wrong: one sentence, as of every other mistake of a user.

The library of the command line has texts of its own, which differ from version to version and fill five lines. Here
they become a `PodiumError`: what was expected, what came, and near names.
"""

import re
from collections.abc import Iterable
from typing import Any

import typer

from podium.errors import PodiumError, unknown

UsageError: Any = typer.BadParameter.__base__  # typer has classes of its own, or those of click
INVALID = re.compile(r"Invalid value for '(?P<option>.*?)'.*?: (?:Value error, )?(?P<text>.*)", re.DOTALL)
NO_CHOICE = re.compile(r"'(?P<word>.*)' is not one of (?P<choices>.*)", re.DOTALL)
NO_NUMBER = re.compile("valid (number|float|integer)")


def usage_error(error: Any, options: Iterable[str], usage: str) -> PodiumError:
    """The sentence for an error of the library, in a command with some options and a usage line."""
    text = error.format_message().removesuffix(".")
    if hasattr(error, "possibilities"):  # there is no such option
        return unknown("option", error.option_name, options)
    if found := INVALID.fullmatch(text):
        return _invalid_value(found["option"], found["text"], getattr(error.param, "nargs", 1))
    sentence = text[:1].lower() + text[1:]
    return PodiumError(sentence if hasattr(error, "option_name") else f"{sentence}; usage: {usage}")


def _invalid_value(option: str, text: str, count: int) -> PodiumError:
    """The sentence for a value that an option, which takes a number of words, does not take."""
    if found := NO_CHOICE.fullmatch(text):
        return unknown(f"value of {option}", found["word"], re.findall(r"'(.*?)'", found["choices"]))
    if NO_NUMBER.search(text):
        return PodiumError(f"{option} takes {f'{count} numbers' if count > 1 else 'a number'}")
    name = option.lstrip("-")
    return PodiumError(option + text.removeprefix(name) if text.startswith(f"{name} ") else f"{option}: {text}")
