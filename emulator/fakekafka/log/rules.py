"""How logs behave in one release: a frozen value with one field per difference between releases.

The values come from the `releases` package; this module only says what they mean. Code of this package asks a field,
never a release. Each field names the class of the real broker that decides it.
"""

from typing import Literal, NamedTuple, TypeAlias

RetentionStep: TypeAlias = Literal["time", "size", "log_start"]


class LogRules(NamedTuple):
    """The rules of one release. Closed sets of values; the first that is named is the oldest."""

    # ---- indexes
    index_key: Literal["log_end_offset", "first_offset", "last_offset"]
    """Offset of an entry made by an append: the log's end before it, the set's first or last offset
    (LogSegment.append).
    """
    index_entry_per: Literal["append", "batch"]
    """May each batch of a set make an entry, or only the set as a whole (LogSegment.append, 3.9)?"""
    rebuilt_index_key: Literal["first_offset", "last_offset"]
    """The same for entries made by recovery (LogSegment.recover)."""
    time_index: bool
    """Are there time indexes (KIP-33)?"""
    index_files: Literal["with_segment", "first_use_or_close", "first_use"]
    """When index files appear: with their segment, or when an append, a look-up or a clean close wants them
    (KAFKA-7283).
    """

    # ---- rolling
    roll_time: Literal["first_append", "creation", "first_timestamp"]
    """From when `segment.ms` counts: the segment's first append or creation in this process, or its first timestamp."""
    roll_counts_new_bytes: bool
    """Must a set fit into `segment.bytes` together with what is there, or may it go over (Log.maybeRoll)?"""
    roll_at_offset_overflow: bool
    """Roll when an offset cannot be written relative to the base (KAFKA-4451)?"""
    new_segment_base: Literal["log_end_offset", "last_offset_less_int", "first_offset"]
    """At least the log's end; a set that starts later begins the segment at (a bound of) its first offset
    (KAFKA-4451, KAFKA-6530)."""
    roll_onto_existing: Literal["overwrite_and_fail", "replace_empty"]
    """A segment of the new name exists: delete its files and fail, or replace it if it is empty and fail otherwise
    (KAFKA-6388)."""
    refuse_larger_than_segment: bool
    """Is a set larger than `segment.bytes` refused (RECORD_LIST_TOO_LARGE)?"""
    roll_before_producer_check: bool
    """May a refused or repeated idempotent batch roll the segment (KAFKA-8542)?"""

    # ---- reading and truncating
    log_start_offset: bool
    """Can a log begin inside a segment (KIP-107)? Also: retention keeps what is above the high watermark."""
    read_beyond_bound: Literal["error", "empty"]
    """An offset between the reader's bound and the log's end (LogSegment.read)."""
    max_timestamp_lookup: Literal["stored", "record"]
    """The offset for the largest timestamp: as remembered, or of the record itself (KIP-734, KAFKA-16310)."""
    truncation_without_unit: Literal["nothing", "indexes"]
    """If no unit is to go: leave everything, or cut the indexes all the same (KAFKA-6492)."""
    truncation_beyond_end_cuts_epochs: bool
    """Cut the leader epochs at the log's end although nothing is truncated (KAFKA-10706)?"""

    # ---- retention
    retention_clock: Literal["last_modified", "largest_timestamp"]
    """What a segment's age is measured by (KIP-33)."""
    retention_order: tuple[RetentionStep, ...]
    """The order of the tests in one pass (KAFKA-12177)."""
    retention_of_compacted: bool
    """Do segments below the log start go from topics that are not deleted from otherwise (KAFKA-7400)?"""
    segment_deletion: Literal["at_once", "marked"]
    """Delete files at once, or rename them to `.deleted` and delete them later."""

    # ---- producers
    producer_state: bool
    """Are producers tracked (KIP-98)? Also: do transaction indexes and snapshots exist?"""
    retained_batches: Literal[1, 5]
    """How many of a producer's last batches are recognised when they come again (KAFKA-5494)."""
    unknown_producer: Literal["out_of_order", "unknown_producer_id", "accepted"]
    """No state and a first sequence other than 0 (KAFKA-5793, KIP-360)."""
    unknown_sequence: Literal["out_of_order", "unknown_producer_id"]
    """The epoch is known but no sequence, and the first is not 0 (KAFKA-7298, KIP-360)."""
    offset_delta: Literal["sequences", "offsets"]
    """A batch's length in the state: by its sequences, which is wrong where they wrap, or by its offsets (KAFKA-7692).
    """
    marker_effect: Literal["replaces_last_batch", "keeps_batches", "keeps_batches_sets_time"]
    """What a transaction marker does to its producer's state besides ending the transaction (KAFKA-9144)."""
    empty_transaction_completes: bool
    """Does a marker without a transaction make one that is complete at once (KAFKA-10702)?"""
    producers_below_log_start: Literal["dropped", "kept"]
    """Producers whose last batch is below the log start (KAFKA-7190)."""

    # ---- producer snapshots
    reload_snapshots: Literal["every_segment", "last_segments"]
    """Which snapshots a reload leaves: at each segment it reads, or at the last two segments and the log's end
    (KAFKA-7076).
    """
    snapshot_before_recovery: bool
    """Is there one at the base of a segment that is recovered (Log.recoverSegment)?"""
    snapshot_cleanup: Literal["flush", "checkpoint", "segment", "segment_marked"]
    """Old ones go after a flush, after a checkpoint of recovery points, or with their segment, at once or as `.deleted`
    (KAFKA-5829, KAFKA-9393, KAFKA-12964)."""

    # ---- leader epochs
    epoch_file: Literal["none", "any_format", "format_2"]
    """Is there a file of leader epochs, and for which message formats (KIP-101, KAFKA-7897)?"""
    epoch_assignment: Literal["newer_only", "truncating"]
    """An epoch that does not fit behind the last one is ignored, or drops those it contradicts (KAFKA-7415)."""
    epoch_at_leadership: bool
    """Is an epoch noted when its leader is elected, or when it first appends (KAFKA-7415)?"""
    old_format_clears_epochs: bool
    """Does a unit of format 0 or 1 make the log forget its epochs (KAFKA-7601)?"""
    epoch_lookup: Literal["next_start", "with_epoch"]
    """An epoch older than all known ones: nothing, or the start of the first; and is the epoch told (KIP-279)?"""
    recovered_epochs_from: Literal[0, 1]
    """The lowest epoch that recovery takes out of batches (KAFKA-10432)."""

    # ---- starting
    recover_segments: Literal["last", "from_recovery_point"]
    """Which segments are read through after an unclean stop."""
    unclean_recovery_point: Literal["end", "least"]
    """The recovery point after that: the log's end, or what it was (KAFKA-10101)."""
    missing_index: Literal["refused", "rebuilt", "unnoticed"]
    """A missing `.index` at start. Unnoticed: the segment's object makes an empty one before anybody looks."""
    missing_time_index: Literal["zeros", "empty"]
    """A missing `.timeindex` becomes a file of full length, which counts as entries of zero, or an empty one
    (KAFKA-4734).
    """
    index_check: Literal["refused", "beyond_base", "from_base", "none"]
    """An index that cannot be right: the broker ends, or it is rebuilt; its last offset must be above, or not below,
    the base.
    """
    bad_size_at_start: Literal["ends_log", "refused"]
    """A unit of impossible size, read at start: the log ends there, or the broker does not start."""
    new_log_at_checkpoint: bool
    """An empty log, or one that ends below its checkpointed start, begins at that start (KAFKA-8306)."""
    swap_files: Literal["renamed", "recovered", "recovered_if_whole", "renamed_with_indexes"]
    """What is done with the files of an interrupted swap: their logs are renamed or recovered, the latter only if
    nothing before them was still being cleaned, or all are renamed (KAFKA-12520)."""
