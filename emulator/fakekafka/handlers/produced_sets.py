"""What a Produce request contains: its sets of records, and whether its version may carry them.

The first step of `produce`. Only the first unit of a set is checked, and whether there is another
(ProduceRequest.validateRecords); the append checks the rest. Some releases check while they read the request, which
closes the connection, others later.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias, assert_never

from fakekafka.cluster.known_topics import known_partition
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.handlers.produce_versions import VERSIONS, ProduceVersion
from fakekafka.ids import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    Buffer,
    PartitionIndex,
    ProducerEpoch,
    ProducerId,
    Sequence,
    TopicName,
    Uuid,
)
from fakekafka.records import scan
from fakekafka.records.attributes import CODEC, TRANSACTIONAL
from fakekafka.records.compression import ZSTD
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.v2 import ATTRIBUTES_AT, HEADER_BYTES, RecordBatch
from fakekafka.releases.behaviours.produce import ProduceBehaviour
from fakekafka.wire.apis.produce import ProduceRequest

PRODUCER_END: Final = 51
"""Where the producer id of a batch ends. Releases that check it while they read the request require it to be there."""

RequestedPartition: TypeAlias = tuple[TopicName, Uuid, PartitionIndex]
"""A partition as the request names it: versions with topic ids have "" for the name, others zeros for the id."""


class Validation(NamedTuple):
    """What is known about a set before it is appended."""

    error: ErrorCode = ErrorCode.NONE
    spoils: str | None = None
    """The message if the set fails the whole request."""
    transactional: bool = False
    producer_id: ProducerId = NO_PRODUCER_ID
    producer_epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    base_sequence: Sequence = NO_SEQUENCE


PLAIN: Final = Validation()
"""A set that may be appended and is not part of a transaction."""


class ProducedSet(NamedTuple):
    """One set of the request."""

    topic: TopicName
    """ "" if the request gives an unknown topic id."""
    partition_index: PartitionIndex
    records: Buffer | None
    validation: Validation


def read_sets(request: ProduceRequest, call: Call) -> dict[RequestedPartition, ProducedSet] | Outcome:
    """The sets of a request, or an outcome if one of them makes the request unreadable. Of two sets for one partition,
    the last counts: real brokers put them into a map.
    """
    version, rules, knows_zstd = VERSIONS[call.version], call.profile.produce, call.profile.append.newest_codec >= ZSTD
    validated = validate_first_set if call.broker.cluster.drafts.first_sets else validate
    sets: dict[RequestedPartition, ProducedSet] = {}
    for topic in request.topic_data:
        name = _name_of(topic.topic_id, call) if version.topic_ids else topic.name
        for data in topic.partition_data:
            records = data.records
            if records is None:
                if (outcome := _of_null(rules, name, data.index, call)) is not None:
                    return outcome
                validation: Validation | None = PLAIN
            else:
                assert not isinstance(records, list)
                validation = validated(records, version, rules, knows_zstd)
            if validation is None:
                return Outcome.CLOSE
            place = topic.name, topic.topic_id, data.index
            if place not in sets or not sets[place].validation.spoils:  # what spoils the request has been met
                sets[place] = ProducedSet(name, data.index, records, validation)
    return sets


def _of_null(rules: ProduceBehaviour, name: TopicName, index: PartitionIndex, call: Call) -> Outcome | None:
    """What becomes of a request with records that are null; None: it is answered."""
    match rules.null_records:
        case "close":
            return Outcome.CLOSE
        case "silent":
            return Outcome.SILENCE
        case "hang":  # when they are appended (asked of 3.8.0)
            return Outcome.HANG if known_partition(call.broker, name, index) is not None else None
        case "answered" | "answered twice":
            return None
        case rule:
            assert_never(rule)


def _name_of(topic_id: Uuid, call: Call) -> TopicName:
    cluster = call.broker.cluster
    known = cluster.topics_by_id if cluster.news is None else cluster.news.topic_ids(call.broker.node_id)
    topic = known.get(topic_id)
    return "" if topic is None else topic.name


def validate(records: Buffer, version: ProduceVersion, rules: ProduceBehaviour, knows_zstd: bool) -> Validation | None:
    """Whether the version may carry this set; None if the request cannot be read, so that the connection closes."""
    if version.zstd and len(records) >= HEADER_BYTES:  # a whole batch and nothing else, as nearly always
        _, size, magic = scan.PREFIX.unpack_from(records)
        if magic == 2 and size == len(records) - scan.LOG_OVERHEAD and not records[ATTRIBUTES_AT + 1] & TRANSACTIONAL:
            return PLAIN
    if not version.one_batch and not rules.transactional_id_checked:
        return PLAIN
    walk = scan.units(records)
    try:
        first = next(walk, None)
    except CorruptUnit:
        return None if _closes(version, rules) else Validation(ErrorCode.CORRUPT_MESSAGE, _complaint(records))
    if first is None:
        return None if _closes(version, rules) else _empty(version, rules)
    if first.magic >= 2 and first.size < PRODUCER_END and _closes(version, rules):
        return None
    error = ErrorCode.NONE
    if version.one_batch:
        fault = _fault(first, walk, records, version, rules, knows_zstd)
        if fault is None:
            return None
        error = fault
    if first.magic < 2 or first.size < HEADER_BYTES:
        return Validation(error) if error else PLAIN
    batch = RecordBatch(memoryview(records)[: first.size])
    producer = batch.producer_id, batch.producer_epoch, batch.base_sequence
    return Validation(error, None, batch.is_transactional, *producer)


def validate_first_set(
    records: Buffer, version: ProduceVersion, rules: ProduceBehaviour, knows_zstd: bool
) -> Validation | None:
    """Validate a set of KIP-98's first draft; any other is validated as usual."""
    from fakekafka.records.drafts.first_set import FirstSet, is_first_set

    if len(records) < PRODUCER_END or not is_first_set(records):
        return validate(records, version, rules, knows_zstd)
    batch = FirstSet(records)
    producer = batch.producer_id, batch.producer_epoch, batch.base_sequence
    return Validation(ErrorCode.NONE, None, batch.is_transactional, *producer)


def _closes(version: ProduceVersion, rules: ProduceBehaviour) -> bool:
    """Whether a set that is empty, or whose first unit is cut or impossible, closes the connection."""
    return (rules.malformed_batch if version.one_batch else rules.malformed_entry) == "close"


def _empty(version: ProduceVersion, rules: ProduceBehaviour) -> Validation:
    """A set without a whole unit. Old versions leave it to the log, which appends nothing."""
    return Validation(rules.not_one_batch or ErrorCode.NONE) if version.one_batch else PLAIN


def _complaint(records: Buffer) -> str:
    """The message of brokers about a unit of impossible size or magic (ByteBufferLogInputStream)."""
    _, size, magic = scan.PREFIX.unpack_from(bytes(records[: scan.PREFIX.size]).ljust(scan.PREFIX.size, b"\0"))
    if size < scan.MIN_SIZE:
        return f"Record size {size} is less than the minimum record overhead ({scan.MIN_SIZE})"
    return f"Invalid magic found in record: {magic}"


def _fault(
    first: scan.Unit,
    rest: Iterator[scan.Unit],
    records: Buffer,
    version: ProduceVersion,
    rules: ProduceBehaviour,
    knows_zstd: bool,
) -> ErrorCode | None:
    """What is wrong with a set that should be one batch; None if it closes the connection."""
    if first.magic != 2:
        return rules.not_one_batch
    if not version.zstd and knows_zstd and records[ATTRIBUTES_AT + 1] & CODEC == ZSTD:
        return None if rules.not_one_batch is None else ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    try:
        return ErrorCode.NONE if next(rest, None) is None else rules.not_one_batch
    except CorruptUnit:
        return None if rules.not_one_batch is None else ErrorCode.CORRUPT_MESSAGE
