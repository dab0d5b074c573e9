"""`python -m docs.generator FOLDER`: everything that the site is built from."""

import sys
from pathlib import Path

from docs.generator.site import write

if __name__ == "__main__":
    write(Path(sys.argv[1]))
