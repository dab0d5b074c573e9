"""Rows of the table with a real broker behind the rules: `python -m tests.client_faults.held_to 2.3.1 4.3.1`.

It covers the faults between clients and one broker, not those of brokers, disks and clusters. What is seen is kept in
`held_to.json`, and shown on the page. Needs a JDK and Maven, which gets the releases.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import Release

from tests.client_faults.behind import behind
from tests.client_faults.faults import FAULTS, row_of
from tests.client_faults.page import Cell, HeldCell
from tests.client_faults.shown_fault import ShownFault
from tests.client_faults.table import HELD_TO, LOOKS, cells_of, looked_at, looked_at_again
from tests.real_patches.broker import running

OF_BROKERS: Final = ("down", "full_disk", "read_error", "kafka.damage")
"""Words in faults that no rule in front of a broker can cause."""
CONFIG: Final = {
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
}


def is_reached(fault: ShownFault) -> bool:
    return fault.brokers == 1 and not any(word in fault.plan + fault.said for word in OF_BROKERS)


def held_to(release: str, faults: Sequence[ShownFault], looks: int) -> Mapping[Cell, Sequence[str]]:
    """What is seen with a real broker of a release."""
    line = release.rpartition(".")[0]
    with TemporaryDirectory() as folder, running(Release.parse(release), CONFIG, Path(folder)) as address:
        opened = partial(behind, address)
        return looked_at_again(looked_at(cells_of(faults, [line]), looks, None, opened), opened)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="+", metavar="RELEASE", help="a full one, such as 2.3.1")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows of faults with this in their name")
    parser.add_argument("--looks", type=int, default=LOOKS, metavar="N", help="at each cell (%(default)s)")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if options.only in row_of(fault) and is_reached(fault)]
    kept: dict[str, list[HeldCell]] = json.loads(HELD_TO.read_text("utf-8")) if HELD_TO.exists() else {}
    for release in options.releases:
        seen = held_to(release, faults, options.looks).items()
        rows = {(row, client): looks for row, client, looks in kept.get(release, [])}
        rows |= {(row, client): list(looks) for (row, client, _), looks in seen}
        kept[release] = [(*cell, looks) for cell, looks in rows.items()]
        HELD_TO.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
