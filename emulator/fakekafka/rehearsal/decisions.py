"""What transactions have decided, compared before and after: nothing that was decided may be decided differently.

The control batches stay as they are, the aborted transactions stay listed, and a read_committed reader gets the records
that it got. In compacted partitions the cleaner removes control batches, and entries of transactions that have no
records left.
"""

from collections.abc import Iterable, Iterator

from fakekafka.ids import Offset
from fakekafka.rehearsal.contents import Contents, Lost, PartitionContents
from fakekafka.watching.decided import ControlBatch, Decided


def undone(before: Contents, after: Contents, *, idle: bool) -> list[Lost]:
    """Decisions of transactions that are no longer what they were. `idle`: no client ran in between, so a control batch
    may have come only for a transaction that was open.
    """
    return [
        Lost(what, f"{tp[0]}-{tp[1]}")
        for tp, was in before.partitions.items()
        if (now := after.partitions.get(tp)) is not None
        for what in _undone_of(was, now, idle)
    ]


def _undone_of(was: PartitionContents, now: PartitionContents, idle: bool) -> Iterator[str]:
    if was.decided is None or now.decided is None:
        return
    compacted = was.compacted or now.compacted
    yield from _control_batches(was.decided, now.decided, now.start_offset, compacted)
    if idle:
        yield from _new_control_batches(was.decided, now.decided)
    yield from _aborted(was.decided, now.decided, now.start_offset, compacted)
    yield from _committed(was, was.decided, now, now.decided)


def _control_batches(was: Decided, now: Decided, start: Offset, compacted: bool) -> Iterator[str]:
    for offset, control in was.control_batches.items():
        other = now.control_batches.get(offset)
        if other is None and offset >= start and not compacted:
            yield f"the control batch at {offset} ({control}) is gone"
        elif other is not None and not _is_same(control, other, compacted):
            yield f"the control batch at {offset} ({control}) is not what it was ({other})"


def _is_same(was: ControlBatch, now: ControlBatch, compacted: bool) -> bool:
    if not compacted:
        return was == now
    return was.producer_id == now.producer_id and now.kind in (was.kind, "EMPTY")


def _new_control_batches(was: Decided, now: Decided) -> Iterator[str]:
    for offset in sorted(now.control_batches.keys() - was.control_batches.keys()):
        control = now.control_batches[offset]
        if control.producer_id not in was.open_producers:
            yield f"a control batch has come at {offset} ({control}), without a transaction that was open"


def _aborted(was: Decided, now: Decided, start: Offset, compacted: bool) -> Iterator[str]:
    for one in sorted(was.aborted - now.aborted):
        if one.last_offset >= start and not compacted:
            yield f"the transaction of producer {one.producer_id} from {one.first_offset} on is not listed as aborted"
    for one in sorted(now.aborted - was.aborted):
        if one.last_offset in was.control_batches:
            yield f"a transaction of producer {one.producer_id} from {one.first_offset} on is now listed as aborted"


def _committed(was: PartitionContents, old: Decided, now: PartitionContents, new: Decided) -> Iterator[str]:
    hidden = [
        offset
        for offset in was.records
        if offset < old.stable_offset
        and offset not in old.left_out
        and offset in now.records
        and (offset in new.left_out or offset >= new.stable_offset)
    ]
    shown = [offset for offset in old.left_out if offset in now.records and offset not in new.left_out]
    yield from _told(hidden, "a read_committed reader no longer gets")
    yield from _told((offset for offset in shown if offset < new.stable_offset), "a read_committed reader now gets")


def _told(offsets: Iterable[Offset], what: str) -> Iterator[str]:
    if numbers := sorted(offsets):
        yield f"{what} {len(numbers)} record{'s' if len(numbers) > 1 else ''} from offset {numbers[0]} on"
