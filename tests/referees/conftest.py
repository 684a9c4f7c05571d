"""A referee of our own in Java, and scripts of the other contracts in Python."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
JAVA = shutil.which("java") and shutil.which("javac")
needs_java = pytest.mark.skipif(not JAVA, reason="no java and javac on this machine")


@pytest.fixture(scope="session")
def jar(tmp_path_factory):
    """The jar of `java/.../RefereeMain.java`, which speaks the engine's protocol and keeps static state on purpose."""
    folder = tmp_path_factory.mktemp("referee")
    source = HERE / "java" / "com" / "codingame" / "gameengine" / "core" / "RefereeMain.java"
    subprocess.run(["javac", "-encoding", "UTF-8", "-d", str(folder / "classes"), str(source)], check=True)
    shutil.make_archive(str(folder / "referee"), "zip", folder / "classes")
    return (folder / "referee.zip").rename(folder / "referee.jar")


@pytest.fixture
def script():
    """The command of a Python script in this folder."""

    def command(name, *words):
        return " ".join([sys.executable, "-S", "-E", str(HERE / name), *map(str, words)])

    return command


@pytest.fixture
def bot(script):
    """The command of a bot that names these numbers."""
    return lambda *words: "cmd:" + script("number_bot.py", *words)
