"""Historic quirks that can be switched: defects and habits of releases that break clients, each with a name.

A quirk is a row that says which behaviours it consists of, with the values that have it and the one that repairs it.
Which releases shipped it follows from the histories of these behaviours. By default a release has the quirks that it
shipped. A switch changes only named behaviours, so a release that never had a quirk gets it in the form of the releases
that had it, as far as the same behaviour decides it there. Some rows are not defects but what every release of an era
did: switching them off is an invention, as `Quirk.off_as_in` says. The file is long because it is a table.

    "repaired"                 all quirks are off
    "repaired, KAFKA-9669"     all but one
    "-KAFKA-6739"              one that the release has is off
    "KAFKA-6739"               one that it does not have is on
"""

from collections.abc import Hashable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import ApiKey
from fakekafka.releases.history.step import Versions
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Release, all_releases, starting

REPAIRED: Final = "repaired"


class Patch(NamedTuple):
    """A behaviour that belongs to a quirk."""

    area: str
    """The field of `Profile` that holds the area."""
    field: str
    """The field of the behaviour in that area."""
    shipped: tuple[Any, ...]
    """The values that have the quirk; the first is set where it is switched on."""
    repaired: Any = None
    """The value that is set where it is switched off."""
    tells: bool = True
    """Whether a release with one of these values has the quirk."""

    def of(self, rules: Profile) -> object:
        """The value that a profile has."""
        return getattr(getattr(rules, self.area), self.field)

    def put(self, rules: Profile, value: object) -> Profile:
        """The profile with another value."""
        return rules._replace(**{self.area: getattr(rules, self.area).with_value(self.field, value)})


class Oldest(NamedTuple):
    """The oldest version of an API that a broker serves, as far as it belongs to a quirk. See `Patch`."""

    api: ApiKey
    shipped: tuple[int, ...]
    repaired: int
    tells: bool = True

    def of(self, rules: Profile) -> object:
        """The oldest version; None if there is no such API."""
        return rules.accepted[self.api].low if self.api in rules.accepted else None

    def put(self, rules: Profile, value: object) -> Profile:
        """The profile with another oldest version, unless the API is not there."""
        assert isinstance(value, int)
        if self.api not in rules.accepted:
            return rules
        versions = rules.accepted[self.api]._replace(low=value)
        advertised, accepted = ({**table, self.api: versions} for table in (rules.advertised, rules.accepted))
        return rules._replace(advertised=advertised, accepted=accepted)


Values: TypeAlias = dict[Hashable, tuple[Patch | Oldest, object]]
"""Patches with the values that they put, by what they change."""


class Quirk(NamedTuple):
    """One row. `since` and `until` bound the releases to which it can matter; None: up to the newest."""

    name: str
    effect: str
    since: str
    until: str | None
    patches: tuple[Patch | Oldest, ...]

    def is_in(self, rules: Profile) -> bool:
        """Whether a broker with this profile has the quirk."""
        release = rules.release
        if release < starting(self.since) or (self.until is not None and release >= starting(self.until)):
            return False
        return any(p.of(rules) in p.shipped for p in self.patches if p.tells)

    def off_as_in(self) -> Release | None:
        """The release by which every value that "off" sets had been shipped; None if one of them never was, so that
        "off" is an invention.
        """
        firsts = [self._first_with(patch) for patch in self.patches]
        seen = [release for release in firsts if release is not None]
        return max(seen) if len(seen) == len(firsts) else None

    def _first_with(self, patch: Patch | Oldest) -> Release | None:
        """The first release, starting with the quirk's first, that has the value which repairs it."""
        for release in all_releases():
            rules = profile(release, release.modes[0])
            if release >= starting(self.since) and patch.of(rules) == patch.repaired:
                return release
        return None

    def shipped_in(self) -> str:
        """The releases that have it, in runs: "0.11.0.0 - 1.0.1, 1.1.0"."""
        runs: list[list[Release]] = []
        for release, has_it in ((r, self.is_in(profile(r, r.modes[0]))) for r in all_releases() if not r.provisional):
            if has_it and runs and runs[-1]:
                runs[-1].append(release)
            elif has_it:
                runs[-1:] = [[release]]
            elif not runs or runs[-1]:
                runs.append([])
        return ", ".join(f"{run[0]} - {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs if run)


QUIRKS: Final[tuple[Quirk, ...]] = (
    Quirk(
        "KAFKA-3160", "the header checksum of LZ4 frames must cover too many bytes, and correct frames are refused",
        "0.8.2", "0.11.0", (Patch("append", "lz4_header", ("broken",), "by format"),),
    ),
    Quirk(
        "KAFKA-5236", "the broker compresses with snappy in blocks of 1 KiB, so that sets grow",
        "0.8.0", None, (Patch("append", "snappy_block", (1024,), 32768),),
    ),
    Quirk(
        "KAFKA-2189", "the broker makes a snappy block of every message that it writes, so that sets grow",
        "0.8.2", "0.11.0", (Patch("append", "snappy_block", (0,), 32768),),
    ),
    Quirk(
        "KAFKA-6739", "one record with a header fails every partition of a fetch that has to be converted",
        "0.11.0", "4.0", (Patch("fetch", "converted_headers", ("error",), "dropped"),),
    ),
    Quirk(
        "KAFKA-7549", "malformed batches close the connection instead of being answered with an error",
        "0.11.0", None, (
            Patch("produce", "not_one_batch", (None,), ErrorCode.CORRUPT_MESSAGE),
            Patch("produce", "malformed_batch", ("close",), "answered"),
            Patch("produce", "malformed_entry", ("close",), "answered"),
        ),
    ),
    Quirk(
        "KAFKA-9669", "compressed records whose offsets are not 0, 1, 2 …, as old sarama sends them, are refused",
        "0.11.0", None, (Patch("append", "offset_gaps", ("refused",), "rebuilt"),),
    ),
    Quirk(
        "KAFKA-9492", "a bad record in Produce 0 to 7 gives all partitions error -1, though good ones were appended",
        "0.11.0", None, (Patch("produce", "record_errors_below_8", ("fail the answer",), "left out"),),
    ),
    Quirk(
        "KAFKA-4298", "the cleaner puts messages of one format into a wrapper of another, which no client can read",
        "0.10.0", "0.11.0", (Patch("cleaner", "rebuilt_format", ("configured outside",), "as inside"),),
    ),
    Quirk(
        "KAFKA-5365", "a format 1 wrapper whose offset is below that of its last message is refused, unless it is 0",
        "0.11.0", None, (Patch("append", "wrapper_offset", ("checked",), "any"),),
    ),
    Quirk(
        "UNSUPPORTED-FORMAT-43", "idempotent producers get error 43 if the topic's format is 0 or 1",
        "0.11.0", "4.0", (Patch("append", "producer_in_old_format", ("refused",), "forgotten"),),
    ),
    Quirk(
        "FORMAT-LOWERED", "after the format was lowered, old consumers get newer units unconverted",
        "0.10.0", "4.0", (Patch("fetch", "conversion_asks", ("configured format",), "stored units"),),
    ),
    Quirk(
        "EMPTY-CONVERTED", "an old consumer is stuck at markers, which convert to nothing or come unconverted",
        "0.11.0", "4.0", (
            Patch("fetch", "nothing_converted", ("empty", "raw"), "read on"),
            Patch("fetch", "conversion", ("unit by unit",), "unit by unit", tells=False),
        ),
    ),
    Quirk(
        "KIP-283-OVERFLOW", "a short conversion is padded with a unit that looks truncated, and some clients give up",
        "0.11.0", "4.0", (
            Patch("fetch", "nothing_converted", ("filler", "nothing"), "read on"),
            Patch("fetch", "conversion", ("lazy",), "unit by unit", tells=False),
        ),
    ),
    Quirk(
        "MIXED-MAGIC", "an answer may hold records of several formats, which some clients cannot read",
        "0.10.0", None, (Patch("fetch", "formats_in_slice", ("as stored",), "one"),),
    ),
    Quirk(
        "KAFKA-7920", "zstd is accepted although inter.broker.protocol.version is too old for followers to read it",
        "2.1", "4.0", (Patch("append", "zstd_needs_protocol", (False,), True),),
    ),
    Quirk(
        "KAFKA-13149", "a record that claims to be longer than the rest of its batch gets error -1",
        "0.11.0", None, (Patch("append", "length_past_end", ("fails",), "refused"),),
    ),
    Quirk(
        "KAFKA-6554", "batches whose count and last offset disagree are stored unchanged",
        "0.11.0", None, (Patch("append", "batch_counts", ("not zero", "any"), "consistent"),),
    ),
    Quirk(
        "KAFKA-8428", "several compressed wrappers in one set are merged instead of refused",
        "0.11.0", "4.0", (Patch("append", "several_batches", ("taken",), "refused"),),
    ),
    Quirk(
        "WRAPPER-TS-0.10.0", "the timestamp of a wrapper stays what the producer wrote",
        "0.10.0", "0.11.0", (Patch("append", "wrapper_time", ("kept",), "largest inside"),),
    ),
    Quirk(
        "KAFKA-1755", "messages without a key are accepted in compacted topics, where they stop the cleaner",
        "0.8.1", "0.11.0", (Patch("append", "keyless_messages", ("taken",), "refused"),),
    ),
    Quirk(
        "KAFKA-8570", "a slice of new and then old formats does not fit into the buffer of its conversion",
        "0.11.0", "2.0", (Patch("fetch", "conversion_buffer", ("estimated",), "grows"),),
    ),
    Quirk(
        "KAFKA-3427", "a request that fails as a whole is answered in the layout of version 0",
        "0.9.0", "0.11.0", (Patch("fetch", "request_error_layout", ("version 0",), "asked for"),),
    ),
    Quirk(
        "KAFKA-12330", "a full answer of a fetch session starves partitions",
        "1.1", None, (Patch("fetch", "session_rotation", ("answered",), "with records"),),
    ),
    Quirk(
        "KAFKA-5490", "the cleaner forgets the sequence of a producer whose last records are removed",
        "0.11.0", None, (Patch("cleaner", "kept_for_producer", ("last record",), "last offset"),),
    ),
    Quirk(
        "KAFKA-8335", "every batch of the offsets topic that was written with sequence 0 is kept, empty",
        "0.11.0", None, (Patch("cleaner", "kept_for_producer", ("last sequence",), "last offset"),),
    ),
    Quirk(
        "KAFKA-3915", "the cleaner rewrites old messages in the topic's newer format",
        "0.10.0", "0.11.0", (Patch("cleaner", "rebuilt_format", ("configured",), "as inside"),),
    ),
    Quirk(
        "KAFKA-4529", "tombstones are removed by the first pass if their timestamps are old",
        "0.10.1", "0.11.0", (Patch("cleaner", "tombstones", ("largest timestamp",), "file time"),),
    ),
    Quirk(
        "KAFKA-14055", "user keys that look like markers' keys delete the markers",
        "0.11.0", None, (Patch("cleaner", "control_records", ("by key",), "kept"),),
    ),
    Quirk(
        "KAFKA-8351", "a marker is removed when its transaction lies in several groups of segments",
        "0.11.0", None, (Patch("cleaner", "transactions_known", ("in a segment",), "in the log"),),
    ),
    Quirk(
        "KAFKA-13727", "a pass that ends within a segment loses entries of the index of aborted transactions",
        "0.11.0", None, (Patch("cleaner", "aborted_up_to", ("cleaned part",), "segment end"),),
    ),
    Quirk(
        "KAFKA-7385", "the cleaner stops when only empty batches are left of what it read",
        "2.0", None, (Patch("cleaner", "written_up_to", ("last record",), "last batch"),),
    ),
    Quirk(
        "KAFKA-6854", "the cleaner's buffers grow without limit where whole batches are removed",
        "0.11.0", "2.0", (Patch("cleaner", "buffers_grow_without", ("record",), "batch"),),
    ),
    Quirk(
        "KAFKA-3587", "a segment with more offsets than the map holds stops the cleaner",
        "0.9.0", None, (Patch("cleaner", "map_limit", ("offsets of whole segments",), "keys of whole segments"),),
    ),
    Quirk(
        "KAFKA-3894", "the cleaner dies on a segment with more keys than its map has room for",
        "0.8.1", None, (
            Patch("cleaner", "map_limit", ("keys of whole segments", "offsets of whole segments", "slots"), "keys"),
        ),
    ),
    Quirk(
        "KAFKA-5431", "cleaned segments of preallocated logs end in zeros",
        "0.9.0", None, (Patch("cleaner", "preallocated_tail", (True,), False),),
    ),
    Quirk(
        "KAFKA-8724", "the cleaner trusts a checkpoint that lies beyond the log's end",
        "0.9.0", None, (Patch("cleaner", "dirty_offset_check", ("log start", "none"), "log start and end"),),
    ),
    Quirk(
        "KAFKA-17076", "a pass removes the last batch of what it may clean, whose offset is forgotten",
        "0.11.0", None, (Patch("cleaner", "last_batch_kept", ("no",), "end of pass"),),
    ),
    Quirk(
        "KAFKA-6264", "a segment whose offsets reach 2**31 beyond its base cannot be cleaned or indexed",
        "0.8.0", None, (
            Patch("cleaner", "offset_overflow", ("stops the cleaner", "wraps"), "splits the segment"),
            Patch("log", "index_overflow", ("wraps",), "refused"),
        ),
    ),
    Quirk(
        "KAFKA-4451", "a segment keeps growing although offsets no longer fit relative to its base",
        "0.8.0", None, (Patch("log", "roll_at_offset_overflow", (False,), True),),
    ),
    Quirk(
        "KAFKA-6388", "the append fails if a new segment's name already belongs to an empty one",
        "0.8.0", None, (Patch("log", "roll_onto_existing", ("overwrite and fail",), "replace if empty"),),
    ),
    Quirk(
        "KAFKA-4734", "old segments get a time index of full size",
        "0.10.1", None, (Patch("log", "missing_time_index", ("zeros",), "empty"),),
    ),
    Quirk(
        "KAFKA-16310", "the offset of the largest timestamp is that of the last record of its batch",
        "3.0", None, (Patch("list_offsets", "largest_timestamp", ("segment maximum",), "record"),),
    ),
    Quirk(
        "KAFKA-5494", "only the last batch of a producer is known as a duplicate",
        "0.11.0", None, (Patch("log", "retained_batches", (1,), 5),),
    ),
    Quirk(
        "KAFKA-7298", "a producer that has only a marker left in the log is out of order",
        "1.0", "2.5", (Patch("log", "unknown_sequence", ("out of order",), "unknown producer id"),),
    ),
    Quirk(
        "KAFKA-7692", "batches in which sequences start again at 0 are remembered wrongly",
        "0.11.0", None, (Patch("log", "offset_delta", ("sequences",), "offsets"),),
    ),
    Quirk(
        "KAFKA-19367", "InitProducerId after the coordinator's own abort fences the owner",
        "4.0", None, (Patch("transactions", "fence_at_version_2", ("epoch rises twice",), "epoch is kept"),),
    ),
    Quirk(
        "KAFKA-8069", "offsets written with an older protocol expire when they are loaded",
        "2.1", None, (Patch("offsets", "minus_one_expires", (True,), False),),
    ),
    Quirk(
        "KAFKA-4861", "an offsets topic with LogAppendTime refuses what the coordinator writes",
        "0.10.0", None, (Patch("offsets", "append_time_topic", ("refused",), "taken"),),
    ),
    Quirk(
        "KAFKA-4472", "a long retention of offsets overflows, and they expire at once",
        "0.8.2", None, (Patch("offsets", "retention_overflows", (True,), False),),
    ),
    Quirk(
        "KAFKA-13636", "offsets of groups that are not stable are deleted",
        "2.4", "4.0", (Patch("offsets", "expires_in", ("any state, unsubscribed",), "stable, unsubscribed"),),
    ),
    Quirk(
        "KAFKA-7897", "leader epochs are kept although the format has none",
        "1.0", None, (Patch("log", "epoch_file", ("any format",), "format 2"),),
    ),
    Quirk(
        "TOPIC-FORMAT-NOT-EXCLUDED", "a topic's format newer than the protocol is applied",
        "0.10.0", "0.11.0", (Patch("log", "newer_format", ("applied",), "applied at creation"),),
    ),
    Quirk(
        "KAFKA-15583", "min.insync.replicas above the number of replicas refuses everything",
        "0.8.2", None, (Patch("produce", "min_in_sync_capped", (False,), True),),
    ),
    Quirk(
        "KAFKA-14633", "a compressed batch whose records run past its end is stored",
        "0.11.0", None, (Patch("append", "compressed_reader", ("skipping, lengths ignored",), "skipping"),),
    ),
    Quirk(
        "KAFKA-16341", "the time index points at the end of an uncompressed batch",
        "0.10.1", None, (Patch("append", "plain_time_offset", ("unit",), "record"),),
    ),
    Quirk(
        "NULL-RECORDS", "null records for a partition end the connection, or get no answer at all",
        "0.8.0", None, (Patch("produce", "null_records", ("hang", "close", "silent", "answered twice"), "answered"),),
    ),
    Quirk(
        "KAFKA-16452", "a fetch beyond the high watermark waits instead of being answered",
        "0.8.0", None, (Patch("fetch", "offset_beyond_bound", ("waits",), "answered"),),
    ),
    Quirk(
        "KAFKA-9137", "live fetch sessions are evicted before idle ones",
        "1.1", None, (Patch("fetch", "session_use_noted", (False,), True),),
    ),
    Quirk(
        "KAFKA-9629", "an unknown isolation level closes the connection",
        "0.11.0", None, (Patch("fetch", "unknown_isolation", ("close",), "error"),),
    ),
    Quirk(
        "KAFKA-1374", "the cleaner takes compressed sets apart",
        "0.8.1", None, (Patch("cleaner", "wrappers", ("taken apart",), "rebuilt"),),
    ),
    Quirk(
        "KAFKA-1641", "a cleaner checkpoint before the log's start stops the cleaner",
        "0.8.1", None, (Patch("cleaner", "dirty_offset_check", ("none",), "log start"),),
    ),
    Quirk(
        "KAFKA-2024", "cleaned segments span more offsets than an index can hold",
        "0.8.1", None, (Patch("cleaner", "group_span", ("any",), "index"),),
    ),
    Quirk(
        "KAFKA-12889", "the cleaner leaves empty segments at every 2**31 offsets",
        "0.10.2", None, (Patch("cleaner", "group_span", ("next segment",), "next segment, none if empty"),),
    ),
    Quirk(
        "KAFKA-4019", "a message larger than the broker's limit stops the cleaner though its topic allows it",
        "0.8.1", None, (Patch("cleaner", "largest_unit", ("message.max.bytes",), "max.message.bytes"),),
    ),
    Quirk(
        "KAFKA-6834", "a batch larger than the current limit stops the cleaner",
        "0.10.1", None, (Patch("cleaner", "largest_unit", ("max.message.bytes",), "any"),),
    ),
    Quirk(
        "KAFKA-5316", "a rewritten set that needs more room than was read stops the cleaner",
        "0.8.1", None, (Patch("cleaner", "larger_output", ("stops the cleaner",), "ends the portion"),),
    ),
    Quirk(
        "KAFKA-7215", "one failure stops the cleaner for all logs",
        "0.8.1", None, (Patch("cleaner", "failure", ("stops the cleaner",), "leaves out the partition"),),
    ),
    Quirk(
        "KAFKA-7467", "an empty control batch stops the cleaner",
        "0.11.0", None, (Patch("cleaner", "empty_marker", ("stops the cleaner",), "expires"),),
    ),
    Quirk(
        "KAFKA-8764", "holes at a segment's end are cleaned again and again",
        "0.11.0", None, (Patch("cleaner", "cleaned_up_to", ("last batch",), "segment end"),),
    ),
    Quirk(
        "KAFKA-4497", "the time index of a cleaned segment points at the wrong message",
        "0.10.1", None, (Patch("cleaner", "offset_of_max_timestamp", ("end of last wrapper",), "message"),),
    ),
    Quirk(
        "KAFKA-10101", "the recovery point jumps to the log's end after an unclean stop",
        "1.0", None, (Patch("log", "unclean_recovery_point", ("end",), "least"),),
    ),
    Quirk(
        "KAFKA-1758", "a damaged recovery checkpoint keeps the broker from starting",
        "0.8.1", None, (Patch("log_directory", "unreadable_checkpoint", ("refused",), "forgotten"),),
    ),
    Quirk(
        "KAFKA-4893", "a topic with a long name cannot be deleted",
        "0.10.2", None, (Patch("log", "deleted_directory", ("renamed",), "renamed, cut"),),
    ),
    Quirk(
        "KAFKA-7400", "compacted topics keep segments before the log's start",
        "0.11.0", None, (Patch("log", "retention_of_compacted", (False,), True),),
    ),
    Quirk(
        "KAFKA-806", "an index has only one entry for a set of many batches",
        "0.8.0", None, (Patch("log", "index_entry_per", ("append",), "batch"),),
    ),
    Quirk(
        "KAFKA-8306", "a log without segments begins at 0 instead of where it ended",
        "0.8.0", None, (Patch("log", "new_log_at_checkpoint", (False,), True),),
    ),
    Quirk(
        "KAFKA-8542", "a refused batch rolls the segment",
        "0.11.0", None, (Patch("log", "roll_before_producer_check", (True,), False),),
    ),
    Quirk(
        "KAFKA-10702", "an empty transaction leaves an entry in the index of aborted ones",
        "0.11.0", None, (Patch("log", "empty_transaction_completes", (True,), False),),
    ),
    Quirk(
        "KAFKA-7190", "a producer is forgotten when its records are deleted",
        "0.11.0", None, (Patch("log", "producers_below_log_start", ("dropped",), "kept"),),
    ),
    Quirk(
        "KAFKA-7415", "leader epochs contradict each other after an election without data",
        "0.11.0", None, (Patch("log", "epoch_assignment", ("newer only",), "truncating"),),
    ),
    Quirk(
        "KAFKA-5522", "ListOffsets by time goes beyond the last stable offset for read_committed",
        "0.11.0", None, (Patch("list_offsets", "time_bounded_by", ("high watermark",), "isolation"),),
    ),
    Quirk(
        "KAFKA-7296", "a producer fails because the group's coordinator is loading",
        "0.11.0", None, (
            Patch(
                "transactions", "loading_offsets",
                (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,), ErrorCode.COORDINATOR_NOT_AVAILABLE,
            ),
        ),
    ),
    Quirk(
        "KAFKA-2000", "offsets of deleted topics are kept",
        "0.8.1", None, (Patch("offsets", "deleted_topics", (False,), True),),
    ),
    Quirk(
        "KAFKA-3470", "a member that only commits is thrown out",
        "0.9.0", None, (Patch("offsets", "commit_keeps_session", (False,), True),),
    ),
    Quirk(
        "KAFKA-3959", "the offsets topic is created with too few replicas",
        "0.8.2", None, (Patch("offsets", "too_few_brokers", ("fewer replicas",), "no topic"),),
    ),
    Quirk(
        "KIP-915", "a newer record in the offsets topic stops its loading",
        "0.9.0", None, (Patch("offsets", "unknown_record", ("stop",), "skip"),),
    ),
    Quirk(
        "KAFKA-7286", "a group whose metadata is larger than the load buffer is never loaded",
        "0.8.2", None, (Patch("offsets", "load_buffer", ("fixed",), "grows"),),
    ),
    Quirk(
        "KAFKA-9065", "a coordinator loads for ever if the offsets log ends in a gap",
        "0.11.0", None, (Patch("offsets", "load_ends", ("at the log's end",), "after the last unit"),),
    ),
    Quirk(
        "KAFKA-5600", "older commits win where the offsets topic is larger than the load buffer",
        "0.8.2", None, (Patch("offsets", "load_portions", ("earlier counts",), "later counts"),),
    ),
    Quirk(
        "TSDIFF-NO-TIMESTAMP", "a limit on timestamps refuses records that have none",
        "0.10.0", None, (Patch("append", "missing_timestamp_passes", (False,), True),),
    ),
    Quirk(
        "KAFKA-6975", "a follower does not take a batch within which the log begins",
        "0.11.0", None, (Patch("log", "copied_batch", ("begins at the end",), "may begin earlier"),),
    ),
    Quirk(
        "KAFKA-12671", "a batch that comes after the end of its transaction opens another one that never ends",
        "0.11.0", None, (Patch("transactions", "verified", ("nothing",), "records"),),
    ),
    Quirk(
        "KAFKA-9144", "a marker does not keep its producer alive",
        "1.0", None, (Patch("log", "marker_effect", ("keeps batches",), "keeps batches, sets time"),),
    ),
    Quirk(
        "KAFKA-19444", "JoinGroup 0 and 1 are missing, which librdkafka asks for before it uses Kerberos",
        "4.0", None, (Oldest(ApiKey.JOIN_GROUP, (2,), 0),),
    ),
    Quirk(
        "KAFKA-6238", "the broker does not start if the format is of a newer version, though not a newer format",
        "0.11.0", None, (Patch("log", "formats_compared", ("by order",), "by magic"),),
    ),
    Quirk(
        "KAFKA-7409", "a topic is created with a format that does not exist, and the broker does not start again",
        "0.10.1", None, (Patch("topics", "format_checked", (False,), True),),
    ),
    Quirk(
        "KAFKA-8653", "members are removed from their group as soon as a client joins that speaks JoinGroup 0",
        "2.3", "2.4", (Patch("groups", "join_0_rebalance_timeout", ("none",), "session timeout"),),
    ),
    Quirk(
        "KAFKA-12235", "DescribeConfigs finds nothing when it is asked for several configs by name",
        "0.11.0", None, (Patch("describe_configs", "names", ("containing configs",), "of configs"),),
    ),
    Quirk(
        "SILENT-APIKEY-0.9", "requests that the broker does not know are swallowed",
        "0.9.0", None, (
            Patch("connection", "unknown_key", ("silent",), "close"),
            Patch("connection", "unsupported_version", ("silent",), "close"),
        ),
    ),
)  # fmt: skip
"""Append, clean and fetch first; then the bugs of `fakekafka.bugs`, by part of the broker."""


def quirk(name: str) -> Quirk:
    """The quirk called `name`. Raises `UsageError` with the known names."""
    for row in QUIRKS:
        if row.name.lower() == name.lower():
            return row
    raise UsageError(f"no quirk {name!r}; there are {', '.join(row.name for row in QUIRKS)}")


def patched(rules: Profile, switches: str) -> Profile:
    """The profile with quirks switched as `switches` says, from left to right. Raises `UsageError`."""
    values: Values = {}
    for word in filter(None, (word.strip() for word in switches.split(","))):
        if word == REPAIRED:
            for row in QUIRKS:
                values |= _repaired(row) if row.is_in(rules) else {}
        elif word.startswith("-"):
            values |= _repaired(quirk(word[1:]))
        else:
            values |= {_what(p): (p, p.shipped[0]) for p in quirk(word).patches}
    for patch, value in values.values():
        rules = patch.put(rules, value)
    return rules


def with_oldest(versions: Mapping[ApiKey, Versions], rules: Profile) -> dict[ApiKey, Versions]:
    """The versions of APIs with the oldest ones that switches have changed in a profile."""
    shipped = profile(rules.release, rules.mode)
    patches = (patch for row in QUIRKS for patch in row.patches if isinstance(patch, Oldest))
    changed = {patch.api for patch in patches if patch.of(rules) != patch.of(shipped)}
    return {key: has._replace(low=rules.accepted[key].low) if key in changed else has for key, has in versions.items()}


def active(rules: Profile) -> list[Quirk]:
    """The quirks that a broker with this profile has."""
    return [row for row in QUIRKS if row.is_in(rules)]


def _repaired(row: Quirk) -> Values:
    return {_what(p): (p, p.repaired) for p in row.patches}


def _what(patch: Patch | Oldest) -> Hashable:
    """What a patch changes: a later patch of the same thing replaces it."""
    return patch.api if isinstance(patch, Oldest) else (patch.area, patch.field)
