"""The log cleaner: what compaction removes, and what its new segments look like.

Every date is from the release's own sources (LogCleaner, LogCleanerManager, MemoryRecords.filterTo; the ticket is named
where there is one). "Recorded" means that the files and answers of storage_compact, 0.8.2.2 to 4.3.1, are reproduced.
"""

from functools import cached_property
from typing import Literal, assert_never

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class CleanerBehaviour(Behaviours):
    """Compaction of one log (Cleaner) and the choice of logs (LogCleanerManager)."""

    exists: bool = history({"0.8.0": False, "0.8.1": True})
    """Whether there is a cleaner (KAFKA-631)."""

    # ---------------------------------------------------------------- which log, from where to where

    dirty_offset_check: Literal["none", "log start", "log start and end"] = history(
        {"0.8.0": "none", "0.9.0": "log start", "2.3.1": "log start and end"}
    )
    """A checkpoint that lies before the log (KAFKA-1641), or after it (KAFKA-8724), counts as the log's start."""

    dirty_in_active: Literal["nothing", "stops the cleaner", "endless"] = history(
        {"0.8.0": "nothing", "2.3.1": "stops the cleaner", "2.4": "endless", "2.5.1": "nothing"}
    )
    """What happens where records were deleted up to somewhere in the active segment, and the dirty part begins there:
    nothing; the cleaner dies (KAFKA-9133); the active segment counts as dirty, and pass follows pass without finding
    anything, while logs that are less dirty wait. Recorded: cleaner_start."""

    @cached_property
    def dies_in_active(self) -> bool:
        """Whether the cleaner dies of a log whose dirty part begins in the active segment."""
        match self.dirty_in_active:
            case "stops the cleaner":
                return True
            case "nothing" | "endless":
                return False
            case word:
                assert_never(word)

    corrects_checkpoint: bool = history({"0.8.0": False, "2.4.1": True, "2.5": False, "2.6": True})
    """Whether a checkpoint that was corrected when it was read is written again at once (KAFKA-6266). Recorded:
    cleaner_questions."""

    bound: Literal["active segment", "open transactions", "stable offset"] = history(
        {"0.8.0": "active segment", "0.11.0": "open transactions", "3.1": "stable offset"}
    )
    """What is not cleaned: the active segment; also what comes after the start of an open transaction (KIP-98); also
    what the high watermark has not passed (KAFKA-13194). High watermarks are not known yet when the first pass after a
    start looks for a log: from 3.1 on it finds none. Recorded from 3.3.2 on: storage_compact. Recorded:
    cleaner_questions."""

    map_key: Literal["TopicAndPartition", "TopicPartition"] = history(
        {"0.8.0": "TopicAndPartition", "0.10.2": "TopicPartition"}
    )
    """The keys of the map of logs (LogManager.logs), whose order decides between logs that are equally dirty.
    Recorded: cleaner_order."""

    runs_retention: bool = history({"0.8.0": False, "0.10.1": True})
    """Whether the cleaner also applies retention to compacted topics (KIP-71); no other task does. Recorded:
    cleaner_questions."""

    first_round_retains: bool = history({"0.8.0": True, "0.11.0": False, "2.4": True})
    """Whether it does so in the first round after a start, too. High watermarks are not known yet then: nothing is
    deleted, or only what lies before the log's start (Log.deletableSegments). Recorded from 1.1.1: random_lives."""

    # ---------------------------------------------------------------- the offset map

    map_limit: Literal["slots", "offsets of whole segments", "keys of whole segments", "keys"] = history(
        {"0.8.0": "slots", "0.9.0": "offsets of whole segments", "0.10.0": "keys of whole segments", "0.10.1": "keys"}
    )
    """What fits into `log.cleaner.dedupe.buffer.size`. Segments, until the load factor is reached: the cleaner dies if
    one of them has more keys than there are slots. Segments with no more offsets than the map may hold: the cleaner
    dies if the first has more (KAFKA-2235). Segments whose keys fit: it dies if those of the first do not (KAFKA-3587).
    Keys: a pass may end within a segment (KAFKA-3894). Recorded: keyless_questions."""

    cleaned_up_to: Literal["last message", "last key", "last batch", "segment end"] = history(
        {"0.8.0": "last message", "0.10.1": "last key", "0.11.0": "last batch", "2.4.1": "segment end"}
    )
    """Where the cleaned part ends: after the last message, message with a key, or batch that was read; where a whole
    segment was read, at the next one's base (KAFKA-8764: without that, holes at its end were cleaned again and again).
    Recorded: keyless_questions."""

    @cached_property
    def counts_whole_segments(self) -> bool:
        """Whether a segment that was read counts to the next one's base."""
        match self.cleaned_up_to:
            case "segment end":
                return True
            case "last message" | "last key" | "last batch":
                return False
            case word:
                assert_never(word)

    keyless: Literal["stops the cleaner", "dropped"] = history({"0.8.0": "stops the cleaner", "0.9.0": "dropped"})
    """Messages without a key (KAFKA-1755). Recorded: keyless_questions."""

    # ---------------------------------------------------------------- what goes

    tombstones: Literal["file time", "largest timestamp", "horizon"] = history(
        {"0.8.0": "file time", "0.10.1.0": "largest timestamp", "0.10.1.1": "file time", "3.1": "horizon"}
    )
    """How a tombstone's `delete.retention.ms` is counted: by its segment's file time against that of the last cleaned
    segment; by largest timestamps (KAFKA-4529); from the pass that first meets it, which writes the time into the batch
    (KIP-534; formats 0 and 1 as before). Recorded: storage_compact d0, d1, d2."""

    @cached_property
    def has_horizons(self) -> bool:
        """Whether batches of format 2 have delete horizons."""
        match self.tombstones:
            case "horizon":
                return True
            case "file time" | "largest timestamp":
                return False
            case word:
                assert_never(word)

    kept_for_producer: Literal["last record", "last sequence", "last offset"] = history(
        {"0.8.0": "last record", "0.11.0.1": "last sequence", "2.2.1": "last offset"}
    )
    """What stays of a known producer: the record with its last sequence; a batch with its last sequence, empty if need
    be (KAFKA-5490); the batch with its last offset (KAFKA-8335). Recorded: storage_compact idem, tx."""

    @cached_property
    def keeps_last_record(self) -> bool:
        """Whether the record itself stays."""
        match self.kept_for_producer:
            case "last record":
                return True
            case "last sequence" | "last offset":
                return False
            case word:
                assert_never(word)

    last_batch_kept: Literal["no", "end of pass", "end of replicated"] = history(
        {"0.8.0": "no", "3.9.2": "end of pass", "4.4": "end of replicated"}
    )
    """The batch that a pass keeps, empty if need be: none; the one at the end of what it may clean (KAFKA-17076); or
    that one only if the high watermark is at its end (KAFKA-20452). Recorded from 4.0.0 on: storage_compact."""

    abort_markers: Literal["expire", "outlive data"] = history({"0.8.0": "expire", "0.11.0.1": "outlive data"})
    """Whether an ABORT marker can go in the same pass as the data of its transaction (KAFKA-5490)."""

    control_records: Literal["by key", "kept"] = history(
        {"0.8.0": "by key", "3.0.2": "kept", "3.1": "by key", "3.1.2": "kept", "3.2.0": "by key", "3.2.1": "kept"}
    )
    """Whether a marker is looked up in the offset map, as if its key were a user's (KAFKA-14055)."""

    empty_marker: Literal["stops the cleaner", "expires"] = history({"0.8.0": "stops the cleaner", "2.0.1": "expires"})
    """A control batch whose marker went in an earlier pass (KAFKA-7467)."""

    transactions_known: Literal["in a segment", "in the log"] = history(
        {"0.8.0": "in a segment", "2.2.2": "in the log"}
    )
    """Whether the cleaner knows, at a marker, of the data that its transaction has in earlier segments (KAFKA-8351)."""

    aborted_up_to: Literal["cleaned part", "segment end"] = history(
        {
            "0.8.0": "cleaned part",
            "2.8.2": "segment end",
            "3.0": "cleaned part",
            "3.0.2": "segment end",
            "3.1": "cleaned part",
            "3.1.1": "segment end",
        }
    )
    """Which aborted transactions of the last segment its new index gets: not those that begin after the cleaned part,
    or all (KAFKA-13727)."""

    # ---------------------------------------------------------------- the new segments

    group_limit: Literal["below", "up to"] = history({"0.8.0": "below", "0.9.0": "up to"})
    """How large segments that are merged may be together: smaller than `segment.bytes`, or as large
    (Cleaner.groupSegmentsBySize). Recorded: cleaner_questions."""

    group_span: Literal["any", "index", "next segment", "next segment, none if empty"] = history(
        {"0.8.0": "any", "0.9.0": "index", "0.10.2.2": "next segment", "3.0": "next segment, none if empty"}
    )
    """How the cleaner makes sure that their offsets can be written relative to the first one's base: not at all; by the
    last entry of an index (KAFKA-2024); by the base of the segment after them (KAFKA-5413, KAFKA-12889)."""

    offset_overflow: Literal["wraps", "stops the cleaner", "splits the segment"] = history(
        {"0.8.0": "wraps", "0.10.2": "stops the cleaner", "2.0": "splits the segment"}
    )
    """What happens when an offset lies 2**31 or more beyond the base of the new segment, because the old one already
    reaches that far: nothing, but its index has negative entries; the cleaner dies; the old segment is split, and the
    pass begins again (KAFKA-6264). 1.1.1 and 2.0.1 were asked."""

    wrappers: Literal["taken apart", "rebuilt", "kept if whole"] = history(
        {"0.8.0": "taken apart", "0.9.0": "rebuilt", "0.10.0": "kept if whole"}
    )
    """Compressed messages: written as plain ones, and what follows them is read at a wrong position; recompressed
    always (KAFKA-1374), or only if something is removed (KIP-31). Recorded: storage_compact w0; 0.8.2.2 asked."""

    @cached_property
    def takes_wrappers_apart(self) -> bool:
        """Whether messages in wrappers are written as plain ones."""
        match self.wrappers:
            case "taken apart":
                return True
            case "rebuilt" | "kept if whole":
                return False
            case word:
                assert_never(word)

    rebuilt_format: Literal["configured", "configured outside", "as inside", "as outside", "newest"] = history(
        {
            "0.8.0": "as inside",
            "0.10.0.0": "configured",
            "0.10.0.1": "configured outside",
            "0.10.1": "as inside",
            "0.11.0": "as outside",
            "4.0": "newest",
        }
    )
    """The format of what is rebuilt. Everything in the topic's, plain messages too (KAFKA-3915); the wrapper in the
    topic's and its messages as they were, which nobody can read (KAFKA-4298); both as the messages are; both as the
    wrapper is; 2, and older units are always rebuilt (KAFKA-13093). Recorded: storage_compact mixed; 4.1.1 asked.
    Recorded: cleaner_questions."""

    @cached_property
    def converts_messages(self) -> bool:
        """Whether every message gets the topic's format."""
        match self.rebuilt_format:
            case "configured":
                return True
            case "configured outside" | "as inside" | "as outside" | "newest":
                return False
            case word:
                assert_never(word)

    @cached_property
    def converts_only_outside(self) -> bool:
        """Whether wrappers get the topic's format, and their messages do not."""
        match self.rebuilt_format:
            case "configured outside":
                return True
            case "configured" | "as inside" | "as outside" | "newest":
                return False
            case word:
                assert_never(word)

    @cached_property
    def wrapper_follows_messages(self) -> bool:
        """Whether a wrapper gets the format of its messages."""
        match self.rebuilt_format:
            case "as inside":
                return True
            case "configured" | "configured outside" | "as outside" | "newest":
                return False
            case word:
                assert_never(word)

    @cached_property
    def rebuilds_older_units(self) -> bool:
        """Whether older units are always rebuilt."""
        match self.rebuilt_format:
            case "newest":
                return True
            case "configured" | "configured outside" | "as inside" | "as outside":
                return False
            case word:
                assert_never(word)

    offset_of_max_timestamp: Literal["end of last wrapper", "message", "unit"] = history(
        {"0.8.0": "end of last wrapper", "0.10.1.1": "message", "0.10.2": "unit"}
    )
    """The offset that is recorded with the largest timestamp of what is written at once: the last one kept of the
    wrapper read last (KAFKA-4497); the message's; the end of its unit."""

    written_up_to: Literal["last record", "last batch"] = history(
        {"0.8.0": "last batch", "2.0": "last record", "2.0.1": "last batch"}
    )
    """What counts as the last offset of what is written at once; with nothing but empty batches in it there is no last
    record, and the cleaner stops (KAFKA-7385; asked of 0.11.0.0, 0.11.0.1, 0.11.0.3, 1.0.0, 1.1.1 and 2.0.0)."""

    empty_batches_timed: bool = history({"0.8.0": False, "2.0.1": True})
    """Whether the timestamp of a batch that stays without records can be the largest of what is written at once
    (KAFKA-7385). Recorded from 1.1.1 and 2.0.1: random_compact."""

    preallocated_tail: bool = history({"0.8.0": True, "0.11.0.1": False})
    """Whether new segments keep their zeros at the end under `preallocate` (KAFKA-5431)."""

    # ---------------------------------------------------------------- buffers and failures

    largest_unit: Literal["message.max.bytes", "max.message.bytes", "any"] = history(
        {"0.8.0": "message.max.bytes", "0.10.1": "max.message.bytes", "2.0": "any"}
    )
    """The size to which buffers grow for a unit: the broker's limit, the topic's if it is larger (KAFKA-4019), or the
    unit's (KAFKA-6834). A larger one kills the cleaner."""

    @cached_property
    def fits_any_unit(self) -> bool:
        """Whether buffers grow for a unit above both limits."""
        match self.largest_unit:
            case "any":
                return True
            case "message.max.bytes" | "max.message.bytes":
                return False
            case word:
                assert_never(word)

    buffers_grow_without: Literal["record", "batch"] = history(
        {"0.8.0": "record", "1.0.2": "batch", "1.1": "record", "1.1.1": "batch"}
    )
    """Whether buffers also grow, until that kills the cleaner, when only whole batches were dropped (KAFKA-6854)."""

    larger_output: Literal["stops the cleaner", "ends the portion"] = history(
        {"0.8.0": "stops the cleaner", "0.10.2.2": "ends the portion"}
    )
    """What happens when the output needs more room than the input (KAFKA-5316)."""

    failure: Literal["stops the cleaner", "leaves out the partition"] = history(
        {"0.8.0": "stops the cleaner", "2.1": "leaves out the partition"}
    )
    """What an error stops until the broker starts again: all cleaning, or only the cleaning of that log
    (KAFKA-7215)."""

    restarts_with_config: bool = history({"0.8.0": False, "1.1": True})
    """Whether a change of its configs restarts the cleaner, and with it a pass (KAFKA-6244). Recorded: storage_compact.
    Recorded: cleaner_questions."""

    deletion_writes_checkpoint: bool = history({"0.8.0": False, "0.8.2": True})
    """Whether the checkpoint of first dirty offsets is written when a partition is deleted (KAFKA-1819)."""
