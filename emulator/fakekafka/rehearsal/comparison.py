"""Two checks of a cluster's contents, compared: whatever may not differ, as lines."""

from fakekafka.rehearsal.contents import Contents, lost, removed_at_the_start
from fakekafka.rehearsal.decisions import undone


def differences(before: Contents, after: Contents, *, idle: bool) -> tuple[str, ...]:
    """What was lost, and which decisions of transactions have changed. `idle`: no client ran in between."""
    return tuple(map(str, (*lost(before, after, idle=idle), *undone(before, after, idle=idle))))


def summary(before: Contents, after: Contents) -> tuple[str, ...]:
    """What there is afterwards, and what retention has removed."""
    control = f", {after.control_batches} control batches" if after.control_batches else ""
    removed = removed_at_the_start(before, after)
    notes = f"{after.how_many} records, {len(after.commits)} commits{control}"
    return (notes, f"{removed} records removed at the start of their logs") if removed else (notes,)
