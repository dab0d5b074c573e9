"""Finding a bug by a release, a client, words of a symptom, or a kind."""

from collections.abc import Iterable

from fakekafka.bugs.bug import Bug
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release

KINDS = ("bug", "era", "scenario", "fault")


def search(
    bugs: Iterable[Bug],
    *,
    release: str | None = None,
    client: str | None = None,
    symptom: str | None = None,
    kind: str | None = None,
) -> list[Bug]:
    """The bugs that fit all the given criteria. `client`: a library, or "kafka-python==1.4.4". `symptom`: words that
    must all occur, in any order and case. Raises `UsageError` for an unknown release or kind.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"unknown kind {kind!r}; the kinds are {', '.join(KINDS)}")
    wanted = None if release is None else Release.parse(release)
    words = (symptom or "").lower().split()
    library, _, version = (client or "").partition("==")
    return [
        bug
        for bug in bugs
        if (wanted is None or wanted in bug.runs)
        and (not client or any(one.has(library, version) for one in bug.hit))
        and all(word in bug.text.lower() for word in words)
        and kind in (None, bug.kind)
    ]
