"""The ways in which record bytes can be wrong.

Brokers answer them differently, and the answers changed from release to release. So each kind that some release
distinguishes is a class of its own, which names the Java exception that it stands for; the code that answers the
request chooses the error code. All of them are `MalformedBytes`, and reading records raises nothing else.
"""

from fakekafka.errors import MalformedBytes


class CorruptUnit(MalformedBytes):
    """The frame of a unit is broken: size, magic or CRC (CorruptRecordException)."""


class InvalidRecord(MalformedBytes):
    """A unit is whole, but what it holds breaks the format's rules (InvalidRecordException)."""


class RecordsEndEarly(InvalidRecord):
    """The bytes end before the records that the batch header counts."""


class LengthPastEnd(RecordsEndEarly):
    """A format 2 record is longer than what is left of its batch, and it is not the last one, or nothing is left.

    The reader of plain batches gave null for it up to 3.0.0 (NullPointerException, error -1: KAFKA-13149). After the
    last record it would also find that bytes are left over.
    """


class OverlongLength(InvalidRecord):
    """The length of a format 2 record is a varint of more than five bytes.

    Java throws IllegalArgumentException here, outside of the code that turns it into InvalidRecordException: error -1,
    except where the records of a compressed batch are read without looking at lengths.
    """


class NegativeLength(InvalidRecord):
    """The length of a format 2 record is negative. Brokers that allocate by it (compressed batches) answer error -1."""


class FieldPastEnd(MalformedBytes):
    """The key or value of a format 0 or 1 message runs past the message (IllegalArgumentException: error -1).

    Brokers before 0.10.2 do not look at keys and values that they only store, and take such messages.
    """


class UndecodablePayload(MalformedBytes):
    """A codec refuses its stream (KafkaException around an IOException)."""


class BrokenLz4Block(UndecodablePayload):
    """An LZ4 frame goes wrong after its header: a block's checksum, or the end mark, is not there."""


class PayloadTooLarge(UndecodablePayload):
    """More comes out of a stream than `compression` allows. Brokers have no such limit."""


class UnknownCodec(UndecodablePayload):
    """No codec has this number (IllegalArgumentException: error -1 in every release)."""


class UnsupportedLz4(UndecodablePayload):
    """An LZ4 frame with linked blocks or another version (RuntimeException: error -1 in every release)."""


class PayloadEndsEarly(UndecodablePayload, InvalidRecord):
    """A gzip stream is cut (EOFException).

    Both parents are right: some releases take the cut for a batch that counts too many records, others for a stream
    that cannot be decoded, and 0.9 to 0.10.1 take what came before the cut as the whole.
    """
