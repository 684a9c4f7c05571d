"""Pictures as SVG: a game's own `scene.js`, which the pages run in a browser, run here by a small JavaScript engine.

The script is a pure function `draw(scene, h)` that returns a tree of elements. Colours and classes are those of the
pages (`web/static/podium.css`), written into the picture, so that it looks the same in a notebook and in a file.
"""

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from podium.errors import PodiumError

STATIC = Path(__file__).parents[1] / "web" / "static"  # files of the pages; nothing is imported from there
WIDEST = 520  # pixels of a picture
ENGINE = "pip install 'podium[svg]'"
UNSEEN = ("key", "keep", "ref", "lies")  # properties that mean something to a page only
VARIABLE = re.compile(r"var\((--[\w-]+)\)")
EXPORT = re.compile(r"^export ", re.MULTILINE)
SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)"')  # of the picture: the first in its text
CLASS = "podium-board"  # of a picture; a notebook holds several, and other elements

Node = dict[str, Any]  # tag, props, children: what `h` makes


class Svg(str):
    """A picture as the text of an SVG file. In a notebook it shows itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The size in pixels: as a text the picture would fill the screen."""
        found = SIZE.search(self)
        return f"<SVG {float(found[1]):.0f} x {float(found[2]):.0f}>" if found else super().__repr__()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path | str) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self, encoding="utf-8")


def draw(script: Path, scene: Any) -> Svg:
    """The picture that a `scene.js` draws of a scene; PodiumError if the JavaScript engine is not installed."""
    source = script.read_text(encoding="utf-8")
    tree = json.loads(_engine(source)(json.dumps(scene)))
    left, top, width, height = (float(number) for number in str(tree["props"]["viewBox"]).split())
    scale = min(1.0, WIDEST / width)
    tree["props"] = {
        "xmlns": "http://www.w3.org/2000/svg",
        **tree["props"],
        "class": CLASS,
        "width": f"{width * scale:g}",
        "height": f"{height * scale:g}",
    }
    paper = {"x": left, "y": top, "width": width, "height": height, "fill": "var(--paper)"}
    style = {"tag": "style", "props": {}, "children": [_style()]}
    tree["children"] = [style, {"tag": "rect", "props": paper, "children": []}, *tree["children"]]
    return Svg(_text(tree))


@cache
def _engine(source: str) -> Any:
    """A function from the text of a scene to the text of its tree."""
    try:
        import quickjs
    except ImportError:
        raise PodiumError(f"a picture as SVG needs the JavaScript engine QuickJS: {ENGINE}") from None
    context = quickjs.Context()
    context.eval(EXPORT.sub("", (STATIC / "dom.js").read_text(encoding="utf-8")))
    context.eval("{" + EXPORT.sub("", source) + "; globalThis.drawScene = draw; }")
    context.eval("function svgOf(text) { return JSON.stringify(drawScene(JSON.parse(text), h)); }")
    return context.get("svgOf")


def _text(node: Node | str) -> str:
    if isinstance(node, str):
        return escape(_coloured(node), quote=False)
    tag = node["tag"]
    attributes = "".join(_attribute(name, value) for name, value in node["props"].items())
    return f"<{tag}{attributes}>{''.join(map(_text, node['children']))}</{tag}>"


def _attribute(name: str, value: Any) -> str:
    if name in UNSEEN or name.startswith("on") or value is None or value is False:
        return ""
    if name == "style":
        value = "; ".join(f"{property}: {text}" for property, text in value.items())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    shown = "" if value is True else escape(_coloured(str(value)))
    return f' {"data-spot" if name == "spot" else name}="{shown}"'


def _coloured(text: str) -> str:
    """A text with the pages' light colours in place of variables, which many viewers of SVG do not know."""
    return VARIABLE.sub(lambda found: _colours().get(found[1], found[0]), text)


@cache
def _sheet() -> str:
    return (STATIC / "podium.css").read_text(encoding="utf-8")


@cache
def _colours() -> dict[str, str]:
    found = re.search(r":root \{(.*?)\}", _sheet(), re.DOTALL)
    named = dict(re.findall(r"(--[\w-]+): ([^;]+);", found[1])) if found else {}
    return {name: VARIABLE.sub(lambda other: named[other[1]], text) for name, text in named.items()}


@cache
def _style() -> str:
    """The pages' rules for what stands on a board."""
    rules = re.findall(r"^\.board( [\w. -]+)? \{([^}]*)\}", _sheet(), re.MULTILINE)
    shown = [(part, rule) for part, rule in rules if part and "open" not in part and "piece" not in part]
    return f".{CLASS} {{ fill: var(--ink); }} " + " ".join(f".{CLASS}{part} {{{rule}}}" for part, rule in shown)
