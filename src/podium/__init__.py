"""Podium: a laboratory for contest game bots.

Nothing happens on import. `podium.kernel`, which every compiled module imports first, sets the folder of the
compiled code; so commands that need no kernel do not pay for loading the compiler.
"""

__version__ = "0.1.0"
