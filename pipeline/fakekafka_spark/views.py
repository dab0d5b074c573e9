"""The columns of each view, and their types. The one place that spells a column's name.

    records      one row a record, with the names and types of Spark's Kafka connector first
    batches      one row a unit of the log: a batch, a wrapper message, a plain message of format 0 or 1
    index        one row an entry of an offset index; its timestamp is null but in logs of KIP-33-16-byte-entries
    timeindex    one row an entry of a time index

`timestamp` columns are microseconds in UTC, as Spark has them, and null where the milliseconds in the log do not fit;
`..._ms` columns are the number in the log. A record without a timestamp has -1, which is 23:59:59.999 on the last day
of 1969, as in the connector. `_corrupt_record` is Spark's name for the column that says what is wrong with a row.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from fakekafka.errors import UsageError

CORRUPT = "_corrupt_record"

PERMISSIVE, DROPMALFORMED, FAILFAST = MODES = ("PERMISSIVE", "DROPMALFORMED", "FAILFAST")
"""What to do about damage, in Spark's words: give what can be read and say what is wrong; leave it out; raise."""

LONG, INT, STRING, BINARY, BOOLEAN, TIMESTAMP, HEADERS = (
    "bigint", "int", "string", "binary", "boolean", "timestamp", "array<struct<key:string,value:binary>>"
)  # fmt: skip
"""Types by Spark's names."""


class View(NamedTuple):
    """A view's columns, by name: those that come by default, and those on request."""

    name: str
    default: dict[str, str]
    more: dict[str, str]
    mode: str
    """The default mode. A reader of records is a consumer, and consumers fail; a reader of batches wants to see damage.
    """

    @property
    def columns(self) -> dict[str, str]:
        return self.default | self.more

    def __reduce__(self) -> tuple[Callable[[str], "View"], tuple[str]]:
        """Pickled by name: there is one of each."""
        return view_of, (self.name,)


_PLACE = {"topic": STRING, "partition": INT}
_PRODUCER = {"producer_id": LONG, "producer_epoch": INT, "base_sequence": INT}
_UNIT = {"magic": INT, "codec": STRING, "leader_epoch": INT, **_PRODUCER, "is_transactional": BOOLEAN}

RECORDS = View(
    "records",
    {"key": BINARY, "value": BINARY, **_PLACE, "offset": LONG, "timestamp": TIMESTAMP, "timestampType": INT,
     "headers": HEADERS},
    {"timestamp_ms": LONG, "sequence": INT, **_UNIT, "is_control": BOOLEAN, "segment": LONG, "position": LONG,
     "base_offset": LONG, CORRUPT: STRING},
    FAILFAST,
)  # fmt: skip
BATCHES = View(
    "batches",
    {**_PLACE, "segment": LONG, "position": LONG, "size": INT, "base_offset": LONG, "last_offset": LONG,
     "records": INT, "timestampType": INT, "base_timestamp": TIMESTAMP, "max_timestamp": TIMESTAMP, **_UNIT,
     "is_control": BOOLEAN, "control_type": STRING, "delete_horizon": TIMESTAMP, "crc_ok": BOOLEAN, CORRUPT: STRING},
    {"base_timestamp_ms": LONG, "max_timestamp_ms": LONG, "attributes": INT},
    PERMISSIVE,
)  # fmt: skip
INDEX = View(
    "index",
    {**_PLACE, "segment": LONG, "entry": INT, "offset": LONG, "position": LONG, CORRUPT: STRING},
    {"timestamp": TIMESTAMP, "timestamp_ms": LONG},
    PERMISSIVE,
)
TIMEINDEX = View(
    "timeindex",
    {**_PLACE, "segment": LONG, "entry": INT, "timestamp": TIMESTAMP, "offset": LONG, CORRUPT: STRING},
    {"timestamp_ms": LONG},
    PERMISSIVE,
)
VIEWS = {view.name: view for view in (RECORDS, BATCHES, INDEX, TIMEINDEX)}


def view_of(name: str) -> View:
    """The view of that name. Raises `UsageError`."""
    if name not in VIEWS:
        raise UsageError(f"there is no view {name!r}: the views are {', '.join(VIEWS)}")
    return VIEWS[name]


def mode_of(view: View, name: str | None) -> str:
    """The mode of that name, in upper or lower case; None is the view's default. Raises `UsageError`."""
    mode = view.mode if name is None else name.upper()
    if mode not in MODES:
        raise UsageError(f"there is no mode {name!r}: the modes are {', '.join(MODES)}")
    return mode


def selected(view: View, columns: Sequence[str] | str | None, mode: str) -> tuple[str, ...]:
    """The columns that were asked for: None the default ones, "all" all. Raises `UsageError` for an unknown name.

    In mode PERMISSIVE the default ones include the column that says what is wrong.
    """
    if columns == "all":
        return tuple(view.columns)
    if columns is None:
        return tuple(view.default) + ((CORRUPT,) if mode == PERMISSIVE and CORRUPT not in view.default else ())
    wanted = tuple(map(str.strip, columns.split(","))) if isinstance(columns, str) else tuple(columns)
    check_columns(view, wanted, mode)
    return wanted


def check_columns(view: View, wanted: Sequence[str], mode: str) -> None:
    """Raises `UsageError` for an unknown column, and if damage among records could not be distinguished from data."""
    for name in wanted:
        if name not in view.columns:
            raise UsageError(f"view {view.name} has no column {name!r}: it has {', '.join(view.columns)}")
    if view is RECORDS and mode == PERMISSIVE and CORRUPT not in wanted:
        raise UsageError(f"mode {PERMISSIVE} needs the column {CORRUPT}, which says what is wrong with a row")


def ddl(view: View, columns: Sequence[str]) -> str:
    """The columns as a schema in Spark's language."""
    return ", ".join(f"`{name}` {view.columns[name]}" for name in columns)


def arrow_schema(view: View, columns: Sequence[str]) -> Any:
    """The columns as an Arrow schema: the one that Spark wants to see for the schema of `ddl`."""
    import pyarrow as pa

    types = _arrow_types()
    return pa.schema([pa.field(name, types[view.columns[name]]) for name in columns])


@cache
def _arrow_types() -> dict[str, Any]:
    import pyarrow as pa

    header = pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())])
    return {
        LONG: pa.int64(),
        INT: pa.int32(),
        STRING: pa.string(),
        BINARY: pa.binary(),
        BOOLEAN: pa.bool_(),
        TIMESTAMP: pa.timestamp("us", tz="UTC"),
        HEADERS: pa.list_(pa.field("element", header)),
    }
