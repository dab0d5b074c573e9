"""Signs in a journal of requests: each function looks for one bug, and is called with every line and the history before
it.

A sign is what the story of the bug shows on the wire. It suggests the bug without proving it: `fakekafka bugs show`
names other causes of the same error. Bugs that the broker's release does not have are left out, if the release is
known: because the caller names it, or because answers to ApiVersions show it.
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.bugs.index import bug
from fakekafka.bugs.signs.finding import Finding
from fakekafka.bugs.signs.journals import fetch, negotiation, offsets, produce, sessions, transactions
from fakekafka.bugs.signs.journals.exchange import Exchange, topic_names
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.bugs.signs.journals.shown_releases import shown_releases
from fakekafka.inspection.journal_lines import JournalLine
from fakekafka.releases.release import Release

SIGNS: Final[dict[str, Sign]] = {
    **produce.SIGNS,
    **fetch.SIGNS,
    **sessions.SIGNS,
    **transactions.SIGNS,
    **offsets.SIGNS,
    **negotiation.SIGNS,
}
"""The signs by bug."""
NEEDS_RELEASE: Final = frozenset({
    "KAFKA-7920", "KAFKA-12944", "KAFKA-8069", "KAFKA-4472", "KAFKA-13636", "KAFKA-4682", "KAFKA-8428", "KAFKA-19367",
    "KAFKA-5494", "BLIND-MAGIC-0.9",
})  # fmt: skip
"""The signs of these bugs are healthy behaviour in other releases, or have another cause there: they are looked for
only if the release is known.
"""


def diagnose_journal(lines: Iterable[JournalLine], release: Release | None = None) -> list[Finding]:
    """The bugs that fit, each once, with what was seen first. `release`: the brokers' release, if it is known.

    A line on which a rule of faults has acted is no sign of a bug; what it did is remembered.
    """
    lines = list(lines)
    topics = topic_names(lines)
    exchanges = [Exchange(line, topics) for line in lines]
    releases = shown_releases(exchanges) if release is None else frozenset({release})
    wanted = {name: sign for name, sign in SIGNS.items() if _may_be(name, releases)}
    findings: dict[str, Finding] = {}
    history = History(exchanges)
    for number, exchange in enumerate(exchanges, 1):
        history.foresee(exchange)
        for name, sign in wanted.items() if exchange.line.fault is None else ():
            if name not in findings and (seen := sign(exchange, history)) is not None:
                findings[name] = Finding(name, f"line {number}, {_asked(exchange)}: {seen}")
        history.remember(exchange)
    return list(findings.values())


def _may_be(name: str, releases: frozenset[Release]) -> bool:
    """Whether a bug is looked for in brokers that may be any of `releases`; empty: nothing is known about them."""
    if not releases:
        return name not in NEEDS_RELEASE
    return any(release in bug(name).runs for release in releases)


def _asked(exchange: Exchange) -> str:
    return f"{exchange.api} {exchange.version} of {exchange.line.client_id}"
