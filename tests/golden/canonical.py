"""What may differ between two brokers' answers without counting as a difference, and answers in a form without it.

The tables below are the whole list; everything else must be equal, record bytes included (`units.py` says how these are
compared). A name is a field of any answer, or `api.field` where only one API's is meant.
"""

from collections.abc import Iterator
from enum import Enum, auto
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from fakekafka.ids import ZERO_UUID, ApiKey
from fakekafka.releases.release import Mode, Release
from fakekafka.wire.apis import response_class
from fakekafka.wire.message import FieldSpec, Response, Struct

from tests.golden.form import ANYTHING, Form, Labels
from tests.golden.units import record_units

LABELLED = {
    "member_id": "M", "join_group.leader": "M",
    "producer_id": "P", "ongoing_txn_producer_id": "P", "producer_id_start": "P",
    "cluster_id": "C", "topic_id": "T", "session_id": "S", "token_id": "D", "hmac": "H", "client_instance_id": "I",
}  # fmt: skip
"""Identities that each broker makes up, with the kinds of their labels: equal if they recur in the same places."""

MASKED = {
    "host", "port", "rack", "finalized_features_epoch", "log_dir", "total_bytes", "usable_bytes",
    "replica_directory_id", "broker_epoch", "describe_quorum.log_end_offset", "describe_quorum.high_watermark",
    "describe_quorum.last_fetch_timestamp", "describe_quorum.last_caught_up_timestamp", "documentation",
}  # fmt: skip
"""Values of the machine, and the long texts of Kafka's manual. Values that mean "none" must do so on both sides."""

UNIMPORTANT = {"throttle_time_ms"}
"""Values that may be anything."""

TIMES = {
    "log_append_time_ms", "last_timestamp", "transaction_start_time_ms", "issue_timestamp_ms", "expiry_timestamp_ms",
    "max_timestamp_ms", "issue_timestamp", "expiry_timestamp", "max_timestamp",
}  # fmt: skip
"""Also masked where the wall clock did not stand still."""

TEXTS = {"error_message", "batch_index_error_message", "acknowledge_error_message", "status_detail"}
"""Messages for people: only whether there is one counts, unless the comparison is strict about texts."""

IDENTITIES = (
    "api_key", "node_id", "broker_id", "replica_id", "group_id", "key", "member_id", "group_instance_id",
    "transactional_id", "name", "topic", "topic_name", "topic_id", "partition_index", "index", "partition",
    "partition_id", "resource_type", "resource_name", "feature", "producer_id", "user", "entity_type", "entity_name",
    "log_dir", "token_id", "subtopology_id",
)  # fmt: skip
"""Elements that have one of these are compared with their namesake, in any order: brokers keep them in hash maps …"""

ORDERED = {
    "produce.responses", "produce.partition_responses",
    "metadata.topics", "metadata.partitions", "metadata.brokers", "describe_cluster.brokers",
    "list_offsets.topics", "list_offsets.partitions", "delete_records.topics", "delete_records.partitions",
    "offset_for_leader_epoch.topics", "offset_for_leader_epoch.partitions",
    "list_groups.groups", "describe_groups.groups", "delete_groups.results",
    "consumer_group_describe.groups", "share_group_describe.groups", "streams_group_describe.groups",
    "offset_delete.topics", "offset_delete.partitions",
    "add_partitions_to_txn.results_by_topic_v3_and_below", "add_partitions_to_txn.results_by_partition",
    "add_partitions_to_txn.results_by_transaction", "add_partitions_to_txn.topic_results",
    "describe_transactions.topics", "describe_transactions.transaction_states",
    "list_transactions.transaction_states",
    "offset_commit.topics", "offset_commit.partitions",
    "txn_offset_commit.topics", "txn_offset_commit.partitions",
    "offset_fetch.topics", "offset_fetch.partitions", "offset_fetch.groups",
    "create_topics.topics", "create_topics.configs", "delete_topics.responses", "create_partitions.results",
    "describe_configs.configs", "describe_configs.results",
    "alter_configs.responses", "incremental_alter_configs.responses",
    "elect_leaders.replica_election_results", "elect_leaders.partition_result",
    "describe_log_dirs.results", "describe_log_dirs.topics", "describe_log_dirs.partitions",
    "alter_replica_log_dirs.results", "alter_replica_log_dirs.partitions",
    "alter_user_scram_credentials.results", "describe_user_scram_credentials.results", "update_features.results",
    "list_config_resources.config_resources", "describe_client_quotas.values", "describe_client_quotas.entity",
    "alter_client_quotas.entries", "alter_client_quotas.entity", "api_versions.api_keys",
    "api_versions.supported_features", "api_versions.finalized_features", "alter_partition_reassignments.responses",
    "alter_partition_reassignments.partitions", "list_partition_reassignments.topics",
    "list_partition_reassignments.partitions",
    "fetch.responses", "fetch.partitions", "fetch.aborted_transactions", "find_coordinator.coordinators",
    "leave_group.members", "describe_configs.synonyms", "describe_topic_partitions.topics",
    "describe_topic_partitions.partitions",
}  # fmt: skip
"""… except in these lists, whose order is the broker's own."""


class Spell(NamedTuple):
    """Some releases, under ZooKeeper, under KRaft, or under both."""

    since: Release = Release.parse("0.8.0")
    before: Release | None = None
    mode: Mode | None = None

    def holds(self, release: Release, mode: Mode | None) -> bool:
        """Whether a release is one of these."""
        if self.mode is not None and mode != self.mode:
            return False
        return self.since <= release and (self.before is None or release < self.before)


SHUFFLED = {
    "produce.responses": (Spell(since=Release.parse("4.1.0")),),
    "produce.partition_responses": (Spell(since=Release.parse("4.1.0")),),
    "delete_topics.responses": (Spell(before=Release.parse("1.0.0")), Spell(mode="kraft")),
    "create_partitions.results": (Spell(before=Release.parse("2.5.0")),),
    "describe_configs.results": (Spell(before=Release.parse("2.7.0")),),
    "alter_configs.responses": (Spell(before=Release.parse("3.2.0")),),
    "incremental_alter_configs.responses": (Spell(before=Release.parse("3.2.0"), mode="kraft"),),
}
"""When an order differs from run to run: brokers shuffle the list, or the keys of a hash map are ids that they make up,
or enumerations or errors, to which a JVM gives other hash codes each time."""

SHUFFLED_IF_LONG = {"incremental_alter_configs.responses": (Spell(before=Release.parse("3.2.0"), mode="zk"),)}
"""Likewise, but not if the map is so small that Scala keeps the order in which it was filled."""
SMALL_MAP = 4
IF_LONG = " (if long)"

REFUSED_SHUFFLED = {"metadata.topics": (Spell(since=Release.parse("0.10.0.0"), before=Release.parse("2.6.0")),)}
"""When, if more than a few were asked for, those without an answer are in hash sets of objects, whose hash codes a JVM
makes up (KafkaApis.getTopicMetadata)."""

PARTLY_ORDERED = {
    "describe_configs.configs": (Spell(before=Release.parse("2.4.0")), Spell(since=Release.parse("4.2.0"))),
}
"""When an order is the broker's except within buckets of a hash map, where it follows from the order of definition."""

UNORDERED = {
    "describe_client_quotas.entries", "describe_acls.resources", "describe_acls.acls",
    "delete_acls.matching_acls", "describe_user_scram_credentials.credential_infos",
}  # fmt: skip
"""Lists whose elements no field identifies, but whose order is still a hash map's."""

SETS = {
    "sasl_handshake.mechanisms", "consumer_group_heartbeat.partitions", "consumer_group_describe.partitions",
    "subscribed_topic_names",
}  # fmt: skip
"""Lists of plain values in any order."""

MACHINE_CONFIGS = {
    "log.dir", "log.dirs", "metadata.log.dir", "listeners", "advertised.listeners", "zookeeper.connect", "port",
    "host.name", "advertised.port", "advertised.host.name", "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
}  # fmt: skip
"""Configs whose values in DescribeConfigs do not count."""

A_TEXT = "(a text)"
METADATA_TOPIC_ID = bytes(15) + b"\1"
NONE_AT_ALL = (None, "", b"", -1, 0, False, ZERO_UUID, METADATA_TOPIC_ID)
"""Values that identify nothing. They are never labelled or masked."""


class _How(Enum):
    """What becomes of a field."""

    AS_IT_IS = auto()
    ANYTHING = auto()
    MASK = auto()
    MASK_TIME = auto()
    MASK_CONFIG = auto()
    LABEL = auto()
    TEXT = auto()
    RECORDS = auto()
    STRUCT = auto()
    PLAIN_LIST = auto()
    SET = auto()
    LIST = auto()
    LIST_IF_SHORT = auto()
    LIST_WITH_REFUSED = auto()
    BY_IDENTITY = auto()
    UNORDERED = auto()


class _Field(NamedTuple):
    name: str
    how: _How
    kind: str = ""
    """The kind of the label."""
    members: "tuple[_Field, ...]" = ()
    """The fields of a struct, or of a list's elements."""
    keys: tuple[str, ...] = ()
    """What identifies an element."""
    labelled: bool = False
    """Whether the field has labels in it."""


def canonical(answer: Response, version: int, labels: Labels) -> dict[str, Form]:
    """The form of an answer."""
    return _struct(answer, _plan(ApiKey(answer.KEY), version, _by_chance(labels.release, labels.mode)), labels)


def says_it_all(key: ApiKey, version: int) -> bool:
    """Whether answers of this kind hold nothing that is labelled, so that equal bytes need no further comparison."""
    return not any(field.labelled for field in _plan(key, version))


# ---- the plan: what to do with each field of a struct


@cache
def _by_chance(release: Release | None, mode: Mode | None) -> frozenset[str]:
    """The lists that come in no certain order."""
    if release is None:
        return frozenset()
    long_ones = {name + IF_LONG: spells for name, spells in SHUFFLED_IF_LONG.items()}
    uncertain = SHUFFLED | long_ones | REFUSED_SHUFFLED | PARTLY_ORDERED
    return frozenset(name for name, spells in uncertain.items() if any(spell.holds(release, mode) for spell in spells))


@cache
def _plan(key: ApiKey, version: int, by_chance: frozenset[str] = frozenset()) -> tuple[_Field, ...]:
    return _fields(response_class(key), key, version, by_chance)


def _fields(cls: type[Struct], key: ApiKey, version: int, by_chance: frozenset[str]) -> tuple[_Field, ...]:
    specs = ((name, spec) for name, spec in cls.FIELDS.items() if version in spec.versions)
    return tuple(_field(name, spec, key, version, by_chance) for name, spec in specs)


def _field(name: str, spec: FieldSpec, key: ApiKey, version: int, by_chance: frozenset[str]) -> _Field:
    names = {name, f"{key.name.lower()}.{name}"}
    members = () if spec.struct is None else _fields(spec.struct, key, version, by_chance)
    labelled = any(m.labelled for m in members)
    if names & UNIMPORTANT:
        return _Field(name, _How.ANYTHING)
    if spec.is_array and spec.struct is not None:
        keys = tuple(x for x in IDENTITIES if x in {m.name for m in members})
        ordered = names & ORDERED - by_chance
        how = _How.LIST if ordered or not keys else _How.BY_IDENTITY
        if f"{key.name.lower()}.{name}{IF_LONG}" in by_chance:
            how = _How.LIST_IF_SHORT
        if names & REFUSED_SHUFFLED.keys() & by_chance:
            how = _How.LIST_WITH_REFUSED
        if names & UNORDERED:
            how = _How.UNORDERED
        return _Field(name, how, members=members, keys=keys, labelled=labelled)
    if spec.is_array:
        return _Field(name, _How.SET if names & SETS else _How.PLAIN_LIST)
    if spec.struct is not None:
        return _Field(name, _How.STRUCT, members=members, labelled=labelled)
    if spec.kind == "records":
        return _Field(name, _How.RECORDS, labelled=True)
    for label in names & LABELLED.keys():
        return _Field(name, _How.LABEL, kind=LABELLED[label], labelled=True)
    return _Field(name, _how_plain(names))


def _how_plain(names: set[str]) -> _How:
    if names & MASKED:
        return _How.MASK
    if names & TIMES:
        return _How.MASK_TIME
    if names & TEXTS:
        return _How.TEXT
    return _How.MASK_CONFIG if "describe_configs.value" in names else _How.AS_IT_IS


# ---- carrying it out


def _struct(value: Struct, fields: tuple[_Field, ...], labels: Labels) -> dict[str, Form]:
    return {field.name: _value(getattr(value, field.name), field, value, labels) for field in fields}


def _value(value: Any, field: _Field, parent: Struct, labels: Labels) -> Form:
    how = field.how
    if how is _How.AS_IT_IS:
        return value  # type: ignore[no-any-return]
    if how is _How.ANYTHING:
        return ANYTHING
    if value is None:
        return None
    match how:
        case _How.MASK:
            return _masked(value)
        case _How.MASK_TIME:
            return value if labels.frozen else _masked(value)
        case _How.MASK_CONFIG:
            return _masked(value) if getattr(parent, "name", None) in MACHINE_CONFIGS else value
        case _How.LABEL:
            return _label(value, field.kind, labels)
        case _How.TEXT:
            return labels.in_text(value) if labels.strict_text and value else A_TEXT if value else value
        case _How.RECORDS:
            return record_units(value, labels) if value else b""
        case _How.STRUCT:
            return _struct(value, field.members, labels)
        case _How.SET:
            return sorted(value)
        case _How.LIST_IF_SHORT if len(value) > SMALL_MAP:
            return _by_identity(value, field, labels)
        case _How.LIST_WITH_REFUSED if len(value) > SMALL_MAP:
            return [_struct(x, field.members, labels) for x in _with_refused_in_order(value)]
        case _How.LIST | _How.LIST_IF_SHORT | _How.LIST_WITH_REFUSED:
            return [_struct(x, field.members, labels) for x in value]
        case _How.UNORDERED:
            return sorted((_struct(x, field.members, labels) for x in value), key=repr)
        case _How.BY_IDENTITY:
            return _by_identity(value, field, labels)
    return list(value)


def _with_refused_in_order(rows: list[Any]) -> Iterator[Any]:
    """The rows, but those in a row that have the same error by their names."""
    for error, some in groupby(rows, key=lambda row: row.error_code):
        rows_alike = list(some)
        yield from sorted(rows_alike, key=lambda row: row.name) if error else rows_alike


def _text(value: Form) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def _masked(value: Form) -> Form:
    return value if value in NONE_AT_ALL else ANYTHING


def _label(value: int | str | bytes, kind: str, labels: Labels) -> Form:
    if kind == "P" and value == 0:  # a producer id like any other
        return labels.of("P", value)
    if value in NONE_AT_ALL:
        return value
    return labels.member(value) if isinstance(value, str) and kind == "M" else labels.of(kind, value)


def _by_identity(elements: list[Struct], field: _Field, labels: Labels) -> dict[str, Form]:
    """The elements by their identity. Labels are given in an order that does not depend on identities."""
    if field.labelled and len(elements) > 1:
        with labels.preview():
            previews = {id(x): repr(_struct(x, field.members, labels)) for x in elements}
        elements = sorted(elements, key=lambda x: previews[id(x)])
    found: dict[str, Form] = {}
    for element in elements:
        form = _struct(element, field.members, labels)
        identity = ",".join(f"{key}={_text(form[key])}" for key in field.keys)
        while identity in found:  # the same identity twice
            identity += "'"
        found[identity] = form
    return found
