"""``python -m generator`` is the console script ``rounds``."""

import sys

try:
    from generator.cli import main
except KeyboardInterrupt:  # while the libraries are loaded, which takes longer than some commands
    sys.stderr.write("interrupted\n")
    sys.exit(130)

if __name__ == "__main__":
    main()
