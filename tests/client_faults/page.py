"""The page with the table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, TypeAlias

from tests.client_faults.faults import CLIENTS, row_of
from tests.client_faults.shown_fault import ShownFault, While

Cell: TypeAlias = tuple[Any, ...]
"""The names of a fault, a client and a release."""
HeldCell: TypeAlias = tuple[str, str, list[str]]
"""The names of a fault and a client, and what was seen with a real broker."""
TABLES: Final[dict[While, str]] = {
    "sending": "While sending",
    "reading": "While reading",
    "committing": "While committing a transaction",
    "creating": "While creating topics",
}
INTRODUCTION: Final = """# What clients do under faults

Made by `python -m tests.client_faults.table` (`tox -e client-faults`) at the releases {releases}, with {versions}.

Each client sends three records one by one, reads three as a group and commits, sends three in a transaction, or creates
two topics. It has its own defaults, except for time-outs: 1.5 s for an answer and 5 s for a record; a program that
reads gives up after 15 s. A fault is in force from the beginning, or, where it says *midway*, from the first record or
topic on. The rows say what the fault does; `FakeKafka.faults` makes it ([Faults](recipes/faults.md)).

- *goes on*: the program notices nothing, and each record is there once.
- *never meets it*: the client sends no such request, or only when the fault is over.
- *raises*: a call raises this error, or a delivery report names it; the program then aborts its transaction.
- *a record is stored twice*: the client sent it again, and the broker could not know.
- *acknowledged and lost*: the client got acknowledgements for records that are not stored.
- *reads 0 of 3*: the program gave up before it had read all records.
- *stored all the same*: a record, or topic, is there although the program was told otherwise.
- *hangs*: a call of the client never returns. What it raised before is named first.
- *crashes*: the process of the program ends.

Where releases differ, each is named. Each cell was looked at {looks}, in a process of its own.
Where a cell says *or*, with how many looks of how many, the same program does one or the other by chance. The plan of
each fault is below the tables.

Before its first poll, the program that reads with kafka-python asks for the partitions of its topic: otherwise this
client may stand still without any fault ([No waiting](recipes/no-waiting.md)).
"""


HELD: Final = """## Held to real brokers

`python -m tests.client_faults.held_to` puts a real broker behind the rules: a fake one lets them act, hands on what
they let pass, and gives the real answers back. So it reaches the faults that lie between clients and one broker, not
those of brokers, disks and clusters. A cell is confirmed if one of its looks is what the table says; on a busy
machine, other looks may end with a time-out of the client.
"""


def in_words(looks: Sequence[str]) -> str:
    """What was seen, if all looks agree; otherwise everything that was seen, with how often."""
    counted = Counter(looks).most_common()
    if len(counted) == 1:
        return looks[0]
    return " *or* ".join(f"{text} ({times} of {len(looks)})" for text, times in counted)


def page(
    faults: Sequence[ShownFault],
    releases: Sequence[str],
    looks: Mapping[Cell, Sequence[str]],
    held: Mapping[str, Sequence[HeldCell]],
) -> Iterator[str]:
    """The lines of the page. `looks`: what was seen of each cell, once for each look. `held`: what was seen with real
    brokers, by their full release.
    """
    versions = ", ".join(f"{client.name} {version(client.name)}" for client in CLIENTS)
    least = min(map(len, looks.values()))
    often = {1: "once, some more often", 2: "twice or more"}.get(least, f"{least} times or more")
    yield INTRODUCTION.format(versions=versions, releases=", ".join(releases), looks=often)
    names = [client.name for client in CLIENTS]
    for during, title in TABLES.items():
        yield from (f"## {title}\n", f"| fault | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 1)}")
        for fault in faults:
            if fault.during == during:
                texts = [
                    _cell({release: in_words(looks[row_of(fault), name, release]) for release in releases})
                    for name in names
                ]
                yield f"| {fault.name}{', midway' if fault.midway else ''} | {' | '.join(texts)} |"
        yield ""
        yield from (f"{note}\n" for note in dict.fromkeys(f.note for f in faults if f.during == during and f.note))
    yield from _with_real_brokers(looks, held)
    yield "## The plans\n"
    for fault in faults:
        yield f"**{fault.name}**{f', {fault.brokers} brokers' if fault.brokers > 1 else ''}\n"
        yield f"```toml\n{fault.plan.strip()}\n```\n" if fault.plan else f"```py\n{fault.said}\n```\n"


def _with_real_brokers(looks: Mapping[Cell, Sequence[str]], held: Mapping[str, Sequence[HeldCell]]) -> Iterator[str]:
    """What was compared, and where it differs."""
    yield HELD
    for release, cells in held.items():
        line = release.rpartition(".")[0]
        known = [(*cell, looks[cell[0], cell[1], line]) for cell in cells if (cell[0], cell[1], line) in looks]
        others = [cell for cell in known if not set(cell[2]) & set(cell[3])]
        yield f"**{release}**: {len(known)} cells, {len(known) - len(others)} of them confirmed. Rows:\n"
        yield from (f"- {row}" for row in dict.fromkeys(row for row, *_ in known))
        yield ""
        yield from (f"- not confirmed: {row}, {client}: {in_words(seen)}" for row, client, seen, _ in others)
        yield from [""] if others else []


def _cell(by_release: Mapping[str, str]) -> str:
    """One text if all releases agree, or each text with its releases."""
    texts = list(dict.fromkeys(by_release.values()))
    if len(texts) == 1:
        return texts[0]
    return "<br>".join(f"{', '.join(r for r, t in by_release.items() if t == text)}: {text}" for text in texts)
