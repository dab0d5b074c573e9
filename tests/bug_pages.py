"""The pages of ten classic bugs under `docs/bugs`: `python -m tests.bug_pages` rewrites them, from runs.

`test_bug_pages` fails while a page is not what a run makes.
"""

from pathlib import Path
from typing import Final

from fakekafka.bugs import Bug, bug, run
from fakekafka.cli.bugs import told

PAGES: Final = Path(__file__).parent.parent / "docs" / "bugs"

CLASSICS: Final = {
    "down-conversion-eats-the-brokers": ("Down-conversion eats the brokers", ("KAFKA-12944", "OOM-EAGER")),
    "headers-disappear": ("Headers, and then everything, disappear", ("KAFKA-6739", "KAFKA-6739-UP")),
    "the-consumer-that-stands-still": ("The consumer that stands still", ("EMPTY-CONVERTED", "KIP-283-OVERFLOW")),
    "the-cleaner-dies-after-the-upgrade": ("The log cleaner dies after the upgrade", ("KAFKA-3915", "KAFKA-7385")),
    "offsets-gone-after-a-week": ("Offsets gone after a week", ("KAFKA-13636", "KAFKA-8069")),
    "time-indexes-fill-the-disk": ("Time indexes fill the disk and slow the start", ("KAFKA-4734",)),
    "retention-deletes-everything": ("Retention deletes everything", ("SECONDS-AS-MS", "RETENTION-MTIME")),
    "two-formats-in-one-answer": ("Two formats in one answer", ("MIXED-MAGIC", "FORMAT-LOWERED")),
    "4-0-refuses": ("4.0 refuses", ("KIP-896-REMOVAL",)),
    "the-rollback-that-cannot-be": ("The rollback that cannot be", ("OFFSET-VALUE-DOWNGRADE",)),
}
"""File name -> title, and the bugs in it, from symptom to cure."""


def page(title: str, names: tuple[str, ...]) -> str:
    """One page, as Markdown."""
    return "\n".join((f"# {title}", "", *(_part(bug(name)) for name in names))).rstrip() + "\n"


def index() -> str:
    """The page that lists the others."""
    rows = [f"- [{title}]({name}.md): {', '.join(bugs)}" for name, (title, bugs) in CLASSICS.items()]
    lead = "Ten upgrades that went wrong, from symptom to cure. `fakekafka bugs` lists all that are known here."
    return "\n".join(("# Classic upgrade bugs", "", lead, "", *rows, ""))


def _part(one: Bug) -> str:
    cured = ", ".join(map(str, one.runs.cured_in())) or "no release so far"
    return f"""## {one.id}: {one.title}

**What people say.** {one.symptom}.

**What happens.** {one.cause}

**Releases.** {one.releases}; without it: {cured}. **Clients.** {", ".join(one.clients)}.

    $ fakekafka bugs run {one.id}
{_indented(told(one, run(one)))}

**What to do.** {one.remedy}
{_test(one)}
Sources: {", ".join(one.sources)}.
"""


def _test(one: Bug) -> str:
    """How to reproduce the bug in one's own tests, if it is a broker's bug."""
    if one.affected is None or one.affected.reader or one.affected.begins:
        return ""
    return f"""
**In your tests.** `@pytest.mark.fake_kafka(bug="{one.id}")` runs a test on {one.affected.release} with the bug, and on
a broker without it; the fixture `fake_kafka_bug` says which.
"""


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())


def pages() -> dict[str, str]:
    """Every page, by its file's name."""
    return {f"{name}.md": page(*told_of) for name, told_of in CLASSICS.items()} | {"README.md": index()}


if __name__ == "__main__":
    PAGES.mkdir(parents=True, exist_ok=True)
    for file, text in pages().items():
        (PAGES / file).write_text(text, "utf-8")
