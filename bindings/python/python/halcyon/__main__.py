"""`python -m halcyon`, and the command `halcyon`: the program in the package."""

import os
import subprocess
import sys

from . import uci_path


def main() -> None:
    """Becomes the program, with its arguments."""
    command = [uci_path(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
