"""Every game of the house keeps one floor plan: the same files, with the same names in them for the same things.

A file that a game does not need may be missing where it is not REQUIRED; a file that only one game needs has a name of
its own, and is used by that game.
"""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import podium.games
from podium.games import load, view
from podium.games.game import Referee
from tests.sources import imported_by

ROOT = Path(podium.games.__file__).parent
GAMES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))

# The standard files, what each must offer, and for functions the names of their first parameters.
REQUIRED = {
    "state.py": {"State": None},
    "rules.py": {},
    "setup.py": {"initial_state": ("seed", "settings")},
    "protocol.py": {
        "prompts": ("read",),
        "read_answer": ("state", "seat", "line"),
        "answer_of": ("state", "seat"),
        "read_move": ("state", "text"),
        "move_text": ("state", "move"),
    },
    "referee.py": {"LIMITS": None},
    "view.py": {"View": None},
    "scene.py": {"scene": ("state",), "picture": ("scene",)},
    "analysis.py": {"analyze": ("position", "kind", "changes", "budget")},
    "benchmarks.py": {"benchmarks": ()},
    "bots/params.py": {},
    "bots/champion.py": {"KINDS": None},
    "bots/random.py": {"KINDS": None},
    "README.md": {},
}
OTHERS = {"__init__.py", "scene.js", "bots/__init__.py"}
LATER = ("makers.py", "learning.py", "studies.py")  # named by a game, and imported when they are used
FOLDERS = {"bots", "claims", "data", "starters", "__pycache__"}
NAMED_FILE = re.compile(r"`((?:bots/|data/)?[a-z_0-9]+\.(?:py|csv|json|txt|npz))`")  # in a page
SIGNATURE = "signature.jsonl"  # of the game's play, read by `podium.games.signature`
UNUSED_TIME = "margin"  # the milliseconds of a limit that a bot leaves unused


def module_of(game, path):
    """The module of a file of a game."""
    return import_module(".".join((f"podium.games.{game}", *Path(path).with_suffix("").parts)))


def bots_of(game):
    """The modules of bots that a game names."""
    return [f"{module.replace('.', '/')}.py" for module in import_module(f"podium.games.{game}").GAME.bots.modules]


def reachable(game):
    """The files of a game that its `__init__.py` imports or names, directly or by others."""
    folder, found, waiting = ROOT / game, set(), ["__init__.py", *REQUIRED, *bots_of(game), *LATER]
    while waiting:
        path = waiting.pop()
        if path in found or not path.endswith(".py") or not (folder / path).is_file():
            continue
        found.add(path)
        for name in imported_by(folder / path):
            head, _, rest = name.partition(f"podium.games.{game}.")
            if not head and rest:
                parts = rest.split(".")
                waiting += [f"{'/'.join(parts)}.py", f"{'/'.join(parts)}/__init__.py", f"{parts[0]}/__init__.py"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_standard_files_are_there_and_offer_the_standard_names(game):
    wrong = []
    for path, names in REQUIRED.items():
        if not (ROOT / game / path).is_file():
            wrong.append(f"{game}/{path} is missing")
            continue
        for name, parameters in names.items():
            offered = getattr(module_of(game, path), name, None)
            if offered is None:
                wrong.append(f"{game}/{path} offers no {name}")
            elif parameters is not None:
                given = tuple(inspect.signature(offered).parameters)[: len(parameters)]
                if given != parameters:
                    wrong.append(f"{name} of {game}/{path} takes {given}, not {parameters}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_the_view_and_the_referee_are_what_their_files_say(game):
    assert issubclass(module_of(game, "view.py").View, view.View), (
        f"View of {game}/view.py is no podium.games.view.View"
    )
    module = module_of(game, "referee.py")
    referees = [
        name
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and issubclass(thing, Referee) and thing.__module__ == module.__name__
    ]
    assert len(referees) == 1, f"{game}/referee.py offers {referees} instead of one referee"


@pytest.mark.parametrize("game", GAMES)
def test_what_implements_a_generic_function_is_named_after_it(game):
    """With the game's word in front, which is that of its referee: `ZuniqReferee`, `zuniq_play`."""
    word = load(game).contest.referee.__name__.removesuffix("Referee").lower()
    wrong = []
    for path in (ROOT / game).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            implemented = {
                decorator.func.value.id
                for decorator in getattr(node, "decorator_list", ())
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "attr", "") == "register"
            }
            if implemented and node.name not in {f"{word}_{name}" for name in implemented}:
                wrong.append(f"{path.relative_to(ROOT)} calls an implementation of {implemented} {node.name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_every_other_file_is_used_by_the_game(game):
    folder = ROOT / game
    used = reachable(game)
    wrong = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_dir() or inside.parts[0] in FOLDERS - {"bots"} or "__pycache__" in inside.parts:
            continue
        name = inside.as_posix()
        if path.suffix == ".py" and name not in used:
            wrong.append(f"nothing in {game} imports {name}")
        elif path.suffix != ".py" and name not in REQUIRED.keys() | OTHERS:
            wrong.append(f"{game}/{name} is not part of the floor plan")
    wrong += [
        f"{game}/{path.name}/ is not part of the floor plan"
        for path in folder.iterdir()
        if path.is_dir() and path.name not in FOLDERS
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_every_data_file_is_read_by_the_game(game):
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / game).rglob("*.py")]
    unread = [
        f"no module of {game} names data/{path.name}"
        for path in (ROOT / game / "data").glob("*")
        if path.name != SIGNATURE and not any(path.name in text for text in texts)
    ]
    assert not unread, "\n".join(unread)


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_is_a_kind_of_a_module_in_bots_and_follows_the_game(game):
    offered, wrong = set(), []
    for path in sorted((ROOT / game / "bots").glob("*.py")):
        module = module_of(game, f"bots/{path.name}")
        kinds = getattr(module, "KINDS", ())
        if not isinstance(kinds, tuple):
            wrong.append(f"KINDS of {game}/bots/{path.name} is no tuple")
        offered |= {kind.name for kind in kinds}
        wrong += [f"{game}/bots/{path.name} has a name {name} for one kind" for name in vars(module) if name == "KIND"]
    for name, kind in load(game).bots.items():
        if name not in offered:
            wrong.append(f"the bot {name} of {game} is in KINDS of no module in bots/")
        if not isinstance(kind.bot(), view.ViewBot):
            wrong.append(f"the bot {name} of {game} is no podium.games.view.ViewBot")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_one_word_for_the_time_that_is_left_unused(game):
    wrong = [
        f"{parameter.name} of {game}'s {name} should be called {UNUSED_TIME}: {parameter.help}"
        for name, kind in load(game).bots.items()
        for parameter in kind.param_spec
        if re.search(r"milliseconds.*(unused|never used)", parameter.help) and parameter.name != UNUSED_TIME
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_a_player_is_somebody_of_the_arena(game):
    classes = [
        f"{path.relative_to(ROOT)} calls a class {node.name}"
        for path in (ROOT / game).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Player")
    ]
    assert not classes, "\n".join(classes)


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_names_files_that_exist(game):
    folder, docs = ROOT / game, ROOT.parents[2] / "docs" / "games"
    gone = [
        f"{page.name} names {name}, which is not in {game}"
        for page in (folder / "README.md", docs / f"{game}.md")
        for name in NAMED_FILE.findall(page.read_text(encoding="utf-8"))
        if not list(folder.rglob(Path(name).name))
    ]
    assert not gone, "\n".join(gone)


HOOKS_OF_A_GAME = """
import sys
from importlib import import_module
from pathlib import Path

from podium.games import folder_of, load
from podium.kernel.generic import implementation_of
from podium.model import hooks

game = load(sys.argv[1])
every = {name: hook for name, hook in vars(hooks).items() if hasattr(hook, "podium_generic")}
before = {name: implementation_of(hook, game.rules.state) for name, hook in every.items()}
for path in (folder_of(game.name) / "bots").glob("*.py"):
    import_module(f"podium.games.{game.name}.bots.{path.stem}")
after = {name: implementation_of(hook, game.rules.state) for name, hook in every.items()}
assert "playouts" in every
print([name for name in every if before[name] is not after[name] and "learning" not in after[name].__module__])
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_search_plays_alike_whatever_was_imported_before_it(game):
    """The modules of bots register nothing for all bots; a learner does, but only networks ask for that."""
    done = subprocess.run([sys.executable, "-c", HOOKS_OF_A_GAME, game], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
