"""The log on disk: which index entries are made, when segments end and are deleted, what is kept about producers and
epochs.

Every date is from the release's own sources (the class or the ticket is named); "recorded" means that the files which
brokers of these releases left are reproduced byte for byte: storage_index, storage_roll, storage_producer_state,
storage_txnindex, storage_topics and storage_recovery, 0.8.2.2 to 4.3.1.

The file is long because an area is one class, and each question about a field stands below the field.
"""

from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from fakekafka.jvm.maps import MapKind
from fakekafka.releases.behaviours.behaviour import Behaviours, history

RetentionStep: TypeAlias = Literal["time", "size", "log start"]


class LogBehaviour(Behaviours):
    """One partition's files (Log, UnifiedLog, LogSegment, ProducerStateManager) and those around them (LogManager)."""

    # ---------------------------------------------------------------- indexes

    index_key: Literal["log end", "first offset", "last offset"] = history(
        {"0.8.0": "log end", "0.10.0": "first offset", "2.0": "last offset"}
    )
    """The offset of an index entry that an append makes: where the log ended before the append, or the set's first or
    last offset (LogSegment.append). Recorded: storage_index."""

    index_entry_per: Literal["append", "batch"] = history(
        {"0.8.0": "append", "3.9.1": "batch", "4.0": "append", "4.0.1": "batch"}
    )
    """What may have an entry: the start of each set that is appended, or of each batch in it (KAFKA-806); visible in
    what followers and the cleaner write. Recorded from 3.8.1, 3.9.1, 4.0.0 and 4.1.1: storage_compact."""

    rebuilt_index_key: Literal["first offset", "last offset"] = history({"0.8.0": "first offset", "2.0": "last offset"})
    """The offset of the entries that recovery makes, one unit at a time (LogSegment.recover). Recorded: storage_index.
    Recorded: recovery_questions."""

    time_index: bool = history({"0.8.0": False, "0.10.1": True})
    """Whether there are time indexes (KIP-33). Recorded: keyless_questions."""

    index_files: Literal["with segment", "first use or close", "first use", "first use or stop of active"] = history(
        {
            "0.8.0": "with segment",
            "2.3": "first use or close",
            "2.6": "first use",
            "3.2": "first use or stop of active",
        }
    )
    """When an index file appears: with its segment; when an append, a look-up or a clean stop wants it (KAFKA-7283); no
    longer at the stop (KAFKA-9373), except for the active segment, even if it is empty (KAFKA-13603). Recorded:
    storage_roll, an empty segment after retention. The last step asked of 2.8.2, 3.0.2, 3.1.2, 3.2.3 and 3.9.1.
    Recorded: cleaner_questions, emptied_questions."""

    @cached_property
    def makes_indexes_at_once(self) -> bool:
        """Whether index files are there from the segment's beginning."""
        match self.index_files:
            case "with segment":
                return True
            case "first use or close" | "first use" | "first use or stop of active":
                return False
            case word:
                assert_never(word)

    @cached_property
    def makes_active_indexes_at_close(self) -> bool:
        """Whether a clean stop makes the index files of the active segment only."""
        match self.index_files:
            case "first use or stop of active":
                return True
            case "with segment" | "first use or close" | "first use":
                return False
            case word:
                assert_never(word)

    # ---------------------------------------------------------------- rolling

    roll_time: Literal["first append", "creation", "first timestamp"] = history(
        {"0.8.0": "first append", "0.8.1": "creation", "0.10.1": "first timestamp"}
    )
    """From when `segment.ms` counts: the segment's first append, its creation in this process, or its first timestamp
    to the newest one, if it has timestamps (KIP-33). Recorded: storage_roll."""

    roll_counts_new_bytes: bool = history({"0.8.0": False, "0.8.2": True})
    """Whether a set that does not fit into `segment.bytes` begins a new segment, or goes over the limit
    (Log.maybeRoll). Recorded: storage_roll.
    """

    roll_limits_stay: bool = history({"0.8.0": False, "1.1": True, "2.1": False})
    """Whether a segment keeps the `segment.bytes` and `segment.ms` that were in force when it was opened, so that a
    change takes effect from the next one on (LogSegment's maxSegmentBytes and maxSegmentMs). Asked of 1.0.2 (last
    without), 1.1.0 (first with), 1.1.1, 2.0.1 (last with) and 2.1.0 (first without)."""

    roll_at_offset_overflow: bool = history({"0.8.0": False, "0.10.2": True})
    """Whether a segment ends where offsets no longer fit relative to its base (KAFKA-4451)."""

    index_overflow: Literal["wraps", "refused"] = history({"0.8.0": "wraps", "2.0": "refused"})
    """What becomes of an index entry for an offset that lies 2**31 or more beyond the segment's base: four bytes of it
    are written, a negative number; or there is none, since such segments are split at a start (KAFKA-6264,
    AbstractIndex.relativeOffset). Asked of 0.10.1.1. Recorded: span_questions."""

    new_segment_base: Literal["log end", "last offset less int", "first offset"] = history(
        {"0.8.0": "log end", "0.10.2": "last offset less int", "2.0": "first offset"}
    )
    """Where a segment begins if its first set leaves a gap after the log's end, as a follower's may: at the end; at the
    set's last offset less 2**31 - 1 (KAFKA-4451); at its first offset, which format 2 knows (KAFKA-6530). Recorded:
    gaps."""

    roll_onto_existing: Literal["overwrite and fail", "replace if empty"] = history(
        {"0.8.0": "overwrite and fail", "2.1.1": "replace if empty"}
    )
    """A roll to a name that a segment already has: that segment's files are deleted and the append fails; or it is
    replaced if it is empty, and otherwise the append fails and changes nothing (KAFKA-6388). Recorded from 1.1.1 and
    2.3.1: storage_recovery mcut."""

    refuse_larger_than_segment: bool = history({"0.8.0": False, "0.8.2": True})
    """Whether a set larger than `segment.bytes` is refused (RECORD_LIST_TOO_LARGE, Log.append)."""

    roll_before_producer_check: bool = history({"0.8.0": False, "2.4": True})
    """Whether an idempotent batch that is refused, or is a duplicate, can roll the segment (KAFKA-8542)."""

    # ---------------------------------------------------------------- both ends

    log_start_offset: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a log can begin inside a segment (KIP-107); where it can, retention keeps what the high watermark has not
    passed. Recorded: directory_questions."""

    truncation_without_unit: Literal["nothing", "indexes"] = history({"0.8.0": "nothing", "1.1": "indexes"})
    """A truncation that finds no unit to drop changes nothing, or cuts the indexes all the same (KAFKA-6492)."""

    truncation_beyond_end_cuts_epochs: bool = history({"0.8.0": False, "2.6.1": True})
    """Whether leader epochs are cut at the log's end when a truncation goes beyond it (KAFKA-10706)."""

    retention_clock: Literal["file time", "largest timestamp", "last timestamp"] = history(
        {"0.8.0": "file time", "0.10.1": "largest timestamp"}
    )
    """What counts as the age of a segment: its file's, or its youngest message's if it has timestamps (KIP-33).
    Recorded: storage_roll rtime, rmt. Only KIP-31's first draft goes by the last message."""

    retention_order: tuple[RetentionStep, ...] = history(
        {
            "0.8.0": ("time", "size"),
            "0.11.0": ("time", "size", "log start"),
            "3.0": ("log start", "size", "time"),
        }
    )
    """The checks of one pass, each on what the one before it has left (KAFKA-12177). Recorded: background_questions."""

    retention_of_compacted: bool = history({"0.8.0": False, "2.1": True})
    """Whether segments below the log start also go from topics that are only compacted (KAFKA-7400)."""

    segment_deletion: Literal["at once", "marked"] = history({"0.8.0": "at once", "0.8.1": "marked"})
    """Whether the files of a segment are deleted at once, or renamed to `.deleted` first. Recorded: storage_roll."""

    # ---------------------------------------------------------------- producers

    recovery_follows_start: bool = history({"0.8.0": False, "2.4": True})
    """Whether the recovery point of a log is never before its log start offset (Log.updateLogStartOffset). Recorded
    at 2.8.2: random_moves."""

    producer_state: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether producers are tracked (KIP-98), with snapshots and transaction indexes. Recorded: recovery_questions."""

    retained_batches: Literal[1, 5] = history({"0.8.0": 1, "1.0": 5})
    """How many of its last batches a producer may safely send again (KAFKA-5494).
    Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    old_sequences: Literal["duplicate if kept", "duplicate if kept or below", "out of order"] = history(
        {"0.8.0": "duplicate if kept", "1.0": "duplicate if kept or below", "1.0.2": "out of order"}
    )
    """Sequences that do not come next, although no batch can safely be sent again with them: error 46 if they are those
    of a batch that is kept, also if they end below the first one, or always error 45. Recorded from 0.11.0.3, 1.0.0,
    1.0.1 and 1.0.2: sequence_questions."""

    unknown_producer: Literal["out of order", "unknown producer id", "accepted"] = history(
        {"0.8.0": "out of order", "1.0": "unknown producer id", "2.5": "accepted"}
    )
    """A first sequence other than 0 of a producer that nothing is known about: error 45, error 59 (KAFKA-5793), or no
    error (KIP-360). Recorded from 0.11.0.3 to 4.3.1: produce_refusals."""

    @cached_property
    def accepts_unknown_producer(self) -> bool:
        """Whether such a sequence is accepted."""
        match self.unknown_producer:
            case "accepted":
                return True
            case "out of order" | "unknown producer id":
                return False
            case word:
                assert_never(word)

    unknown_sequence: Literal["out of order", "unknown producer id"] = history(
        {"0.8.0": "out of order", "2.0.1": "unknown producer id", "2.5": "out of order"}
    )
    """A first sequence of a producer whose epoch is known from a marker, but no sequence (KAFKA-7298, KIP-360)."""

    offset_delta: Literal["sequences", "offsets"] = history({"0.8.0": "sequences", "2.1.1": "offsets"})
    """How a batch's length is remembered: by its sequences, which is wrong where they wrap, or by its offsets
    (KAFKA-7692)."""

    marker_effect: Literal["replaces last batch", "keeps batches", "keeps batches, sets time"] = history(
        {"0.8.0": "replaces last batch", "1.0": "keeps batches", "2.4.1": "keeps batches, sets time"}
    )
    """What a transaction marker does to its producer's batches and age (KAFKA-9144). Recorded: storage_producer_state.
    """

    empty_transaction_completes: bool = history({"0.8.0": True, "2.8": False})
    """Whether a marker without a transaction counts as a transaction that began and ended there (KAFKA-10702).
    Recorded: storage_txnindex."""

    offset_commit_epochs: Literal["not checked", "checked"] = history({"0.8.0": "not checked", "2.4": "checked"})
    """Whether a producer of an old epoch may commit offsets in a transaction. Before appends had an origin
    (AppendOrigin), the log did not check what brokers wrote themselves. Recorded from 2.3.1: transactions_random;
    0.11.0.3, 1.1.1 and 2.4.1 to 2.7.2 were asked."""

    missing_epoch: Literal["not checked", "checked"] = history({"0.8.0": "not checked", "0.11.0.1": "checked"})
    """A producer id without an epoch (-1): in 0.11.0.0 neither its epoch nor its sequence is checked. Recorded from
    0.11.0.0 to 4.3.1: produce_refusals."""

    producers_below_log_start: Literal["dropped", "kept"] = history({"0.8.0": "dropped", "2.4": "kept"})
    """Producers whose last batch was deleted from the log's front (KAFKA-7190). Recorded: storage_producer_state del.
    """

    producer_map: Literal[MapKind.SCALA_2_12_MUTABLE, MapKind.SCALA_2_13_MUTABLE, MapKind.JAVA] = history(
        {"0.8.0": MapKind.SCALA_2_12_MUTABLE, "2.4": MapKind.SCALA_2_13_MUTABLE, "3.5": MapKind.JAVA}
    )
    """The map of producers, whose order snapshots follow: that of the Scala version with which the release was built,
    or Java's (KAFKA-14480). Recorded from 0.11.0.3 to 4.3.1: storage_producer_state many."""

    reload_snapshots: Literal["every segment", "last segments"] = history(
        {"0.8.0": "every segment", "2.0": "last segments"}
    )
    """Where reading producers from the log leaves snapshots: at each segment, or at the last two and the log's end.
    With old message formats the log is not read at all from then on (KAFKA-7076). Recorded: recovery_questions."""

    snapshots_keep_tails: bool = history({"0.8.0": False, "2.1": True})
    """Whether a snapshot written over a longer one leaves the longer one's end in the file, which then is corrupt: it
    is opened without TRUNCATE_EXISTING (ProducerStateManager.writeSnapshot of 2.0.1 and 2.1.0 to 4.3.1). Recorded from
    2.8.2: random_traffic."""

    producers_checked: Literal["on copies", "in place"] = history(
        {"0.8.0": "on copies", "1.0": "in place", "1.0.2": "on copies"}
    )
    """What the check of a set does to producers that are known. In place: their state has the set although it may be
    refused yet (sent again, it counts as a duplicate), and is in the snapshot at the base of the segment that begins
    with it. Recorded from 0.11.0.3, 1.0.0, 1.0.1, 1.0.2 and 1.1.1: recovery_questions, and from 1.0.0: transactions.
    Recorded: directory_questions."""

    snapshot_before_recovery: bool = history({"0.8.0": False, "1.0": True})
    """Whether a snapshot is taken at the base of a segment before the segment is recovered (Log.recoverSegment).
    Recorded: point_questions."""

    snapshot_cleanup: Literal["flush", "checkpoint", "segment", "segment, marked"] = history(
        {"0.8.0": "flush", "1.0": "checkpoint", "2.8": "segment", "3.0": "segment, marked"}
    )
    """What removes old snapshots: a flush; a checkpoint of recovery points (KAFKA-5829); their segment's deletion
    (KAFKA-9393), as `.deleted` first (KAFKA-12964). Recorded: storage_roll. Recorded: directory_questions."""

    @cached_property
    def snapshots_go_with_segments(self) -> bool:
        """Whether a snapshot goes only with its segment."""
        match self.snapshot_cleanup:
            case "segment" | "segment, marked":
                return True
            case "flush" | "checkpoint":
                return False
            case word:
                assert_never(word)

    @cached_property
    def flush_removes_snapshots(self) -> bool:
        """Whether a flush removes old snapshots."""
        match self.snapshot_cleanup:
            case "flush":
                return True
            case "checkpoint" | "segment" | "segment, marked":
                return False
            case word:
                assert_never(word)

    @cached_property
    def checkpoint_removes_snapshots(self) -> bool:
        """Whether a checkpoint of recovery points removes old snapshots."""
        match self.snapshot_cleanup:
            case "checkpoint":
                return True
            case "flush" | "segment" | "segment, marked":
                return False
            case word:
                assert_never(word)

    # ---------------------------------------------------------------- leader epochs

    epoch_file: Literal["none", "any format", "format 2"] = history(
        {"0.8.0": "none", "0.11.0": "any format", "2.1.1": "format 2"}
    )
    """Which message formats have a file of leader epochs (KIP-101, KAFKA-7897). Recorded: storage_index. Recorded:
    directory_questions."""

    @cached_property
    def epochs_need_format_2(self) -> bool:
        """Whether the file goes with an older format and comes with format 2."""
        match self.epoch_file:
            case "format 2":
                return True
            case "none" | "any format":
                return False
            case word:
                assert_never(word)

    epoch_assignment: Literal["newer only", "truncating"] = history({"0.8.0": "newer only", "2.0.1": "truncating"})
    """An epoch that does not fit after the last one is ignored, or drops those that it contradicts (KAFKA-7415).
    Recorded: storage_recovery badepoch."""

    epoch_at_leadership: bool = history({"0.8.0": False, "2.0.1": True})
    """Whether an epoch is noted when its leader is elected, rather than when that leader first appends (KAFKA-7415).
    Recorded: storage_topics. Recorded: directory_questions."""

    epochs_share_start: bool = history({"0.8.0": True, "2.0.1": False})
    """Whether all epochs that begin at a log's new start stay; otherwise only the last of them stays
    (clearAndFlushEarliest and truncateFromStart, KAFKA-7415; asked of 1.0.2)."""

    old_format_clears_epochs: bool = history({"0.8.0": False, "2.2.1": True})
    """Whether a unit of format 0 or 1 makes a log forget its epochs (KAFKA-7601)."""

    epoch_lookup: Literal["next start", "with epoch"] = history({"0.8.0": "next start", "2.0": "with epoch"})
    """OffsetForLeaderEpoch: only the next epoch's start, and nothing for an epoch older than all others; or also which
    epoch ends there, and the first one's start (KIP-279). Recorded: offset_for_leader_epoch."""

    no_epoch_ends: bool = history(
        {"0.8.0": True, "0.11.0.3": False, "1.0": True, "1.0.2": False, "1.1": True, "1.1.1": False}
    )
    """Whether epoch -1 ends at the end of a log that has no epochs, rather than nowhere (KAFKA-6857). Recorded from
    0.11.0.2 to 1.1.1: offset_for_leader_epoch."""

    recovered_epochs_from: Literal[0, 1] = history({"0.8.0": 0, "2.1.1": 1, "2.6.1": 0})
    """The lowest epoch that recovery takes out of batches (KAFKA-10432)."""

    rebuilt_index_notes_epochs: bool = history({"0.8.0": False, "3.0": True})
    """Whether epochs are also restored where a segment is read only because an index was lost (LogLoader). Recorded:
    recovery_questions, stray_questions."""

    # ---------------------------------------------------------------- message format

    message_format: Literal["oldest", "configured", "configured below protocol 3.0", "newest"] = history(
        {"0.8.0": "oldest", "0.10.0": "configured", "3.0": "configured below protocol 3.0", "4.0": "newest"},
        kraft={"2.8": "configured", "3.0": "configured below protocol 3.0", "3.3": "newest"},
    )
    """The format of new records: 0; what `log.message.format.version` and the topic say (KIP-31); that, unless the
    inter-broker protocol is 3.0 or later; 2 (KIP-724). In KRaft mode that protocol counts until metadata.version takes
    its place (KIP-778; asked of 3.0.2). Recorded: format_lowered, fetch_formats, illegal_configs. Recorded:
    format_questions."""

    @cached_property
    def always_newest(self) -> bool:
        """Whether no configuration can lower the format."""
        match self.message_format:
            case "newest":
                return True
            case "oldest" | "configured" | "configured below protocol 3.0":
                return False
            case word:
                assert_never(word)

    search_in_young_unit: Literal["must find", "goes on"] = history({"0.8.0": "must find", "0.11.0": "goes on"})
    """What happens when a search by time comes to a unit that claims to be young enough, but contains no such record,
    because the time of a whole set is stamped on its first wrapper. The search fails with -1, or goes on
    (FileRecords.searchForTimestamp). Asked of 0.10.2.2."""

    newest_format: Literal[1, 2] = history({"0.8.0": 1, "0.11.0": 2})
    """The newest format whose layout is known. Newer units, which a newer release has left, are stored and sent as they
    are, and a search by time takes them for messages of format 1 and fails. Recorded from 0.10.2.2: phases."""

    formats_compared: Literal["by order", "by magic"] = history({"0.8.0": "by order", "1.0.1": "by magic"})
    """How `log.message.format.version` is held to the inter-broker protocol at start: it may not be a newer version, or
    not one of a newer format (KAFKA-6238). Recorded from 0.11.0.3: illegal_configs; 1.0.0, 1.0.1 and 1.0.2 were
    asked."""

    newer_format: Literal["applied", "applied at creation", "left out"] = history(
        {"0.8.0": "applied", "0.11.0": "applied at creation"}, kraft={"2.8": "applied", "3.0": "left out"}
    )
    """A topic's format that is newer than the inter-broker protocol: it counts; it counts when the topic is created,
    and is ignored at start and when configs change (TopicConfigHandler); it never counts. Recorded from 0.10.2.2 to
    3.0.2, the last and 2.8.1 in KRaft mode: illegal_configs."""

    reads_batches: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether a batch of format 2, written by a later release, is more than one message. Before KIP-98 it counts as
    one, at its first offset, and recovery ends the log there: its checksum is not where a message has it. Asked of
    0.8.2.2 to 0.10.2.2 on a directory of 0.11.0.3. Recorded: recovery_questions."""

    copied_batch: Literal["may begin earlier", "begins at the end"] = history(
        {
            "0.8.0": "may begin earlier",
            "0.11.0": "begins at the end",
            "1.0.2": "may begin earlier",
            "1.1": "begins at the end",
            "1.1.1": "may begin earlier",
        }
    )
    """Whether a follower whose log is empty takes a batch of format 2 that begins before the end of that log, as the
    first one does after DeleteRecords up to an offset within it; its log then begins there, too. If not, it gets
    nothing more (KAFKA-6975; Log.scala of 0.11.0 to 1.1.1). Recorded from clusters of three of 1.0.1 to 1.1.1:
    halved."""

    # ---------------------------------------------------------------- starting

    recover_segments: Literal["last", "from recovery point"] = history(
        {"0.8.0": "last", "0.8.1": "from recovery point"}
    )
    """Which segments are read through after an unclean stop. Recorded: storage_recovery."""

    unclean_recovery_point: Literal["kept", "end", "least"] = history({"0.8.0": "kept", "1.0": "end", "2.8": "least"})
    """The recovery point after an unclean stop: unchanged, even beyond the log's end; the end; or the lower of the two
    (Log.recoverLog, KAFKA-10101). Recorded from 0.8.2.2 to 4.3.1: storage_recovery rpend, rpfar."""

    missing_index: Literal["refused", "rebuilt", "unnoticed"] = history(
        {
            "0.8.0": "refused",
            "0.8.1": "rebuilt",
            "0.9.0": "unnoticed",
            "0.10.1": "rebuilt",
            "1.1": "unnoticed",
            "2.3": "rebuilt",
        }
    )
    """A segment without offset index at start. Unnoticed: opening the segment makes a file before anything checks. It
    has zeros instead of entries, and is trimmed at the stop; after a kill the zeros count as entries. Recorded:
    storage_index; asked of 0.9.0.1, 1.1.1 and 2.0.1. Recorded: recovery_questions."""

    missing_time_index: Literal["zeros", "empty"] = history({"0.8.0": "zeros", "0.10.2": "empty"})
    """A segment without time index gets one of full size, whose zeros count as entries after a crash, or an empty one
    (KAFKA-4734). Recorded: storage_index, time_index_migration. Recorded: recovery_questions."""

    index_check: Literal["refused", "beyond base", "from base", "none"] = history(
        {"0.8.0": "refused", "0.9.0": "beyond base", "2.0": "from base", "2.3": "none"}
    )
    """An index that cannot be right: it stops the broker; or it is rebuilt, if its last offset is not beyond its base,
    or is below it; or it is used (KAFKA-7283). Recorded: storage_recovery. Recorded: recovery_questions."""

    @cached_property
    def refuses_bad_indexes(self) -> bool:
        """Whether a bad index stops the broker."""
        match self.index_check:
            case "refused":
                return True
            case "beyond base" | "from base" | "none":
                return False
            case word:
                assert_never(word)

    @cached_property
    def rebuilds_bad_indexes(self) -> bool:
        """Whether a bad index is rebuilt."""
        match self.index_check:
            case "beyond base" | "from base":
                return True
            case "refused" | "none":
                return False
            case word:
                assert_never(word)

    @cached_property
    def index_must_pass_base(self) -> bool:
        """Whether an index whose last offset is its base is bad."""
        match self.index_check:
            case "beyond base":
                return True
            case "refused" | "from base" | "none":
                return False
            case word:
                assert_never(word)

    bad_size_at_start: Literal["ends log", "ends log, refused at its beginning", "refused"] = history(
        {"0.8.0": "ends log", "0.10.1": "ends log, refused at its beginning", "0.10.2": "refused"}
    )
    """A unit of impossible size after a clean stop: the log ends before it, or the broker does not start. In 0.10.1
    it does not start if that is the first unit which it reads, at the last entry of the index
    (FileMessageSet.searchForOffsetWithSize). Recorded: storage_recovery mzeros; asked of 0.9.0.1, 0.10.1.1 and
    0.10.2.2 about a segment that has nothing else."""

    @cached_property
    def small_size_ends_log(self) -> bool:
        """Whether a log may end before a unit of impossible size."""
        match self.bad_size_at_start:
            case "ends log" | "ends log, refused at its beginning":
                return True
            case "refused":
                return False
            case _:
                assert_never(self.bad_size_at_start)

    @cached_property
    def checks_first_size(self) -> bool:
        """Whether the size of the unit at an index's last entry is checked, but not that of later ones."""
        match self.bad_size_at_start:
            case "ends log, refused at its beginning":
                return True
            case "ends log" | "refused":
                return False
            case _:
                assert_never(self.bad_size_at_start)

    new_log_at_checkpoint: bool = history({"0.8.0": False, "2.2.1": True})
    """Whether a log without segments, or one that ends below its checkpointed start, begins at that start
    (KAFKA-8306)."""

    swap_files: Literal["renamed", "recovered", "recovered if whole", "all renamed"] = history(
        {"0.8.0": "renamed", "0.9.0": "recovered", "2.0": "recovered if whole", "3.0": "all renamed"}
    )
    """Files of an interrupted swap: their logs get new names or are recovered, from 2.0 on only if nothing before them
    was still being cleaned; or all of them are renamed (KAFKA-12520). Recorded: storage_recovery. Recorded:
    recovery_questions."""

    @cached_property
    def renames_swapped_indexes(self) -> bool:
        """Whether the indexes of a swapped log are renamed with it, and not made again."""
        match self.swap_files:
            case "all renamed":
                return True
            case "renamed" | "recovered" | "recovered if whole":
                return False
            case word:
                assert_never(word)

    @cached_property
    def renames_swapped_logs(self) -> bool:
        """Whether a swapped log gets its new name without being recovered."""
        match self.swap_files:
            case "renamed":
                return True
            case "recovered" | "recovered if whole" | "all renamed":
                return False
            case word:
                assert_never(word)

    # ---------------------------------------------------------------- the surrounding directory

    deleted_directory: Literal["removed", "renamed", "renamed, cut"] = history(
        {"0.8.0": "removed", "0.10.2": "renamed", "2.2.2": "renamed, cut"}
    )
    """A deleted partition's directory: removed at once; renamed to `-delete` and removed later; the new name cut to 255
    characters (KAFKA-4893). Recorded: storage_topics. Recorded: directory_questions."""

    @cached_property
    def removes_directory_at_once(self) -> bool:
        """Whether it is removed without having been renamed."""
        match self.deleted_directory:
            case "removed":
                return True
            case "renamed" | "renamed, cut":
                return False
            case word:
                assert_never(word)

    partition_metadata: Literal["never", "once leadership changes", "always"] = history(
        {"0.8.0": "never", "2.8": "once leadership changes", "3.0": "always"}
    )
    """Whether a partition has a `partition.metadata` with its topic id (KIP-516). 2.8 writes none for a log that it has
    just opened (Partition.checkOrSetTopicId), in KRaft mode neither. Recorded: storage_topics, fetch_manners. Recorded:
    stray_questions."""

    @cached_property
    def has_partition_metadata(self) -> bool:
        """Whether the release writes the file at all."""
        match self.partition_metadata:
            case "once leadership changes" | "always":
                return True
            case "never":
                return False
            case word:
                assert_never(word)

    @cached_property
    def always_has_partition_metadata(self) -> bool:
        """Whether every log has one from the start."""
        match self.partition_metadata:
            case "always":
                return True
            case "never" | "once leadership changes":
                return False
            case word:
                assert_never(word)

    clean_marker: Literal["empty", "json"] = history({"0.8.0": "empty", "3.7": "json"})
    """The contents of the clean-shutdown marker (CleanShutdownFileHandler). Recorded: storage_topics. Recorded:
    stray_questions."""

    clean_marker_removed: Literal["after loading", "before loading"] = history(
        {"0.8.0": "after loading", "2.8": "before loading"}
    )
    """When a start removes the marker of its log directory (LogManager)."""
