"""Every byte of every file of a log directory flipped, one start each: `tox -e flipped-bytes`.

    python -m tests.emulator.log.flipped_bytes [RELEASE …]

`test_flipped_bytes` flips every ninth. The exit status is 1 if a start fails without being refused for a reason.
"""

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.emulator.log.test_flipped_bytes import RELEASES, check_every_file

EVERY: Final = 1


def main(releases: Sequence[str]) -> int:
    """The exit status."""
    warnings.simplefilter("ignore")
    for release in releases or RELEASES:
        for clean in (True, False):
            with TemporaryDirectory() as folder:
                starts = check_every_file(release, clean, Path(folder), EVERY)
            print(
                f"{release}, {'clean' if clean else 'unclean'}: {starts} starts, each a start or a refusal", flush=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
