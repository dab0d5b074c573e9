"""files"""

from fakekafka.wire.message import Message, Struct, field, int16, int32, int64, string, uint32, uuid


class AbortedTxn(Message, versions="0"):
    producer_id: int64 = field("0+")
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")
    last_stable_offset: int64 = field("0+")


class ProducerEntry(Struct):
    producer_id: int64 = field("1+")
    epoch: int16 = field("1+")
    last_sequence: int32 = field("1+")
    last_offset: int64 = field("1+")
    offset_delta: int32 = field("1+")
    timestamp: int64 = field("1+")
    coordinator_epoch: int32 = field("1+")
    current_txn_first_offset: int64 = field("1+")


class ProducerSnapshot(Message, versions="1"):
    crc: uint32 = field("1+")
    producer_entries: list[ProducerEntry] = field("1+")


class Voter(Struct):
    voter_id: int32 = field("0")


class QuorumStateData(Message, versions="0-1", flexible="0+"):
    cluster_id: string = field("0")
    leader_id: int32 = field("0+", default=-1)
    leader_epoch: int32 = field("0+", default=-1)
    voted_id: int32 = field("0+", default=-1)
    applied_offset: int64 = field("0")
    current_voters: list[Voter] | None = field("0")
    voted_directory_id: uuid = field("1+")
