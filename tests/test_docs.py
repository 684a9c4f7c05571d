"""The pages are true: sessions run, commands and options exist, quoted sources and exchanges are of the program."""

import ast
import doctest
import re
import shlex
import sys
from pathlib import Path

import click
import pytest
import typer

import podium
from podium.cli.app import app
from tests.exchange import PAGE, blocks, pattern

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SESSIONS = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"<!-- from (\S+): (.*?) -->\n```python\n(.*?)```\n", re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


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
    monkeypatch.setattr("podium.arena.session.default_jobs", lambda: 1)  # workers take longer to start than to play
    test = doctest.DocTestParser().get_doctest(text, {}, name_of(page), str(page), 0)
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    assert runner.tries > 0


def write_files(text, folder):
    """Write the blocks of a page that begin with the name of a file."""
    for language, block in FENCED.findall(text):
        if language == "python" and (found := FILE.match(block)):
            (folder / found[1]).write_text(block)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("bot", ["mybot.py", "simple.py:bot", "uct.py"])
def test_bots_of_the_page_play(bot, tmp_path, monkeypatch):
    write_files(PAGE.read_text(encoding="utf-8"), tmp_path)
    monkeypatch.chdir(tmp_path)
    game = podium.play("zuniq", f"py:{bot}", "random", nodes=20)
    assert game.turns[0].verdict == "answered"
    assert game.turns[0].stderr == ""
    assert bot != "uct.py" or game.ending == "finished"


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


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "screenshots/" in target:  # made by docs/pictures/screenshots.py
            continue
        assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


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
    "mark", [f"{kind} {game}" for kind in ("protocol", "exchange") for game in ("zuniq", "code4life")]
)
def test_protocols_and_exchanges_come_from_the_program(mark):
    found = pattern(mark).search(PAGE.read_text(encoding="utf-8"))
    assert found, mark
    shown = found[0].removeprefix(found[1]).removesuffix(found[2])
    assert shown == blocks()[mark], "`python -m tests.exchange` writes it anew"


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
