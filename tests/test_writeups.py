"""The page of the write-ups is true: parameters have the values that it says, and what it names is there."""

import re
from contextlib import suppress

import pytest

from podium.errors import PodiumError
from podium.games import folder_of, load
from podium.lab.claims.claims import claims_of
from tests.test_docs import ROOT

GAMES = ("code4life", "code_of_kutulu", "fall_challenge_2020", "wondev_woman", "zuniq")
PAGE = (ROOT / "docs" / "writeups.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")
COLUMNS = 3


def quoted(game):
    """What a game's section has between backticks, in the column that says where things are and the next one."""
    return [code for row in rows(game) for cell in row[1:] for code in CODE.findall(cell)]


def rows(game):
    """The rows of a game's table."""
    section = PAGE.partition(f"\n## {load(game).title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


@pytest.mark.parametrize("game", GAMES)
def test_each_row_is_what_an_author_says_where_it_is_and_what_differs(game):
    found = rows(game)
    assert len(found) > 30
    assert {len(row) for row in found} == {COLUMNS}
    assert all(row[0] and (row[1] or row[2]) for row in found)


@pytest.mark.parametrize("game", GAMES)
def test_parameters_of_the_writeup_bots_are_as_the_page_says(game):
    found = load(game)
    kind, _ = found.named("writeup")
    said = [code for code in quoted(game) if re.fullmatch(r"\w+=\S+", code)]
    assert len(said) >= 14
    wrong = [
        code for code in said if kind.param_spec.params(found.named(f"writeup:{code}")[1]) != kind.param_spec.params()
    ]
    assert not wrong


SAID = re.compile(r"\(write-up: ([^)]+?)(?:[,;] [^)]*)?\)$")  # at the end of a help text; a reason may follow
OTHERWISE = {"win_delay", "top"}  # differs on purpose; was tried without a gain
LEAST_VALUES = {"wondev_woman": 4, "zuniq": 6}


@pytest.mark.parametrize("game", GAMES)
def test_help_texts_name_the_values_that_the_writeup_bots_have(game):
    """All bots of a game share these texts: what a write-up says is a value there, or words such as "not tried"."""
    kind, _ = load(game).named("writeup")
    params, values = kind.param_spec.params(), 0
    for each in kind.param_spec:
        assert not each.help.endswith("(write-up)"), each.name
        said = SAID.search(each.help)
        if said and each.name not in OTHERWISE:
            with suppress(PodiumError):  # words
                value = each.read(said[1].replace(",", ""))
                assert kind.param_spec.params({each.name: value}) == params, each.help
                values += 1
    assert values >= LEAST_VALUES.get(game, 10)


@pytest.mark.parametrize("game", GAMES)
def test_bots_studies_and_claims_that_the_page_names_exist(game):
    found = load(game)
    names = set(found.bots)
    claims = {claim.id for claim in claims_of(game)}
    benchmarks = {benchmark.name for benchmark in found.tools.benchmarks()}
    folders = (folder_of(game), ROOT / "src" / "podium" / "search")
    files = {path.name for folder in folders for path in folder.rglob("*.py")}
    for row in rows(game):
        for cell in row[1:]:
            for code in CODE.findall(cell):
                bot = code.partition(":")[0]
                if bot in names:
                    kind, changes = found.named(code)
                    kind.param_spec.params(changes)
                elif study := re.search(r"--study (\w+)", code):
                    assert study[1] in found.tools.studies, code
                elif re.fullmatch(r"\w+\.py", code):
                    assert code in files, code
            for row_name in re.findall(r"rows? `([^`]+)`", cell):
                assert row_name in benchmarks, row_name
            for claim in re.findall(r"claims? `([^`]+)`", cell):
                assert claim in claims, claim
