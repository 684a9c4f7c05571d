"""The site of Podium: `make docs` builds it from the pages in this folder, and fails on any warning.

What the program knows best is generated: the command line by typer, the parameters of the bots by the games, the
Python reference by autodoc from docstrings.
"""

import re
import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

import generate  # noqa: E402 - beside this file

import podium  # noqa: E402

project = "Podium"
author = "the authors of Podium"
copyright = "the authors of Podium, MIT license"
version = release = podium.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
exclude_patterns = ["site/_*"]
nitpicky = False
smartquotes = False  # `--option` keeps its hyphens
default_role = "code"  # docstrings put names between single backticks

myst_heading_anchors = 4  # links to headings are written as on GitHub
myst_enable_extensions = ["colon_fence"]
highlight_language = "text"  # of blocks that name none: commands, exchanges

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 88

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "Podium"
html_static_path = ["site/_static"]
html_css_files = ["podium.css"]
html_show_sourcelink = html_copy_source = False
html_favicon = "site/_static/favicon.svg"
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {"color-brand-primary": "#1d5fa8", "color-brand-content": "#1d5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7db4f0", "color-brand-content": "#7db4f0"},
}

# Pages of the repository that are pages of the site under another name; other files beside this folder are not on it.
AT_HOME = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "README.md": "index.md"}
OUTSIDE = re.compile(
    r"\[(?P<text>[^]]*)\]\((?:\.\./)+(?P<path>(?:[A-Z]+\.md|(?:src|examples|tests|tools)/[^)#]*))(?P<anchor>#[^)]*)?\)"
)


def at_home(app: Sphinx, page: str, source: list[str]) -> None:
    """Let links to files beside this folder lead to their pages of the site, or make them plain text."""
    up = "../" * page.count("/")

    def link(found: re.Match[str]) -> str:
        target = AT_HOME.get(found["path"])
        return f"[{found['text']}]({up}{target}{found['anchor'] or ''})" if target else found["text"]

    source[0] = OUTSIDE.sub(link, source[0])


def copy_stories(app: Sphinx, error: Exception | None) -> None:
    """Put the live traces of the stories beside their pages."""
    if error is None and app.builder.format == "html":
        shutil.copytree(HERE / "stories" / "live", Path(app.outdir) / "stories" / "live", dirs_exist_ok=True)


def setup(app: Sphinx) -> None:
    """Generate pages before any is read."""
    generate.write(HERE / "reference")
    app.connect("source-read", at_home)
    app.connect("build-finished", copy_stories)
