"""Versions of Numba: an untested one is a sentence, one that lacks what is needed too."""

import subprocess
import sys

import pytest

from tests.kernel.test_cache import Sandbox

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

CALL = """
from podium.kernel import kernel
@kernel
def add(a, b):
    return a + b
print(add(1, 2))
"""


def run(tmp_path, script):
    environment = Sandbox(tmp_path).environment(PODIUM_CACHE_DIR=str(tmp_path / "cache"))
    return subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)


def test_an_untested_version_is_named_and_works(tmp_path):
    done = run(tmp_path, "import numba\nnumba.__version__ = '0.99.1'\n" + CALL)
    assert done.stdout == "3\n"
    assert "podium: Numba 0.99.1 is untested with Podium; 0.60 to 0.68 are tested" in done.stderr.splitlines()


@pytest.mark.parametrize(
    "damage",
    [
        "import numba.core.bytecode as b; del b.FunctionIdentity._unique_ids; import itertools; "
        "b.FunctionIdentity._unique_ids = iter(range(1, 10**6))",
        "import numba.core.caching as c; del c.dumps",
        "import numba.core.compiler as c; c.CompileResult._reduce = None",
        "import numba.core.runtime as r; del r.rtsys",
        "import numba.core.event as e; own = e.register; "
        "e.register = lambda kind, of: of.x if 'podium' in type(of).__module__ else own(kind, of)",
        "import numba.np.arrayobj as a; del a.basic_indexing",
    ],
)
def test_what_a_version_lacks_costs_time_but_no_result(tmp_path, damage):
    for _ in range(2):
        done = run(tmp_path, f"import numba\n{damage}\n" + CALL)
        assert (done.stdout, done.returncode) == ("3\n", 0), done.stderr


def test_a_version_without_what_is_needed_is_a_sentence(tmp_path):
    done = run(tmp_path, "import numba\nimport numba.core.typing.templates as t\ndel t.infer_global\n" + CALL)
    assert done.stderr.splitlines()[-1].startswith(
        "podium.errors.PodiumError: Podium does not run with this version of Numba (cannot import name 'infer_global'"
    )
