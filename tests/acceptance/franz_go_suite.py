"""franz-go's own tests of its client, against `fakekafka serve`: `tox -e acceptance-franz-go`; needs Go.

Its tests produce 500,000 records each by default; a twenty-fifth of them goes through the same requests.
"""

import sys
from pathlib import Path
from typing import Final

from tests.acceptance.go_tests import downloaded, go_tests
from tests.acceptance.lane import Suite, main
from tests.acceptance.outcomes import Outcome
from tests.acceptance.processes import Output, serving
from tests.acceptance.setups import Setup, setup

MODULE: Final = "github.com/twmb/franz-go"
VERSION: Final = "v1.22.2"
RECORDS: Final = "20000"
LIMIT_S: Final = 1800


def run(setup: Setup, root: Path, output: Output) -> list[Outcome]:
    with serving(setup, {}) as addresses:
        told = {"KGO_SEEDS": addresses, "KGO_TEST_RF": str(setup.brokers), "KGO_TEST_RECORDS": RECORDS}
        return go_tests(root, ["./pkg/kgo"], told | {"KGO_LOG_LEVEL": "none"}, LIMIT_S, output)


SUITE: Final = Suite(
    "franz-go",
    __doc__.split("\n", 1)[0],
    (setup("3.9"), setup("4.3"), setup("4.3", brokers=3)),
    lambda folder, _: downloaded(MODULE, VERSION),
    run,
)

if __name__ == "__main__":
    sys.exit(main(SUITE))
