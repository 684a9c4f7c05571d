"""No process of ours imports from the current folder, nor what lies beside a Python bot instead of Python's own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NAMES = ("random", "signal", "json", "socket", "selectors", "tempfile", "secrets", "queue", "numpy")
# What another user may have left in a shared folder: it leaves a trace, and does nothing else of use.
HOSTILE = "open(__file__ + '.imported', 'w').close()\nraise ImportError(f'{__name__} of the current folder')\n"
BOT = "import random\n\ndef bot(lines):\n    return random.choice(['A1h'])\n"

WEB = """
import sys
from pathlib import Path
from podium.web.server import pages
from tests.web.serving import client_of

with client_of(pages(Path("podium.db"), ["127.0.0.1"])) as client:
    question = {"turn": 0, "seat": 0, "bot": "random", "milliseconds": 5.0}
    answer = client.post("/api/v1/games/1/think", json=question, timeout=300)
    table = client.post("/api/v1/tables", json={"game": "zuniq", "bots": ["random", "random"], "milliseconds": 5.0})
    with client.stream("GET", f"/api/v1/tables/{table.json()['table']}/events", timeout=120) as events:
        over = any(line == "event: end" for line in events.iter_lines())
    print(answer.status_code, answer.json()["asked"], table.status_code, over)
"""


@pytest.fixture
def hostile(tmp_path):
    """A folder with modules that are called like Python's own."""
    folder = tmp_path / "shared"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(HOSTILE)
    yield folder
    assert [path.name for path in folder.glob("*.imported")] == []


def run(folder, *words, **environment):
    """Run Python in a folder, with the arguments or for those of the console script; returns its output."""
    script = folder.parent / "podium"  # as pip installs it
    script.write_text("import sys\nfrom podium.cli import main\nsys.exit(main())\n")
    first, *rest = map(str, words)
    done = subprocess.run(
        [sys.executable, str(script) if first == "podium" else first, *rest],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "NUMBA_DISABLE_JIT": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def match(*bots, jobs=1, games=2):
    return ("match", "zuniq", *bots, "--games", games, "--nodes", 1, "--jobs", jobs, "--json")


@pytest.mark.parametrize("start", [("podium",), ("-m", "podium")], ids=["console script", "python -m"])
def test_worker_processes(hostile, start):
    report = json.loads(run(hostile, *start, *match("random", "random:", jobs=2, games=4)))
    assert report["games"] == 4


def test_pages(hostile, tmp_path):
    web = tmp_path / "web.py"
    web.write_text(WEB)
    run(hostile, "podium", *match("random", "random:"))
    assert run(hostile, web) == "200 random 201 True\n"


def test_a_python_bot_in_another_folder(hostile, tmp_path):
    (tmp_path / "mine.py").write_text(BOT)
    report = json.loads(run(hostile, "podium", *match(f"py:{tmp_path / 'mine.py'}", "random")))
    assert report["games"] == 2


@pytest.mark.parametrize("name", ["mine", "random"])
def test_a_python_bot_beside_others_that_are_called_like_modules_of_python(hostile, name):
    """In a contest's folder a bot may well be called random.py."""
    text = "from helper import wall\n" + BOT.replace("['A1h']", "[wall]")
    (hostile / f"{name}.py").write_text(text)
    (hostile / "helper.py").write_text("wall = 'A1h'\n")
    report = json.loads(run(hostile, "podium", *match(f"py:{name}.py", "random")))
    assert (report["games"], report["faults"][0].get("crashed", 0)) == (2, 0)


@pytest.mark.parametrize("start", [("podium",), ("-m", "podium")], ids=["console script", "python -m"])
def test_a_package_in_the_current_folder_that_was_named(hostile, start):
    (hostile / "bots_here").mkdir()
    (hostile / "bots_here" / "__init__.py").write_text("")
    (hostile / "bots_here" / "best.py").write_text(BOT)
    report = json.loads(run(hostile, *start, *match("py:bots_here.best:bot", "random")))
    assert (report["games"], report["faults"][0].get("crashed", 0)) == (2, 0)


def test_programs_inherit_nothing_of_it(hostile):
    """Python leaves the folder of a script out where PYTHONSAFEPATH is set; a bot needs its modules."""
    (hostile / "bot").mkdir()
    (hostile / "bot" / "main.py").write_text(
        "import os\nfrom helper import wall\nassert not {'PYTHONSAFEPATH', 'PODIUM_FORK_SERVER'} & os.environ.keys()\n"
        "while True:\n    input()\n    print(wall, flush=True)\n"
    )
    (hostile / "bot" / "helper.py").write_text("wall = 'A1h'\n")
    spec = f"cmd:{sys.executable} {hostile / 'bot' / 'main.py'}"
    report = json.loads(run(hostile, "podium", *match(spec, "random", jobs=2, games=4)))
    assert (report["games"], report["faults"][0].get("crashed", 0)) == (4, 0)
