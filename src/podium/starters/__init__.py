"""Starters for authors: a bot in one of nine languages (here), and a game (`podium.starters.new_game`).

A game keeps its starters in its folder `starters`: `protocol.txt`, which describes the lines that a bot reads and
writes, and `bot.<suffix>`, a small program in each language. `new_bot` writes that program with a head of comments (how
to build it, how to play a match with it, the protocol) and, where reading lines takes more than a line or two, the
language's `skeleton.<suffix>` at its end. JavaScript and TypeScript share one program, with its types in comments.
Games that are made of their rules have the same text, and share the starters in the folder `any_game`.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from podium.errors import PodiumError, unknown
from podium.files import writing
from podium.games import folder_of, load

FOLDER = "starters"
PROTOCOL = "protocol.txt"
TYPE_COMMENT = re.compile(r"(?m)^/\*:.*\*/\n|/\*:.*?\*/")  # Flow's: `/*: type*/` and `/*::code*/`


@dataclass(frozen=True)
class Language:
    """A language with starters. In its commands {path} is the program's path without the suffix."""

    name: str
    suffix: str
    comment: str  # what begins a line of comment
    build: str  # the command that builds it, or "" where nothing is built
    run: str  # the command that starts it
    aliases: tuple[str, ...] = ()
    source: str = ""  # the suffix of its files in the folders of games, where it is another one


LANGUAGES = {
    language.name: language
    for language in (
        Language("python", "py", "#", "", "python3 {path}.py", ("py", "python3")),
        Language("cpp", "cpp", "//", "g++ -O2 -std=c++17 -o {path} {path}.cpp", "{path}", ("c++", "cxx")),
        Language("rust", "rs", "//", "rustc -O -o {path} {path}.rs", "{path}", ("rs",)),
        Language("java", "java", "//", "javac -d {path} {path}.java", "java -cp {path} Player"),
        Language("javascript", "js", "//", "", "node {path}.js", ("js", "node")),
        Language(
            "typescript",
            "ts",
            "//",
            "tsc --target es2022 --outDir {path} {path}.ts",
            "node {path}/{stem}.js",
            ("ts",),
            "js",
        ),
        Language("csharp", "cs", "//", "mcs -optimize -out:{path}.exe {path}.cs", "mono {path}.exe", ("cs", "c#")),
        Language("go", "go", "//", "go build -o {path} {path}.go", "{path}", ("golang",)),
        Language(
            "kotlin", "kt", "//", "kotlinc {path}.kt -include-runtime -d {path}.jar", "java -jar {path}.jar", ("kt",)
        ),
    )
}


@dataclass(frozen=True)
class Starter:
    """A program that was written for an author, and the next commands, as typed in the current folder."""

    path: Path
    build: str  # the command that builds it, or ""
    match: str  # the command that plays with it


def language_of(name: str) -> Language:
    """The language of that name, or of one of its other names."""
    aliases = {alias: language for language in LANGUAGES.values() for alias in (language.name, *language.aliases)}
    if name.lower() not in aliases:
        raise unknown("language", name, aliases)
    return aliases[name.lower()]


def languages_of(game: str) -> list[str]:
    """The languages that a game has a starter in."""
    folder = _folder(game)
    return [name for name, language in LANGUAGES.items() if (folder / f"bot.{_source(language)}").is_file()]


def new_bot(game: str, language: str = "python", folder: Path | str = ".") -> Starter:
    """Write a small bot that plays legal moves into a folder; a file that is there already is never overwritten."""
    chosen, source = language_of(language), _folder(game)
    if chosen.name not in languages_of(game):
        known = ", ".join(languages_of(game)) or "none at all"
        raise PodiumError(f"{game} has no starter in {chosen.name}; it has {known}")
    path = Path(folder) / f"{Path(game).stem}_bot.{chosen.suffix}"
    build, match = _commands(chosen, game, Path(path.name))
    head = [f"A starter bot for {game}, written by `podium new bot`. Change it as you like.", ""]
    head += [f"Build: {build}"] * bool(build) + [f"Match: {match}", "", "The protocol", ""]
    head += (source / PROTOCOL).read_text(encoding="utf-8").splitlines()
    comments = "\n".join(f"{chosen.comment} {line}".rstrip() for line in head)
    write_new(path, f"{comments}\n\n{_program(chosen, source)}")
    return Starter(path, *_commands(chosen, game, path))


def _folder(game: str) -> Path:
    """The folder of a game's starters. One made of its rules (`podium.games.rules_game`) has those of any such game."""
    from podium.games.rules_game import prompts  # with all searches

    own = folder_of(game) / FOLDER
    return own if own.is_dir() or load(game).contest.prompts is not prompts else Path(__file__).parent / "any_game"


def _source(language: Language) -> str:
    return language.source or language.suffix


def _program(language: Language, source: Path) -> str:
    """The game's program in a language, with what reads its lines there."""
    program = (source / f"bot.{_source(language)}").read_text(encoding="utf-8")
    skeleton = Path(__file__).parent / f"skeleton.{_source(language)}"
    if skeleton.is_file():
        program += f"\n{skeleton.read_text(encoding='utf-8')}"
    return TYPE_COMMENT.sub(_uncommented if language.name == "typescript" else "", program)


def _uncommented(found: re.Match[str]) -> str:
    """The code in a comment of types."""
    return found[0].replace("/*::", "").replace("/*:", ":").replace("*/", "")


def _commands(language: Language, game: str, path: Path) -> tuple[str, str]:
    """The commands that build a program and play a match with it, typed where its path leads to it."""
    place = str(path.with_suffix(""))
    if not place.startswith(("/", ".")):
        place = f"./{place}"  # a program that is not searched for among the system's
    words = {"path": quote(place), "stem": path.stem}
    return language.build.format(
        **words
    ), f'podium match {quote(game)} random "cmd:{language.run.format(**words)}" --games 20'


def write_new(path: Path, text: str) -> None:
    """Write a new file, with the folders that it needs; nothing is left of it if the disk is full."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            raise PodiumError(f"{path} is there already; it is not overwritten") from None
        try:
            with file:
                file.write(text)
        except OSError:
            path.unlink()
            raise
