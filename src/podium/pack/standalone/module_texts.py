"""How a merged program finds its modules. The function is copied into the file as it is, for Python 3.8 or newer."""

from collections.abc import Mapping
from typing import Any


def use_module_texts(texts: "Mapping[str, tuple[str, str]]") -> None:
    """Let imports find modules in texts: by the name of a module, its file and its text after an empty line."""
    import linecache
    import sys
    from importlib.util import spec_from_loader

    class ModuleTexts:
        @staticmethod
        def find_spec(name: str, path: "Any" = None, target: "Any" = None) -> "Any":
            if name not in texts:
                return None
            file = texts[name][0]
            return spec_from_loader(name, finder, origin=file, is_package=file.endswith("__init__.py"))

        @staticmethod
        def create_module(spec: "Any") -> None:
            return None  # the usual module

        @staticmethod
        def exec_module(module: "Any") -> None:
            file, text = texts[module.__name__]
            text = text[1:]
            module.__file__ = file
            linecache.cache[file] = len(text), None, text.splitlines(True), file  # for tracebacks
            exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)

    finder: Any = ModuleTexts
    sys.meta_path.insert(0, finder)
