"""The pages are true: sessions run, commands and options exist, quoted sources and exchanges are of the program."""

import ast
import doctest
import importlib.util
import re
import shlex
import sys
from pathlib import Path

import click
import pytest
import typer

import podium
from podium.cli.app import COMMANDS, GROUPS, app
from podium.kernel.notices import QUIET
from tests.exchange import BLOCKS, GAMES, page_of, pattern

ROOT = Path(__file__).parents[1]
GENERATED = {ROOT / "docs" / "reference" / name for name in ("commands.md", "bots.md", "options.md")}  # by `make docs`
PAGES = [*sorted(ROOT.glob("*.md")), *sorted({*(ROOT / "docs").rglob("*.md")} - GENERATED)]
SESSIONS = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"<!-- from (\S+): (.*?) -->\n```python\n(.*?)```\n", re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
LINK = re.compile(r"\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)")


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("page", SESSIONS, ids=name_of)
def test_sessions_run_as_shown(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    write_files(text, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        "podium.arena.tournament.run_session.jobs_of", lambda jobs: jobs or 1
    )  # workers take longer to start than to play
    test = doctest.DocTestParser().get_doctest(text, {}, name_of(page), str(page), 0)
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    assert runner.tries > 0


def test_the_reference_lists_every_public_name():
    found = re.findall(r"^\.\. (?:auto|py:)\w+:: podium\.([\w.]+)", reference(), re.MULTILINE)
    listed = set(found)
    assert len(listed) == len(found), "a name that is listed twice is a warning of the site"
    zoo = {f"zoo.{name}" for name in ("environment", "parallel", "against", "BotAgent")}
    assert {*podium.__all__, *zoo} - {"kernel"} <= listed
    assert "kernel.generic.kernel" in listed  # `podium.kernel` is a package, too


def test_the_reference_lists_every_kind_of_result():
    results = {
        hints["return"]
        for name in podium.__all__
        if (hints := getattr(getattr(podium, name), "__annotations__", {})) and "return" in hints
    }
    names = {part for result in results for part in re.findall(r"[A-Z]\w*", str(result))} - {
        "Game",
        "Run",
        "Pin",
        "Report",
    }
    assert len(names) > 8
    for name in names:
        assert f".{name}\n" in reference()


def reference():
    return (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")


def write_files(text, folder):
    """Write the blocks of a page that begin with the name of a file."""
    for language, block in FENCED.findall(text):
        if language == "python" and (found := FILE.match(block)):
            (folder / found[1]).write_text(block)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("bot", ["mybot.py", "simple.py:bot", "uct.py"])
def test_bots_of_the_page_play(bot, tmp_path, monkeypatch):
    write_files((ROOT / "docs" / "write_a_bot.md").read_text(encoding="utf-8"), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(QUIET, "1")  # the first time its kernels are compiled, which it would say
    game = podium.play("zuniq", f"py:{bot}", "random", nodes=20)
    assert game.turns[0].verdict == "answered"
    assert game.turns[0].stderr == ""
    assert bot != "uct.py" or game.ending == "normal"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_blocks_are_python(page):
    for language, block in FENCED.findall(page.read_text(encoding="utf-8")):
        if language == "python" and ">>>" not in block:
            ast.parse(block)


def commands(page):
    """The lines of a page's blocks that call podium."""
    for language, block in FENCED.findall(page.read_text(encoding="utf-8")):
        if language in ("", "sh", "bash", "console"):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("podium "):
                    yield shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=name_of)
def test_commands_and_options_exist(page):
    root = typer.main.get_command(app)
    for words in commands(page):
        command, context = root, click.Context(root)
        while isinstance(command, click.Group):
            name, command, words = command.resolve_command(context, words)
            context = click.Context(command, info_name=name)
        try:
            command.make_parser(context).parse_args([word for word in words if word != "..."])
        except click.UsageError as error:
            pytest.fail(f"podium {name} {' '.join(words)}: {error.format_message()}")


def anchors(page):
    """What links to the headings of a page end with, on GitHub and on the site."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line) for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for target, anchor in [*LINK.findall(text), *((picture, "") for picture in re.findall(r'src="([^"]+)"', text))]:
        path = page.parent / target if target else page
        if path.resolve() in GENERATED:
            continue
        assert path.exists(), f"{name_of(page)} links to {target}"
        assert not anchor or anchor in anchors(path), f"{name_of(page)} links to {target}#{anchor}"


def test_every_page_is_in_the_navigation_and_every_game_has_one():
    docs = ROOT / "docs"
    listed = {docs / "index.md", docs / "contributing.md", docs / "changelog.md"}
    for page in docs.rglob("*.md"):
        for block in re.findall(r"```{toctree}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            lines = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {page.parent / f"{line.rpartition('<')[2].rstrip('>')}.md" for line in lines}
    assert {*docs.rglob("*.md")} - GENERATED == listed - GENERATED
    for game in GAMES:
        headings = re.findall(r"^## (.*)$", page_of(game).read_text(encoding="utf-8"), re.MULTILINE)
        parts = ["Rules", "Protocol", "Verified against", "Bots", "Measured"]
        assert [heading for heading in headings if heading in parts] == parts, game


def test_the_reference_is_generated_from_the_program():
    """What `make docs` asks of the program can be had; the rest of the site is built there."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "site" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    described = [*generate.commands()]
    for command in (*COMMANDS, *GROUPS):
        assert any(f"### podium {command}\n" in part for part in described), command
    assert "| `nodes` | 0 |" in "\n".join(generate.options())


def test_the_reference_has_every_public_name():
    listed = re.findall(
        r"^\.\. auto\w+:: podium\.(\w+)$", (ROOT / "docs/reference/python.md").read_text(), re.MULTILINE
    )
    assert sorted(listed) == sorted({*podium.__all__} - {"games", "kernel"})  # packages that can be called


def source_of(path, start):
    """The top-level statement of a source whose first line begins so, with its decorators."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        if lines[first - 1].startswith(start):
            return "\n".join(lines[first - 1 : node.end_lineno]) + "\n"
    raise AssertionError(f"{path} has nothing that begins with {start!r}")


@pytest.mark.parametrize("page", [page for page in PAGES if QUOTED.search(page.read_text())], ids=name_of)
def test_quoted_sources_are_those_of_the_program(page):
    for path, start, block in QUOTED.findall(page.read_text(encoding="utf-8")):
        assert block == source_of(path, start), f"{path}: {start}; `python -m tests.test_docs` writes it anew"


@pytest.mark.parametrize(
    "kind,game", [*(("protocol", game) for game in GAMES), ("exchange", "zuniq"), ("exchange", "code4life")]
)
def test_protocols_and_exchanges_come_from_the_program(kind, game):
    found = pattern(kind, game).search(page_of(game).read_text(encoding="utf-8"))
    assert found, f"{kind} {game}"
    shown = found[0].removeprefix(found[1]).removesuffix(found[2])
    assert shown == BLOCKS[kind](game), "`python -m tests.exchange` writes it anew"


def main():
    """Write the quoted sources anew."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = QUOTED.sub(
            lambda found: f"<!-- from {found[1]}: {found[2]} -->\n```python\n{source_of(found[1], found[2])}```\n", text
        )
        if new != text:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())


SOURCE_PATH = re.compile(r"`((?:[\w<>]+/)+[\w<>]+\.(?:py|js|html|toml|json|jsonl|md))(?::\w+)?`")
PLACES = (ROOT, ROOT / "src", ROOT / "src/podium", ROOT / "tests", ROOT / "tests/arena", ROOT / "examples/connect_four")


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md", *PAGES], ids=name_of)
def test_files_that_a_page_names_exist(page):
    named = set(SOURCE_PATH.findall(page.read_text(encoding="utf-8")))
    homes = (*PLACES, *(ROOT / "src/podium").iterdir(), *(ROOT / "src/podium/games").iterdir())
    missing = [name for name in named if "<" not in name and not any((home / name).exists() for home in homes)]
    assert missing == []
