"""The data files that come with a game's package, such as its opening book or its network."""

import sys
from pathlib import Path


def package_data(package: str, name: str) -> Path:
    """The path of a file in the folder `data` of an imported package; it need not exist."""
    return Path(str(sys.modules[package].__file__)).parent / "data" / name
