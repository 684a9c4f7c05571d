"""What a packed bot has in the place of parts of Podium. These modules travel with it, and run on Python 3.8 too.

`loader` finds modules, machine code and data files in the packed file; the others take the place of modules that need
a compiler, installed packages or a folder on the disk (`podium.pack.packing` says which).
"""
