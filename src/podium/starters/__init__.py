"""Beginnings for authors: a bot in one of five languages, and a game as a package of its own.

A game keeps its starters in the folder `starters` beside its rules: `protocol.txt`, which tells the lines that a bot
reads and writes, and `bot.<suffix>`, a small program in each language. What is written for an author is that program,
with a head of comments (how to build it, how to play a match with it, the protocol) and, where reading lines is no
matter of a line or two, the language's own `skeleton.<suffix>` below.

The game to begin with lies in the folder `game` here: a package called `newgame` that works as it is. A new game is a
copy of it under another name.
"""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from podium.errors import PodiumError, unknown
from podium.games import folder_of, names

FOLDER = "starters"
PROTOCOL = "protocol.txt"
GAME = "newgame"  # the name of the game that new ones are copies of
TEMPLATE = Path(__file__).parent / "game"


@dataclass(frozen=True)
class Language:
    """A language that a bot can be begun in. In its commands {stem} is the name of the program without its suffix."""

    name: str
    suffix: str
    comment: str  # what begins a line of comment
    build: str  # the command that builds it, or "" where nothing is built
    run: str  # the command that starts it


LANGUAGES = {
    language.name: language
    for language in (
        Language("python", "py", "#", "", "python3 {stem}.py"),
        Language("cpp", "cpp", "//", "g++ -O2 -std=c++17 -o {stem} {stem}.cpp", "./{stem}"),
        Language("rust", "rs", "//", "rustc -O -o {stem} {stem}.rs", "./{stem}"),
        Language("java", "java", "//", "javac -d {stem} {stem}.java", "java -cp {stem} Player"),
        Language("javascript", "js", "//", "", "node {stem}.js"),
    )
}


@dataclass(frozen=True)
class Starter:
    """A program that was written for an author, and how to go on from there."""

    path: Path
    build: str  # the command that builds it in its folder, or ""
    match: str  # the command that plays with it there


def languages_of(game: str) -> list[str]:
    """The languages that a game has a starter in."""
    folder = folder_of(game) / FOLDER
    return [name for name, language in LANGUAGES.items() if (folder / f"bot.{language.suffix}").is_file()]


def new_bot(game: str, language: str = "python", folder: Path | str = ".") -> Starter:
    """Write a small bot that plays legal moves into a folder; a file that is there already is never overwritten."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    if language not in languages_of(game):
        known = ", ".join(languages_of(game)) or "none at all"
        raise PodiumError(f"{game} has no starter in {language}; it has {known}")
    chosen, source = LANGUAGES[language], folder_of(game) / FOLDER
    stem = f"{game}_bot"
    build = chosen.build.format(stem=stem)
    match = f'podium match {game} random "cmd:{chosen.run.format(stem=stem)}" --games 20'
    head = [f"A beginning for {game}, written by `podium new bot`. Change it as you like.", ""]
    head += [f"Build: {build}"] * bool(build) + [f"Match: {match}", "", "The protocol", ""]
    head += (source / PROTOCOL).read_text(encoding="utf-8").splitlines()
    comments = "\n".join(f"{chosen.comment} {line}".rstrip() for line in head)
    program = (source / f"bot.{chosen.suffix}").read_text(encoding="utf-8")
    skeleton = Path(__file__).parent / f"skeleton.{chosen.suffix}"
    if skeleton.is_file():
        program += f"\n{skeleton.read_text(encoding='utf-8')}"
    path = Path(folder) / f"{stem}.{chosen.suffix}"
    _write(path, f"{comments}\n\n{program}")
    return Starter(path, build, match)


def new_game(name: str, folder: Path | str = ".") -> Path:
    """Write a package with a small playable game of that name into a folder; returns the package's own folder."""
    if not name.isidentifier() or not name.islower() or iskeyword(name):
        raise PodiumError(f"a game's name is a word of small letters, digits and underscores, not {name!r}")
    if name in names() or name in sys.stdlib_module_names or find_spec(name) is not None:
        raise PodiumError(f"the name {name} is taken: by a game, or by something else that can be imported")
    target = Path(folder) / name
    if target.exists():
        raise PodiumError(f"{target} is there already; it is not overwritten")
    title = name.replace("_", " ").title()
    words = {GAME: name, GAME.capitalize() + "Referee": title.replace(" ", "") + "Referee", GAME.capitalize(): title}
    for source in sorted(path for path in TEMPLATE.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        text, place = source.read_text(encoding="utf-8"), str(source.relative_to(TEMPLATE))
        for old, new in words.items():
            text = text.replace(old, new)
        _write(target / place.replace(GAME, name), text)
    return target


def _write(path: Path, text: str) -> None:
    """Write a new file, with the folders that it needs."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise PodiumError(f"{path} is there already; it is not overwritten") from None
    except OSError as error:
        raise PodiumError(f"cannot write {path}: {error.strerror}") from None
