"""control_records"""

from fakekafka.wire.message import Message, Struct, field, int16, int32, int64, string, uint16, uuid


class ControlRecordKey(Message, versions="0"):
    type: int16 = field("0+")


class EndTxnMarker(Message, versions="0"):
    coordinator_epoch: int32 = field("0+")


class Voter(Struct):
    voter_id: int32 = field("0+")
    voter_directory_id: uuid = field("1+")


class LeaderChangeMessage(Message, versions="0-1", flexible="0+"):
    version: int16 = field("0+")
    leader_id: int32 = field("0+")
    voters: list[Voter] = field("0+")
    granting_voters: list[Voter] = field("0+")


class SnapshotHeaderRecord(Message, versions="0", flexible="0+"):
    version: int16 = field("0+")
    last_contained_log_timestamp: int64 = field("0+")


class SnapshotFooterRecord(Message, versions="0", flexible="0+"):
    version: int16 = field("0+")


class KRaftVersionRecord(Message, versions="0", flexible="0+"):
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
    version: int16 = field("0+")
    voters: list[VotersRecordVoter] = field("0+")
