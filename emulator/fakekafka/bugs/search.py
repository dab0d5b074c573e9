"""Finding a bug by what somebody sees: a release, a client, words of a symptom, a kind."""

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
    """Those that fit all that is given.

    `client`: a library, or "kafka-python==1.4.4". `symptom`: words that must all be there, in any order and case.
    Raises `UsageError` for a release or a kind that is none.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(f"no kind {kind!r}; there are {', '.join(KINDS)}")
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
