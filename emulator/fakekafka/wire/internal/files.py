"""Messages in files beside the log: .txnindex, .snapshot, quorum-state. Not the files themselves.

.txnindex       int16 version, 0 | AbortedTxn                    34 bytes, one entry after the other
.snapshot       int16 version, 1 | ProducerSnapshot              the checksum covers everything after itself
quorum-state    JSON, with the fields of QuorumStateData under their Kafka names, and data_version
"""

from fakekafka.wire.message import Message, Struct, field, int16, int32, int64, string, uint32, uuid


class AbortedTxn(Message, versions="0"):
    """An aborted transaction of one producer in one segment (KIP-98)."""

    producer_id: int64 = field("0+")
    first_offset: int64 = field("0+")
    last_offset: int64 = field("0+")  # of the abort marker
    last_stable_offset: int64 = field("0+")  # when the marker was written


class ProducerEntry(Struct):
    producer_id: int64 = field("1+")
    epoch: int16 = field("1+")
    last_sequence: int32 = field("1+")  # -1: only a marker was seen
    last_offset: int64 = field("1+")
    offset_delta: int32 = field("1+")  # last_offset less the first offset of the last batch
    timestamp: int64 = field("1+")  # milliseconds, of the last batch
    coordinator_epoch: int32 = field("1+")  # -1: no marker was seen
    current_txn_first_offset: int64 = field("1+")  # -1: no transaction is open


class ProducerSnapshot(Message, versions="1"):
    """The producers of a partition at one offset, which is the file's name."""

    crc: uint32 = field("1+")  # CRC-32C of byte 6 to the end
    producer_entries: list[ProducerEntry] = field("1+")


class Voter(Struct):
    voter_id: int32 = field("0")


class QuorumStateData(Message, versions="0-1", flexible="0+"):
    """The vote of a KRaft voter. v1 has the directory id, and no list of voters (KIP-853)."""

    cluster_id: string = field("0")
    leader_id: int32 = field("0+", default=-1)  # -1: none
    leader_epoch: int32 = field("0+", default=-1)  # -1: none
    voted_id: int32 = field("0+", default=-1)  # -1: none
    applied_offset: int64 = field("0")
    current_voters: list[Voter] | None = field("0")
    voted_directory_id: uuid = field("1+")
