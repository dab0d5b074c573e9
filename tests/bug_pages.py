"""The pages of ten classic bugs under `docs/bugs`: `python -m tests.bug_pages` rewrites them, from runs.

`test_bug_pages` fails if a page differs from what a run makes.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka.bugs import Bug, bug, run
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW
from fakekafka.bugs.signs.of_directories import diagnose_directory
from fakekafka.bugs.signs.of_journals import diagnose_journal
from fakekafka.cli.bugs import text_of
from fakekafka.releases.release import Release

from tests.support.journals import Written

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
    "the-impossible-rollback": ("The impossible rollback", ("OFFSET-VALUE-DOWNGRADE",)),
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
{_indented(text_of(one, run(one)))}

{_diagnosis(one)}**What to do.** {one.remedy}
{_test(one)}
Sources: {", ".join(one.sources)}.
"""


def _diagnosis(one: Bug) -> str:
    """What `fakekafka diagnose` says about the requests or the files of the story; "" if they show nothing."""
    if one.affected is None or one.story is None:
        return ""
    stage = Written(one.affected)
    one.story(Play(stage, one.affected))
    release = stage.release
    seen = {each.bug: each.seen for each in diagnose_journal(stage.lines, Release.parse(release))}
    what = f"journal.jsonl --release {release}"
    if one.id not in seen:
        with TemporaryDirectory() as folder:
            stage.kafka.save(Path(folder) / "kafka-logs")
            found = diagnose_directory(Path(folder) / "kafka-logs", NOW, Release.parse(release))
        seen, what = {each.bug: each.seen for each in found}, f"kafka-logs --release {release}"
    if one.id not in seen:
        return ""
    return f"""**Is it yours?** Give `diagnose` a journal, a packet capture of the brokers' port, or a log directory:

    $ fakekafka diagnose {what}
    {one.id}: {one.title}
      seen:    {seen[one.id]}
      confirm: fakekafka bugs show {one.id}; fakekafka bugs run {one.id}

"""


def _test(one: Bug) -> str:
    """How users reproduce the bug in their own tests, if it is a broker's bug."""
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
