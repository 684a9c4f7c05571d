from tests.lab.nim import GAME  # noqa: F401 - found by name
