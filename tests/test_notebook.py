"""The notebook of the tour runs as shown; `python -m tests.test_notebook` writes its outputs anew."""

import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tour.ipynb"
SHOWN = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def run(source, names):
    """Run a cell as a notebook does; its outputs in the notebook's format."""
    tree, printed = ast.parse(source), io.StringIO()
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(last, "<cell>", "eval"), names) if last else None
    outputs = [{"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())}] * bool(
        printed.getvalue()
    )
    if value is not None:
        outputs.append({"data": shown(value), "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def shown(value):
    """What a notebook shows of a value."""
    rich = {kind: lines(getattr(value, name)()) for kind, name in SHOWN.items() if hasattr(value, name)}
    plain = "<picture>" if "image/svg+xml" in rich else repr(value)
    return {**rich, "text/plain": lines(plain)}


def lines(text):
    return text.splitlines(keepends=True)


def cells():
    return [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def comparable(output):
    """An output without what differs from run to run: tables tell the time of a search."""
    if "data" not in output:
        return output
    kinds = sorted(output["data"])
    return kinds if "text/html" in kinds else (kinds, output["data"])


@pytest.mark.compiled
@pytest.mark.slow
def test_the_notebook_runs_as_shown(tmp_path, monkeypatch):
    pytest.importorskip("quickjs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("podium.arena.tournament.run_session.jobs_of", lambda jobs: jobs or 1)
    names = {"__name__": "__main__"}
    for cell in cells():
        made = run("".join(cell["source"]), names)
        assert [comparable(output) for output in made] == [comparable(output) for output in cell["outputs"]]


def write():
    """Run all cells, and store their outputs in the notebook."""
    document, names = json.loads(NOTEBOOK.read_text(encoding="utf-8")), {"__name__": "__main__"}
    for number, cell in enumerate(document["cells"]):
        cell.setdefault("id", f"cell-{number}")
        if cell["cell_type"] == "code":
            cell["outputs"] = run("".join(cell["source"]), names)
    NOTEBOOK.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(write())
