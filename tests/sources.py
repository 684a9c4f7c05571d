"""What source files say, for tests about the plan of the house."""

import ast


def imported_by(path):
    """The modules that a file imports, and for `from x import y` also x.y, which may be one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
