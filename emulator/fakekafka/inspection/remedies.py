"""What a broker of a release does about a finding of the check when it starts on that directory.

The answers follow the release's behaviours (`releases/behaviours/log.py`, `log_directory.py`), which have the sources,
and `log/recovery.py`, which acts on them. What neither says is reported as unknown.
"""

from typing import Final, assert_never

from fakekafka.log import names
from fakekafka.log.findings import Finding
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.releases.behaviours.log import LogBehaviour
from fakekafka.releases.behaviours.log_directory import LogDirectoryBehaviour
from fakekafka.releases.profile import Profile

UNKNOWN: Final = "what it does then is not known here"
NO_SUCH_FILE: Final = "it knows no such file, and leaves it alone"
REFUSES: Final = "the broker does not start"


def remedy(finding: Finding, profile: Profile) -> str:
    """What the release does: one sentence without its full stop."""
    rules = profile.log
    match finding.kind:
        case Kind.BROKEN_UNIT | Kind.PREALLOCATED:
            return _bad_size(rules)
        case Kind.CHECKSUM | Kind.TORN:
            return f"{_read_through(rules)}; after a clean one it is kept"
        case Kind.OFFSET_ORDER:
            return (
                "after an unclean stop a segment is emptied if an index entry falls on it; after a clean one it is kept"
            )
        case Kind.OVERLAP:
            return "it does not check whether segments overlap"
        case Kind.GAP:
            return "it does not check whether offsets are missing"
        case Kind.RECORDS:
            return "it checks only sizes and checksums, and keeps it"
        case Kind.INDEX:
            return _offset_index(rules)
        case Kind.TIME_INDEX:
            return _offset_index(rules) if rules.time_index else NO_SUCH_FILE
        case Kind.TRANSACTION_INDEX if rules.producer_state:
            return (
                "if an entry ends below the segment, or after an unclean stop, it is rebuilt; if not, it is used as"
                " it is"
            )
        case Kind.SNAPSHOT if rules.producer_state:
            return "it is deleted, and the state is rebuilt from the log"
        case Kind.TRANSACTION_INDEX | Kind.SNAPSHOT:
            return NO_SUCH_FILE
        case Kind.EPOCHS:
            return _epochs(finding, rules)
        case Kind.LEFT_OVER_SWAP:
            return _swap(rules)
        case Kind.LEFT_OVER_DELETED | Kind.LEFT_OVER_CLEANED | Kind.ORPHAN:
            return "it is deleted"
        case Kind.LEFT_OVER_TMP:
            return "it is left alone"
        case Kind.LEFT_OVER_DELETE:
            return _marked(names.DELETE_DIRECTORY, "it is deleted", profile.log_directory)
        case Kind.LEFT_OVER_FUTURE:
            return _marked(names.FUTURE_DIRECTORY, UNKNOWN, profile.log_directory)
        case Kind.LEFT_OVER_STRAY:
            return _marked(names.STRAY_DIRECTORY, UNKNOWN, profile.log_directory)
        case Kind.UNKNOWN_DIRECTORY:
            return REFUSES
        case Kind.CHECKPOINT:
            return _checkpoint(finding, profile.log_directory)
        case Kind.PARTITION_METADATA:
            return UNKNOWN
        case Kind.TOPIC_ID if rules.has_partition_metadata:
            return "the directory is of no topic that the broker knows: its records are not served"
        case Kind.TOPIC_ID | Kind.CLUSTER_FILE:
            return NO_SUCH_FILE
        case _:
            assert_never(finding.kind)


def _read_through(rules: LogBehaviour) -> str:
    match rules.recover_segments:
        case "last":
            which = "the last segment"
        case "from recovery point":
            which = "everything from the recovery point on"
        case _:
            assert_never(rules.recover_segments)
    return f"after an unclean stop {which} is read through, and the log ends before it"


def _bad_size(rules: LogBehaviour) -> str:
    match rules.bad_size_at_start:
        case "ends log":
            return f"{_read_through(rules)}; after a clean one, too"
        case "ends log, refused at its beginning":
            return f"{_read_through(rules)}; after a clean one, too, but {REFUSES} if an index points to it"
        case "refused":
            return f"{_read_through(rules)}; after a clean one {REFUSES}"
        case _:
            assert_never(rules.bad_size_at_start)


def _offset_index(rules: LogBehaviour) -> str:
    rebuilt = "after an unclean stop it is rebuilt with its segment"
    match rules.index_check:
        case "refused":
            return f"if its last offset or its size cannot be right, {REFUSES}; {rebuilt}"
        case "beyond base":
            return f"if its last offset is not beyond its base, it is rebuilt at each start; {rebuilt}"
        case "from base":
            return f"if its last offset is below its base, it is rebuilt at each start; {rebuilt}"
        case "none":
            return f"{rebuilt}; after a clean one it is used as it is"
        case _:
            assert_never(rules.index_check)


def _epochs(finding: Finding, rules: LogBehaviour) -> str:
    match rules.epoch_file:
        case "none":
            return NO_SUCH_FILE
        case "any format" | "format 2":
            return "epochs that begin beyond the end are cut" if "the log ends at" in finding.what else UNKNOWN
        case _:
            assert_never(rules.epoch_file)


def _swap(rules: LogBehaviour) -> str:
    unless = "unless a .cleaned file lies at or before it, "
    match rules.swap_files:
        case "renamed":
            return "it gets its final name"
        case "recovered":
            return "it is recovered, and takes the place of the segments that it covers"
        case "recovered if whole":
            return f"{unless}it is recovered, and takes the place of the segments that it covers"
        case "all renamed":
            return f"{unless}it takes the place of the segments that it covers, its indexes too"
        case _:
            assert_never(rules.swap_files)


def _marked(mark: str, done: str, rules: LogDirectoryBehaviour) -> str:
    return done if mark in rules.marked_directories else f"{REFUSES}: its name is not a partition's"


def _checkpoint(finding: Finding, rules: LogDirectoryBehaviour) -> str:
    if finding.file != names.RECOVERY_POINTS or not rules.recovery_points:
        return UNKNOWN
    match rules.unreadable_checkpoint:
        case "refused":
            return f"{REFUSES} if it cannot be read"
        case "forgotten":
            return "what cannot be read counts as empty"
        case "offline":
            return f"the directory goes offline if it cannot be read, and without another one {REFUSES}"
        case _:
            assert_never(rules.unreadable_checkpoint)
