"""Imported by the fork server of a pool before anything else: it, and all that it forks, die with their parent.

A pool's own processes would notice the death of their master only once they have started.
"""

import os
import sys

from podium.arena.orphans import die_with_parent

if any("multiprocessing.forkserver" in word for word in sys.orig_argv):  # and nobody else who may import this
    die_with_parent()
    os.register_at_fork(after_in_child=die_with_parent)
