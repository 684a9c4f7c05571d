"""The data files of a packed bot. It takes the place of `podium.model.package_data`."""

from pathlib import Path

from podium.pack.standalone.loader import PACKED


def package_data(package: str, name: str) -> Path:
    """The path of a data file of a package; it need not exist."""
    return Path(PACKED.path_of("{}/data/{}".format(package.replace(".", "/"), name)))
