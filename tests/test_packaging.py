"""What is published says the same everywhere: version, Pythons, libraries, files for people and for programs."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import podium
from tools import versions

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere():
    assert PROJECT["version"] == podium.__version__
    assert f"\nversion: {podium.__version__}\n" in text_of("CITATION.cff")
    assert f"\n## {podium.__version__}" in text_of("CHANGELOG.md")


def test_the_changelog_keeps_its_form():
    text = text_of("CHANGELOG.md")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE)[0] == "Unreleased"
    assert {*re.findall(r"^### (.*)$", text, re.MULTILINE)} <= {
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
        "Fixed",
        "Security",
    }
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert len(kinds) == len({*kinds}), f"{release.splitlines()[0]} has a heading twice"


def test_the_workflow_tries_every_python_with_old_and_new_libraries():
    workflow = text_of(".github/workflows/ci.yml")
    assert f"python: {json.dumps(versions.PYTHONS)}" in workflow
    pythons = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if line.startswith("Programming Language")]
    assert pythons == [*versions.PYTHONS]
    assert f"libraries: [{', '.join(versions.SETS)}]" in workflow
    targets = {*re.findall(r"^(\w+):", text_of("Makefile"), re.MULTILINE)}
    for line in re.findall(r"run: make (.*)$", workflow, re.MULTILINE):
        assert {*shlex.split(line)} <= targets
    for folder in re.findall(r"tests/\w+", workflow):
        assert (ROOT / folder).is_dir(), folder


def test_the_oldest_libraries_are_the_lower_bounds():
    pinned = dict(pin.removesuffix(".*").split("==") for pin in versions.OLDEST[versions.PYTHONS[0]])
    for requirement in PROJECT["dependencies"]:
        name, bound = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()
        assert pinned[name] in (bound, f"{bound}.0"), requirement


def test_llms_txt_leads_to_pages_that_exist():
    for target in re.findall(r"\]\(([^)]+)\)", text_of("llms.txt")):
        assert (ROOT / target).exists(), target


def test_the_container_copies_what_there_is():
    for line in re.findall(r"^COPY (.*)$", text_of("Containerfile"), re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
