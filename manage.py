#!/usr/bin/env python3
"""The product's one command line; on a bare Python it first makes its own environment beside this file."""

import sys

# This file must parse on every Python, to be able to say which one is needed.
if sys.version_info < (3, 11):
    found = (sys.version_info[0], sys.version_info[1], sys.executable)
    sys.exit("memoryapp needs Python 3.11 or newer; this is Python %d.%d (%s)." % found)

if __name__ == "__main__":
    from memoryapp.bootstrap import enter_environment

    enter_environment(sys.argv[1:])

    from memoryapp.commandline import run_command

    run_command(sys.argv)
