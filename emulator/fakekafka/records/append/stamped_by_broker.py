"""Appending as KIP-31's first text has it: the broker gives all messages their time, and converts no new ones.

The text that was struck out says: the timestamp is assigned on receipt, and what a mirror maker brings is discarded;
and while the log still has format 0, a set of format 1 gets its outer offset and is stored, without being compressed
again.
"""

from fakekafka.ids import Buffer, Offset, TimestampMs
from fakekafka.records import scan
from fakekafka.records.append import from_0_10
from fakekafka.records.append.prepared import AppendTarget, CpuClock, Prepared
from fakekafka.releases.behaviours.append import AppendBehaviour


def prepare(
    data: Buffer,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    now: TimestampMs,
    from_client: bool,
    cpu_ns: CpuClock,
) -> Prepared | None:
    """See `append.Prepare`."""
    is_new = len(data) >= scan.PREFIX.size and scan.PREFIX.unpack_from(data)[2] == 1
    wanted = target._replace(magic=max(target.magic, 1) if is_new else target.magic, append_time=True)
    return from_0_10.prepare(data, wanted, rules, start, now, from_client, cpu_ns)
