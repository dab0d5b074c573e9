"""Keys and values of the records in control batches: transaction markers, and what a KRaft leader writes.

    key     int16 version, 0 | ControlRecordKey
    value   int16 version    | EndTxnMarker             types 0 and 1
            the message alone, its version in it        all others (KIP-595, KIP-630, KIP-853)

`RECORDS` says which type has which value.
"""

from fakekafka.wire.message import Message, Struct, field, int16, int32, int64, string, uint16, uuid


class ControlRecordKey(Message, versions="0"):
    type: int16 = field("0+")  # a key of `RECORDS`; readers ignore types that they do not know


class EndTxnMarker(Message, versions="0"):
    """A transaction ends here: type 0 aborted, type 1 committed (KIP-98)."""

    coordinator_epoch: int32 = field("0+")


class Voter(Struct):
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("1+")


class LeaderChangeMessage(Message, versions="0-1", flexible="0+"):
    """A leader was elected: the first record of its epoch. v1 has directory ids (KIP-853).

    2.7 and 2.8 had other layouts.
    """

    version: int16 = field("0+")
    leader_id: int32 = field("0+")
    voters: list[Voter] = field("0+")
    granting_voters: list[Voter] = field("0+")


class SnapshotHeaderRecord(Message, versions="0", flexible="0+"):
    """First record of a snapshot (KIP-630)."""

    version: int16 = field("0+")
    last_contained_log_timestamp: int64 = field("0+")  # milliseconds


class SnapshotFooterRecord(Message, versions="0", flexible="0+"):
    """Last record of a snapshot (KIP-630)."""

    version: int16 = field("0+")


class KRaftVersionRecord(Message, versions="0", flexible="0+"):
    """The level of the feature kraft.version (KIP-853)."""

    version: int16 = field("0+")
    k_raft_version: int16 = field("0+")


class Endpoint(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")


class KRaftVersionFeature(Struct):
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class VotersRecordVoter(Struct):
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("0+")
    endpoints: list[Endpoint] = field("0+")
    k_raft_version_feature: KRaftVersionFeature = field("0+")


class VotersRecord(Message, versions="0", flexible="0+"):
    """The voters from here on (KIP-853)."""

    version: int16 = field("0+")
    voters: list[VotersRecordVoter] = field("0+")


RECORDS: dict[int, type[Message]] = {
    0: EndTxnMarker,
    1: EndTxnMarker,
    2: LeaderChangeMessage,
    3: SnapshotHeaderRecord,
    4: SnapshotFooterRecord,
    5: KRaftVersionRecord,
    6: VotersRecord,
}
"""Type of a control record -> its value."""
