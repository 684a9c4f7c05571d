"""A study that is killed in the middle, as by `kill -9`."""

import multiprocessing
import os
import signal


def kill_after(games, study):
    """Play a study in a process of its own, which is killed once a number of games are counted; `study()` makes it."""

    def play():
        def die(playing):
            if playing.blocks.finished >= games:
                os.kill(os.getpid(), signal.SIGKILL)

        with study() as playing:
            playing.play(jobs=1, progress=die)

    child = multiprocessing.get_context("fork").Process(target=play)
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
