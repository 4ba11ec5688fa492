"""``python -m generator`` is the console script ``rounds``."""

import gc
import sys

try:
    gc.disable()  # what is imported stays: looking for garbage among it takes a tenth of the time, now and later
    from generator.cli import main
except KeyboardInterrupt:  # while the libraries are loaded, which takes longer than some commands
    sys.stderr.write("interrupted\n")
    sys.exit(130)
finally:
    gc.freeze()
    gc.enable()

if __name__ == "__main__":
    main()
