"""Appending: what becomes of a set of records on its way into a log, before the log sees it.

Three eras of brokers, of which a release has one (`AppendBehaviour.era`):

    up_to_0_9    messages of format 0; a wrapper is always rebuilt
    from_0_10    messages of formats 0 and 1, with timestamps (KIP-31, KIP-32)
    from_0_11    batches, of which a format 2 batch is one (KIP-98)

`prepared` has what a topic wants and what becomes of a set, `checks` and `record_checks` what is refused from 0.11 on,
`messages` what the two earlier eras have in common.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias, assert_never

from fakekafka.ids import Buffer, Offset, TimestampMs
from fakekafka.records.append.prepared import AppendTarget, CpuClock, Prepared
from fakekafka.releases.behaviours.append import AppendBehaviour, Era

Prepare: TypeAlias = Callable[
    [Buffer, AppendTarget, AppendBehaviour, Offset, TimestampMs, bool, CpuClock], Prepared | None
]
"""`prepare(data, target, rules, start, now, from_client, cpu_ns)`: the set in `data` as it will be stored from offset
`start` on; None if it contains no whole unit.

May write into `data`, which then must be writable. `cpu_ns` measures rebuilding. Raises `SetRefused`.
"""


@cache
def preparing(era: Era) -> Prepare:
    """How an era prepares sets. A partition has one era, and needs the modules of no other."""
    match era:
        case "from 0.11":
            from fakekafka.records.append import from_0_11

            return from_0_11.prepare
        case "from 0.10":
            from fakekafka.records.append import from_0_10

            return from_0_10.prepare
        case "up to 0.9":
            from fakekafka.records.append import up_to_0_9

            return up_to_0_9.prepare
        case "first draft of KIP-31":
            from fakekafka.records.append import stamped_by_broker

            return stamped_by_broker.prepare
        case "first draft of KIP-98":
            from fakekafka.records.append import first_sets  # only a draft needs it

            return first_sets.prepare
        case _:
            assert_never(era)
