"""A program that plays the tests' game and misbehaves on demand: `mock.py HOW [WHEN [once]]`.

WHEN counts prompts from 1. `once` is for the whole run: a file beside its store remembers that it was done.
"""

import os
import signal
import subprocess
import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else "5"
when = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def first_time():
    try:
        os.close(os.open("done-once", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def misbehave():
    if how == "crash":
        sys.stderr.write("about to divide by zero\n")
        sys.stderr.flush()
        raise ZeroDivisionError
    if how == "exit":
        os._exit(0)
    if how == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if how == "hang":
        time.sleep(60)
    if how == "spin":
        while True:
            pass
    if how == "late":
        time.sleep(0.12)
        return "5"
    if how == "flood":
        while True:
            os.write(1, b"x" * 65536)
    if how == "lines":
        return "5\n5\n5"
    if how == "many":
        while True:
            os.write(1, b"5\n" * 30000)
    if how == "garbage":
        os.write(1, b"\xff\xfe\x00\n")
        return None
    if how == "poison":
        if sys.argv[3:] == ["once"] and not first_time():
            return "5"
        return "poison"
    if how == "words":
        return "please let me win"
    if how == "high":
        return "99"
    if how == "close":
        os.close(1)
        time.sleep(60)
    if how == "deaf":
        os.close(0)
        return "5"
    if how == "child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
        if sys.argv[3:] == ["then", "hang"]:
            time.sleep(60)
        return "5"
    if how == "hide":  # a child without the mark, in a session of its own
        subprocess.Popen(["env", "-i", "sleep", "61.7"], start_new_session=True)  # which it has when this returns
        return "5"
    if how == "daemon":  # the same without a parent
        subprocess.run(["sh", "-c", "env -i setsid sleep 61.7 &"], check=True, stdout=subprocess.DEVNULL)
        return "5"
    if how == "nameless":
        os.kill(os.getpid(), 40)
    if how == "heir":
        if os.fork():
            os._exit(3)
        time.sleep(60)
    if how == "memory":
        return str(len(bytearray(1 << 28)) % 10)
    if how == "stray":  # one line too many, then none, then one that is too high
        return {1: "5\n5", 2: None}.get(asked, "99")
    if how == "noise":
        os.write(2, b"e" * 300_000 + b"the end")
        return "5"
    return how


asked = 0


def main():
    global asked
    for line in sys.stdin:
        if line.startswith("turn"):
            asked += 1
            answer = misbehave() if asked >= when and not how.isdigit() else how if how.isdigit() else "5"
            if answer is not None:
                sys.stderr.write(f"prompt {asked}\n")
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()


main()
