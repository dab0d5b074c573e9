"""What a broker of some release does about what a check has found, when it starts on such a directory.

The words follow the release's behaviours (`releases/behaviours/log.py`, `log_directory.py`), which have the sources,
and `log/recovery.py`, which acts on them. What neither tells is said to be unknown.
"""

from collections.abc import Callable, Mapping
from typing import Final

from fakekafka.log import names
from fakekafka.log.findings import Finding
from fakekafka.releases.profile import Profile

UNKNOWN: Final = "what it does then is not known here"
NO_SUCH_FILE: Final = "it knows no such file, and leaves it alone"


def remedy(finding: Finding, profile: Profile) -> str:
    """One sentence without its full stop."""
    say = _SAID.get(finding.kind, _directory if finding.kind.startswith("left over -") else None)
    return UNKNOWN if say is None else say(finding, profile)


def _cut(_: Finding, profile: Profile) -> str:
    which = "the last segment" if profile.log.recover_segments == "last" else "everything from the recovery point on"
    return f"after an unclean stop {which} is read through, and the log ends before it; after a clean one it is kept"


def _bad_size(finding: Finding, profile: Profile) -> str:
    unclean, _, _ = _cut(finding, profile).partition(";")
    if profile.log.bad_size_at_start == "ends log":
        return f"{unclean}; after a clean one, too"
    return f"{unclean}; after a clean one the broker does not start"


def _out_of_order(_: Finding, profile: Profile) -> str:
    return "after an unclean stop a segment is emptied if an index entry falls on it; after a clean one it is kept"


def _overlap(_: Finding, profile: Profile) -> str:
    return "it does not look whether segments overlap"


def _offset_index(_: Finding, profile: Profile) -> str:
    kept = "after an unclean stop it is rebuilt with its segment"
    return {
        "refused": f"if its last offset or its size cannot be right, the broker does not start; {kept}",
        "beyond base": f"if its last offset is not beyond its base, it is rebuilt at each start; {kept}",
        "from base": f"if its last offset is below its base, it is rebuilt at each start; {kept}",
        "none": f"{kept}; after a clean one it is used as it is",
    }[profile.log.index_check]


def _time_index(finding: Finding, profile: Profile) -> str:
    return _offset_index(finding, profile) if profile.log.time_index else NO_SUCH_FILE


def _snapshot(_: Finding, profile: Profile) -> str:
    return "it is deleted, and the state is made from the log again" if profile.log.producer_state else NO_SUCH_FILE


def _transactions(_: Finding, profile: Profile) -> str:
    if not profile.log.producer_state:
        return NO_SUCH_FILE
    return "if an entry ends below the segment, or after an unclean stop, it is rebuilt; else it is used as it is"


def _epochs(finding: Finding, profile: Profile) -> str:
    if profile.log.epoch_file == "none":
        return NO_SUCH_FILE
    return "epochs that begin beyond the end are cut" if "the log ends at" in finding.what else UNKNOWN


def _swap(_: Finding, profile: Profile) -> str:
    unless = "unless a .cleaned file lies at or before it, "
    return {
        "renamed": "it gets its final name",
        "recovered": "it is recovered, and takes the place of the segments that it covers",
        "recovered if whole": f"{unless}it is recovered, and takes the place of the segments that it covers",
        "all renamed": f"{unless}it takes the place of the segments that it covers, its indexes too",
    }[profile.log.swap_files]


def _deleted(_: Finding, profile: Profile) -> str:
    return "it is deleted"


def _left_alone(_: Finding, profile: Profile) -> str:
    return "it is left alone"


def _directory(finding: Finding, profile: Profile) -> str:
    mark = finding.kind.removeprefix("left over ")
    if mark not in profile.log_directory.marked_directories:
        return "the broker does not start: its name is no partition's"
    return "it is deleted" if mark == names.DELETE_DIRECTORY else UNKNOWN


def _unknown_directory(finding: Finding, profile: Profile) -> str:
    return "the broker does not start"


def _checkpoint(finding: Finding, profile: Profile) -> str:
    if finding.file != names.RECOVERY_POINTS or not profile.log_directory.recovery_points:
        return UNKNOWN
    refused = profile.log_directory.unreadable_checkpoint == "refused"
    return "the broker does not start if it cannot be read" if refused else "what cannot be read counts as empty"


_SAID: Final[Mapping[str, Callable[[Finding, Profile], str]]] = {
    "broken unit": _bad_size,
    "preallocated": _bad_size,
    "checksum": _cut,
    "torn": _cut,
    "offset order": _out_of_order,
    "overlap": _overlap,
    "index": _offset_index,
    "timeindex": _time_index,
    "txnindex": _transactions,
    "snapshot": _snapshot,
    "epochs": _epochs,
    "left over .swap": _swap,
    "left over .deleted": _deleted,
    "left over .cleaned": _deleted,
    "left over .tmp": _left_alone,
    "unknown directory": _unknown_directory,
    "checkpoint": _checkpoint,
}
"""By kind of the finding."""
