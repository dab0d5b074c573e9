"""Appending: what becomes of a set of records on its way into a log, before the log sees it.

Three eras. Up to 0.10.2 a set is messages of format 0, then of formats 0 and 1 (ByteBufferMessageSet, in 0.10.2
LogValidator over Java's records). From 0.11 on it is batches, one kind of which is the format 2 batch (LogValidator).
The first group of fields applies in every era, the second to messages, the third to batches. Which format a topic has
is in `log`.
"""

from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history

Era: TypeAlias = Literal["up to 0.9", "from 0.10", "from 0.11", "first draft of KIP-31", "first draft of KIP-98"]


class AppendBehaviour(Behaviours):
    """How sets are checked, given offsets, converted and compressed (Log.append, LogValidator)."""

    # ---------------------------------------------------------------- all

    era: Era = history({"0.8.0": "up to 0.9", "0.10.0": "from 0.10", "0.11.0": "from 0.11"})
    """Which code a set goes through (`records.append`): that of one message format, of two (KIP-31, KIP-32), or of
    batches (KIP-98). Values that no release has are those of drafts."""

    size_checked: Literal["after", "before"] = history({"0.8.0": "after", "0.8.2": "before"})
    """When each unit of a set is measured against max.message.bytes: as it will be stored; or as it came, and again if
    it was rebuilt (Log.append)."""

    @cached_property
    def measures_as_sent(self) -> bool:
        """Whether units are measured as they came."""
        match self.size_checked:
            case "before":
                return True
            case "after":
                return False
            case word:
                assert_never(word)

    invalid_record: ErrorCode = history({"0.8.0": ErrorCode.CORRUPT_MESSAGE, "2.4": ErrorCode.INVALID_RECORD})
    """A record that a batch may not hold: no key in a compacted topic, offsets out of step, and so on (KIP-467).
    Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    inner_crc: Literal["never", "in place", "always"] = history(
        {"0.8.0": "never", "0.10.0": "in place", "0.11.0": "always"}
    )
    """When the checksums inside a wrapper are verified; "in place": only if the wrapper is stored as it came. Recorded
    from 0.8.2.2 to 0.11.0.3: produce_refusals."""

    missing_timestamp_passes: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a record without a timestamp (-1) is exempt from the limits on timestamps (KIP-32). Recorded from
    0.10.0.1 to 0.11.0.3: produce_timestamps."""

    snappy_block: Literal[32768, 1024, 0] = history(
        {"0.8.0": 32768, "0.8.2": 0, "0.8.2.2": 32768, "0.10.2": 1024, "0.11.0": 32768}
    )
    """Bytes of a snappy block where the broker compresses (KAFKA-5236); 0: as the messages are written, mostly one in a
    block (`xerial.BY_WRITES`, KAFKA-2189; 0.8.2.0 and 0.8.2.1 were asked). Recorded from 0.8.2.2 to 0.11.0.3:
    produce_formats."""

    old_format_append_time: Literal["indexed", "indexed if rebuilt", "no time"] = history(
        {"0.8.0": "no time", "0.10.2": "indexed", "3.8": "indexed if rebuilt", "3.9": "no time"}
    )
    """What the time index gets where LogAppendTime meets format 0, which has no timestamps: the append time, or
    nothing; in 3.8 it gets the append time for compressed sets and nothing for others (KAFKA-16341). Before 0.10.2:
    ByteBufferMessageSet.scala. Recorded from 3.5.2 to 3.9.1: produce_formats_zk."""

    # ---------------------------------------------------------------- messages

    codec_bits: Literal[2, 3] = history({"0.8.0": 2, "0.8.2": 3})
    """How many bits of a message's attributes name its codec (Message.scala). LZ4 came with the third one."""

    keyless_messages: Literal["taken", "refused, empty keys too", "refused"] = history(
        {"0.8.0": "taken", "0.9.0": "refused, empty keys too", "0.10.0": "refused"}
    )
    """Messages without a key in a compacted topic (KAFKA-1755). In 0.9 an empty key counts as no key, unless the set is
    compressed. Recorded from 0.8.2.2 to 0.10.0.1: produce_refusals."""

    lz4_header: Literal["broken", "by format"] = history({"0.8.0": "broken", "0.10.0": "by format"})
    """The header checksum that LZ4 frames must have: the one computed over too many bytes; or the right one, with any
    accepted in format 0 (KAFKA-3160). Recorded from 0.8.2.2 to 0.10.0.1: produce_formats."""

    nested_wrapper: Literal["opened", "kept", "refused"] = history(
        {"0.8.0": "opened", "0.9.0": "kept", "0.10.0": "refused"}
    )
    """A wrapper in a wrapper: its messages are taken out; it is stored as if it were a plain message; or error 2.
    Recorded from 0.8.2.2 to 0.10.2.2: produce_refusals."""

    @cached_property
    def refuses_nested(self) -> bool:
        """Whether it is refused."""
        match self.nested_wrapper:
            case "refused":
                return True
            case "opened" | "kept":
                return False
            case word:
                assert_never(word)

    empty_wrapper: Literal["nothing to store", "error"] = history({"0.8.0": "nothing to store", "0.10.2": "error"})
    """A wrapper without messages: error 0 and the offset that the next record will get, or error -1. Recorded from
    0.8.2.2 to 0.10.2.2: produce_refusals."""

    undecodable: ErrorCode = history(
        {
            "0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR,
            "0.10.0": ErrorCode.CORRUPT_MESSAGE,
            "0.10.2": ErrorCode.UNKNOWN_SERVER_ERROR,
        }
    )
    """A compressed payload that its codec refuses. Recorded from 0.8.2.2 to 4.3.1: produce_refusals."""

    broken_lz4_block: Literal["undecodable", "fails in format 0"] = history(
        {"0.8.0": "undecodable", "0.10.0": "fails in format 0", "0.10.0.1": "undecodable"}
    )
    """An LZ4 frame that is broken after its header: error -1 for a message of format 0, instead of `undecodable`.
    Recorded from 0.10.0.0 (only there) and 0.10.0.1: produce_refusals."""

    cut_wrapper: Literal["error", "ends there"] = history(
        {"0.8.0": "error", "0.9.0": "ends there", "0.10.2.2": "error"}
    )
    """A gzip stream that is cut: it is undecodable, or the messages before the cut are taken as the whole, also when
    they are converted for a client. Recorded from 0.8.2.2 to 0.10.2.2: client_questions."""

    length_past_end: Literal["fails", "refused"] = history({"0.8.0": "fails", "3.0.1": "refused"})
    """A record of a plain batch, other than the last, that is longer than the rest of the batch: error -1, or that of
    an invalid record (KAFKA-13149, DefaultRecord.readFrom). Asked of 0.11.0.3, 2.3.1, 3.0.0 and 3.0.1."""

    conversion: Literal["cut and paste", "rewritten"] = history({"0.8.0": "cut and paste", "0.10.2": "rewritten"})
    """How a message gets into the other format, where there are two. Cut and paste moves bytes
    (Message.convertToBuffer), even those of messages that had the wanted format already and only stood beside others:
    these break, or fail with -1. Rewritten ones are made from key and value (Record.convertTo). Recorded from 0.10.0.1
    to 0.10.1.1: produce_shapes; asked of 0.10.2.2."""

    plain_append_time_at: Literal["first", "last"] = history({"0.8.0": "first", "0.10.2": "last"})
    """The offset that the time index gets with the append time of plain messages that were rebuilt, of which there may
    be many (ByteBufferMessageSet.scala; LogValidator @ 0.10.2, where it is the last one even without any timestamp)."""

    inner_offsets: Literal["from the last", "from the base"] = history(
        {"0.8.0": "from the last", "0.10.2": "from the base"}
    )
    """How the offsets inside a format 1 wrapper are made absolute. From the base: only if that is not negative
    (RecordsIterator.java). Recorded from 0.10.0.1 to 0.10.1.1: produce_shapes; asked of 0.10.2.2."""

    mixed_wrapper: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "0.10.1": ErrorCode.CORRUPT_MESSAGE})
    """A wrapper with messages of the other format inside (KAFKA-4298). Recorded from 0.10.0.1 to 0.10.1.1:
    produce_shapes; asked of 0.10.2.2."""

    wrapper_time: Literal["kept", "largest inside"] = history({"0.8.0": "kept", "0.10.1": "largest inside"})
    """The timestamp of a wrapper that is stored in place under CreateTime. Recorded from 0.10.0.1 to 0.10.1.1:
    produce_timestamps."""

    stamped_crc: Literal["of the unit", "to the end"] = history(
        {"0.8.0": "of the unit", "0.10.0": "to the end", "0.10.2": "of the unit"}
    )
    """What the checksum covers of a wrapper that is stamped in place because of its timestamp. Where more units follow
    it in the set, their bytes count, too, and the stored checksum is wrong (ByteBufferMessageSet makes a message of all
    that is left of the buffer). Asked of 0.10.0.1, 0.10.1.1 and 0.10.2.2."""

    # ---------------------------------------------------------------- batches

    several_batches: Literal["taken", "refused"] = history({"0.8.0": "taken", "2.4": "refused"})
    """More than one unit where one is of format 2 or compressed, or units of different formats (KAFKA-8106).
    Recorded from 2.3.1 to 2.7.2: produce_shapes; asked of 2.4.1."""

    batch_counts: Literal["any", "not zero", "consistent"] = history(
        {"0.8.0": "any", "0.11.0.1": "not zero", "1.1": "consistent"}
    )
    """What is demanded of a format 2 batch's count of records: nothing, that it is not 0 (KAFKA-5490), or that its last
    offset delta agrees (KAFKA-6554). Recorded from 0.11.0.0 to 1.1.1: produce_refusals."""

    offset_gaps: Literal["rebuilt", "refused"] = history({"0.8.0": "rebuilt", "2.4": "refused", "2.5.1": "rebuilt"})
    """Compressed records whose offsets are not 0, 1, 2 and so on (KAFKA-8106, KAFKA-9669). Asked of 2.3.1, 2.4.1 and
    2.5.1."""

    compressed_reader: Literal["whole", "skipping", "skipping, lengths ignored"] = history(
        {"0.8.0": "whole", "2.6": "skipping", "3.6": "skipping, lengths ignored"}
    )
    """How the records of a compressed batch that will probably be stored unchanged are read: whole; without keys and
    values, so that it can no longer be rebuilt; or without even checking lengths (KAFKA-8106, KAFKA-14633). Recorded
    from 2.3.1 to 4.3.1: produce_shapes; asked of 17 releases about broken lengths."""

    @cached_property
    def ignores_lengths(self) -> bool:
        """Whether lengths are not checked."""
        match self.compressed_reader:
            case "skipping, lengths ignored":
                return True
            case "whole" | "skipping":
                return False
            case word:
                assert_never(word)

    wrapper_offset: Literal["any", "checked"] = history({"0.8.0": "any", "0.11.0": "checked"})
    """Whether a format 1 wrapper is refused if its offset is below that of its last message and not 0 (KAFKA-5365).
    Recorded from 0.11.0.3 to 3.9.1: produce_shapes."""

    producer_in_old_format: Literal["refused", "forgotten"] = history({"0.8.0": "refused"})
    """A batch of an idempotent producer on a topic of format 0 or 1: error 43; or its producer is left out. No release
    does the latter; a quirk asks for it. Recorded from 0.11.0.3 to 2.8.2: produce_refusals."""

    newest_codec: Literal[3, 4] = history({"0.8.0": 3, "2.1": 4})
    """The highest codec that the release knows: LZ4 or zstd (KIP-110). A higher one gets -1; zstd in a message gets 2
    or 87. Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    zstd_needs_protocol: bool = history({"0.8.0": False, "2.2": True})
    """Whether zstd is refused with 76 below inter.broker.protocol.version 2.1 (KAFKA-7920)."""

    flagged_append_time: Literal["refused", "passes with a good time"] = history(
        {"0.8.0": "refused", "3.6": "passes with a good time"}
    )
    """A client's batch that says LogAppendTime: error 32; or error 32 only on LogAppendTime topics and for records
    without a timestamp (KIP-937). Recorded from 3.5.2 to 3.9.1: produce_timestamps."""

    plain_time_offset: Literal["record", "unit"] = history({"0.8.0": "record", "3.7": "unit"})
    """The offset that the time index gets with the largest timestamp of an uncompressed set: that of its record, or the
    last of its unit (KAFKA-16310). Recorded from 3.5.2 to 3.9.1: storage_index."""

    record_errors: Literal["none", "first without text", "all"] = history(
        {"0.8.0": "none", "2.4": "first without text", "2.5": "all"}
    )
    """What is reported about single records (KIP-467): up to 2.4 the first bad one ends the check. Recorded from 2.4.1
    to 4.3.1: produce_refusals."""

    @cached_property
    def reports_records(self) -> bool:
        """Whether anything is reported."""
        match self.record_errors:
            case "first without text" | "all":
                return True
            case "none":
                return False
            case word:
                assert_never(word)

    @cached_property
    def reports_all_records(self) -> bool:
        """Whether every bad record is reported."""
        match self.record_errors:
            case "all":
                return True
            case "none" | "first without text":
                return False
            case word:
                assert_never(word)

    keyless_text: str = history(
        {
            "0.8.0": "Compacted topic cannot accept message without key in topic partition {partition}.",
            "3.5": "Compacted topic cannot accept message without key in topic partition {partition}",
        }
    )
    """What is said about a record without a key (LogValidator). Recorded from 2.4.1 to 4.3.1: produce_refusals."""

    rejection_text: Literal["short", "with the first errors"] = history(
        {"0.8.0": "short", "3.2": "with the first errors"}
    )
    """What Produce 8+ says about a set with bad records (KAFKA-13694).
    Recorded from 3.0.2 to 3.9.1: produce_refusals."""

    known_attributes: Literal[0x3F, 0x7F] = history({"0.8.0": 0x3F, "3.1": 0x7F})
    """The attribute bits that are kept when a broker rewrites a batch's attributes; the new one is the delete horizon
    (KIP-534)."""
