"""`fakekafka bugs`: the collection of known defects: list them, describe one, or play its story."""

import argparse
from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from fakekafka.bugs import Bug, Run, all_bugs, bug, run
from fakekafka.bugs.running import Act
from fakekafka.bugs.search import KINDS, search
from fakekafka.cli.tables import print_table
from fakekafka.errors import UsageError

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands

WIDTH = 110


def add(commands: "Commands") -> None:
    parser = commands.add_parser("bugs", help="known upgrade and conversion bugs: find one, read about it, play it")
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "show", "run"),
        default="list",
        metavar="show|run",
        help="tell a bug's story, or play it; without it, list the bugs",
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="a bug, such as KAFKA-6739")
    parser.add_argument("--release", metavar="RELEASE", help="those that this release has; run: play it on this one")
    parser.add_argument("--client", metavar="NAME[==VERSION]", help="those that this client meets")
    parser.add_argument("--symptom", metavar="WORDS", help='those whose story contains these words, such as "high cpu"')
    parser.add_argument("--kind", choices=KINDS, help="those of this kind")
    parser.set_defaults(command=command)


def command(options: argparse.Namespace) -> int:
    if options.action == "list":
        return _list(options)
    if options.id is None:
        raise UsageError(f"bugs {options.action}: name a bug, as in 'fakekafka bugs {options.action} KAFKA-6739'")
    chosen = bug(options.id)
    if options.action == "show":
        print(story_of(chosen))
        return 0
    if options.client is not None:
        return _run_with_client(chosen, options.client)
    done = run(chosen, options.release)
    print(text_of(chosen, done))
    return 0 if done.as_described else 1


def _run_with_client(one: Bug, client: str) -> int:
    """Have the real client read what the story leaves behind."""
    try:
        from fakekafka_compat import bug_clients  # a package beside the emulator, with its own dependencies
        from fakekafka_compat.environments import default_cache
    except ImportError as e:
        raise UsageError(f"bugs run --client needs the extra fakekafka[compat]: {e}") from None
    reads = bug_clients.run_with_client(one, client, default_cache())
    print(f"{one.id}: {one.title}\n\naffected:   {reads[0]}\nwithout it: {reads[1]}")
    as_described = bug_clients.as_described(reads)
    print("\nas described" if as_described else "\nNOT AS DESCRIBED")
    return 0 if as_described else 1


def _list(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name) for name in ("release", "client", "symptom", "kind")}
    matching = search(all_bugs(), **given)
    rows = [(one.id, one.kind, one.releases, ", ".join(one.clients[:2]), _one_line(one)) for one in matching]
    print_table(("bug", "kind", "releases", "clients", "what happens"), rows)
    print(f"{len(matching)} bugs; 'fakekafka bugs show ID' tells the story, 'fakekafka bugs run ID' plays it.")
    return 0 if matching else 1


def _one_line(one: Bug) -> str:
    return one.title if one.story is not None else f"{one.title} (not played)"


def story_of(one: Bug) -> str:
    """What is known about a bug, as text."""
    cured = ", ".join(map(str, one.runs.cured_in())) or "no release so far"
    if one.story is None:
        seen = f"not played here: {one.unshown}"
    else:
        seen = f"fakekafka bugs run {one.id} plays it on {one.affected}, and without it on {one.cured}; {_how(one)}"
    parts = (
        ("kind", f"{one.kind}, {one.part}"),
        ("releases", one.releases),
        ("without it", cured),
        ("clients", ", ".join(one.clients)),
        ("symptom", one.symptom),
        ("cause", one.cause),
        ("remedy", one.remedy),
        ("to see it", seen),
        *([("story on", f"{one.story_on}; {one.elsewhere}")] if one.story_on else []),
        *_with_clients(one),
        ("sources", ", ".join(one.sources)),
    )
    return "\n".join((f"{one.id}: {one.title}", "", *(_part(name, text) for name, text in parts)))


def _with_clients(one: Bug) -> Iterator[tuple[str, str]]:
    """How real clients show it, if any do."""
    meet = one.real_clients
    if meet is not None:
        beside = f"{meet.cured} beside it" if meet.cured else f"the same on {one.cured}"
        yield "with clients", f"fakekafka bugs run {one.id} --client {meet.affected}, and {beside}"
    elif one.no_client:
        yield "with clients", f"no: {one.no_client}"


def _how(one: Bug) -> str:
    return {
        "as it happens": "the broker does what the real one did",
        "its mechanism": "the effect needs load that a test does not have, so the cause is shown in numbers",
        "by what a reader computes": "a reader that computes as the broken client did meets the broker's bytes",
        "not": "",
    }[one.shown]


def _part(name: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"{name:<13}", subsequent_indent=" " * 13)


def text_of(one: Bug, done: Run) -> str:
    """Both sides of a run, as text."""
    verdict = "as described" if done.as_described else "NOT AS DESCRIBED"
    return "\n".join((
        f"{one.id}: {one.title}",
        *_act("affected", done.affected),
        *_act("without it", done.cured),
        f"\n{verdict}",
    ))  # fmt: skip


def _act(name: str, act: Act) -> list[str]:
    wrong = [f"  !! expected {what}: {value}" for what, value in act.expected.items() if act.seen.get(what) != value]
    return [f"\n{name}: {act.side}", *(f"  {text}" for text in act.narrative), *wrong]
