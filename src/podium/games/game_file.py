"""Games in one file, played without installing anything: `podium match path/to/mygame.py mcts random`.

The file offers a `GAME` (see `podium.games.rules_game`). It is imported as a module, with what it imports from its own
folder; workers import it by the same path. Its game is known by that path.
"""

import sys
import sysconfig
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from podium.errors import PodiumError
from podium.games.game import Game
from podium.kernel.lazy import compiler

SUFFIX = ".py"
PYTHON_FOLDERS = {
    *map(sysconfig.get_path, ("stdlib", "platstdlib")),
    str(Path(sysconfig.__file__).parent / "lib-dynload"),
}


def is_game_file(name: str) -> bool:
    """Whether a name of a game is the path of a file; a name with a scheme is not."""
    return name.endswith(SUFFIX) and ":" not in name


def load_game_file(name: str) -> Game:
    """The game of a file, known by the file's full path; a PodiumError if there is none."""
    path = Path(name).expanduser().absolute()
    if not path.is_file():
        raise PodiumError(f"there is no file {name} with a game")
    if not path.stem.isidentifier():
        raise PodiumError(f"{path.name} cannot be imported: its name has to be one that Python allows")
    compiler()  # first: the file may use Numba while it is imported, and must find our generic functions there
    try:
        module = import_file(path, "game")
    except PodiumError:
        raise
    except (Exception, SystemExit) as error:  # a file of a user may raise anything while it is imported
        raise PodiumError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise PodiumError(f"{name} offers no GAME; end it with GAME = make_game(RULES) (podium.games.rules_game)")
    return replace(game, name=str(path))


def import_file(path: Path, kind: str) -> ModuleType:
    """Import a Python file as a module. One that is called like another module (random.py) does not take its place."""
    use_folder(str(path.parent))
    known = sys.modules.get(path.stem) or find_spec(path.stem)
    origin = getattr(known, "__file__", None) or getattr(known, "origin", None)
    if origin and Path(origin) == path:
        return import_module(path.stem)
    name = f"{path.stem}_{kind}"
    loaded = sys.modules.get(name)
    if loaded is not None and loaded.__file__ == str(path):
        return loaded
    spec = spec_from_file_location(name, path)
    assert spec and spec.loader
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def use_folder(folder: str) -> None:
    """Let modules of a folder be imported: after Python's own, which must not be replaced, before installed ones."""
    if folder not in sys.path:
        own = [index for index, entry in enumerate(sys.path) if entry in PYTHON_FOLDERS]
        sys.path.insert(max(own, default=-1) + 1, folder)


def modules_beside(name: str) -> set[str]:
    """The modules and packages in the folder of a game's file."""
    folder = Path(name).parent
    return {path.stem for path in folder.glob(f"*{SUFFIX}")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
