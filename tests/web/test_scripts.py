"""The pages' modules: their size, what they may not do, and their types where Node is there."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import podium

PACKAGE = Path(podium.__file__).parent
STATIC = PACKAGE / "web" / "static"
SCRIPTS = [*STATIC.rglob("*.js"), *PACKAGE.glob("games/*/scene.js")]
LONGEST = 400
SETTINGS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "target": "es2023",
    "lib": ["es2023", "dom", "dom.iterable"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "paths": {"podium/*": [f"{STATIC}/*"]},
}


def test_there_are_scripts():
    assert len(SCRIPTS) > 15


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_short_writes_no_markup_and_fetches_nothing_from_elsewhere(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < LONGEST
    assert text.startswith("//"), "a module opens with what it is for"
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "new Function", "srcdoc"):
        assert word not in text, word
    addresses = set(re.findall(r"https?://[\w./-]+", text)) - {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xhtml",
        "http://podium",
    }
    assert addresses == set()


@pytest.mark.parametrize("path", list(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_no_page_knows_a_game(path):
    words = ("zuniq", "wondev", "kutulu", "code4life", "fall_challenge", "molecule", "sanity", "potion")
    text = path.read_text(encoding="utf-8").replace("podium match zuniq champion uct", "").lower()
    assert [word for word in words if word in text] == []


def test_types_are_right(tmp_path):
    compiler = shutil.which("tsc")
    if compiler is None:
        pytest.skip("there is no TypeScript compiler (tsc) on this machine")
    (tmp_path / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": SETTINGS, "files": [str(path) for path in SCRIPTS]})
    )
    result = subprocess.run([compiler, "-p", tmp_path], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout
