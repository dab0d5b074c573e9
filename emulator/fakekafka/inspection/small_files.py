"""The rows of the small files: indexes, snapshots, checkpoints, properties."""

from collections.abc import Iterator

from fakekafka.ids import Offset
from fakekafka.inspection.row import Row
from fakekafka.log import offset_index, time_index, txn_index
from fakekafka.log.check_indexes import without_padding
from fakekafka.log.checkpoints import checkpoint_rows
from fakekafka.log.drafts.wide_index import WideIndex
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.log.time_index import TimeIndex
from fakekafka.log.txn_index import TxnIndex


def offset_index_rows(data: bytes, base: Offset) -> Iterator[Row]:
    index = OffsetIndex(base, len(data))
    index.load(without_padding(data, offset_index.ENTRY_SIZE))
    for number, (offset, position) in enumerate(index.entries()):
        yield Row("index", number * offset_index.ENTRY_SIZE, {"offset": offset, "at": position})


def wide_index_rows(data: bytes, base: Offset) -> Iterator[Row]:
    """The entries of a draft's offset index, which have timestamps."""
    index = WideIndex(base, len(data))
    index.load(without_padding(data, index.entry_size))
    for number, (offset, position, timestamp) in enumerate(index.timed_entries()):
        fields = {"offset": offset, "at": position, "timestamp": timestamp}
        yield Row("index", number * index.entry_size, fields)


def time_index_rows(data: bytes, base: Offset) -> Iterator[Row]:
    index = TimeIndex(base, len(data))
    index.load(without_padding(data, time_index.ENTRY_SIZE))
    for number, (timestamp, offset) in enumerate(index.entries()):
        yield Row("timeindex", number * time_index.ENTRY_SIZE, {"timestamp": timestamp, "offset": offset})


def txn_index_rows(data: bytes) -> Iterator[Row]:
    """The entries of a transaction index. Raises `MalformedBytes`."""
    index = TxnIndex()
    index.load(data)
    for number, entry in enumerate(index.entries):
        yield Row("txnindex", number * txn_index.ENTRY_SIZE, entry._asdict())


def snapshot_rows(data: bytes) -> Iterator[Row]:
    """The producers in a snapshot. Raises `MalformedBytes`."""
    for entry in read_snapshot(data):
        yield Row("producer", None, entry._asdict())


def checkpoint_file_rows(data: bytes) -> Iterator[Row]:
    """The rows of a checkpoint: offsets by partition, or leader epochs. Raises `MalformedBytes`."""
    for words in checkpoint_rows(data):
        names = ("topic", "partition", "offset") if len(words) == 3 else ("epoch", "startOffset")
        yield Row("checkpoint", None, dict(zip(names, words)))


def property_rows(data: bytes) -> Iterator[Row]:
    """Lines of `name=value` or `name: value`; comments are left out."""
    for line in data.decode(errors="replace").splitlines():
        if line and not line.startswith("#"):
            name, _, value = line.partition("=" if "=" in line else ":")
            yield Row("property", None, {name.strip(): value.strip()})
