"""The advice for each step of an upgrade: a verdict, the effects on clients, silent changes, and how far back one can
go.

Every claim names the tests that show it, which `fakekafka plan --why` prints.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.advice.config_changes import config_changes
from fakekafka.bugs import Bug, all_bugs
from fakekafka.bugs.client_ranges import numbers
from fakekafka.releases.client_defaults import client_defaults
from fakekafka.releases.client_versions import Client
from fakekafka.releases.coordinator_values import value_versions
from fakekafka.releases.phases import Phase
from fakekafka.releases.profile import profile
from fakekafka.releases.security_changes import security_changes
from fakekafka.upgrade.plan import Cost, Outcome, costs, outcome
from fakekafka.upgrade.scan import Held

Verdict: TypeAlias = Literal["safe", "safe with care", "breaks"]

UPGRADE: Final = "tests/emulator/upgrade/"
TABLES: Final = "tests/emulator/releases/configs/test_tables.py::test_a_"
TESTS: Final = {
    "converted": UPGRADE + "test_plan.py::test_a_format_is_free_for_clients_that_speak_it_and_converted_for_older_ones",
    "refused": UPGRADE + "test_plan.py::test_4_0_refuses_clients_older_than_format_2",
    "silent broker": UPGRADE + "test_plan.py::test_a_client_that_cannot_talk_to_the_broker_is_refused",
    "topic": UPGRADE + "test_plan.py::test_a_plan_says_what_breaks",
    "new format": UPGRADE + "test_steps.py::test_producers_are_converted_until_the_format_is_raised",
    "code first": "tests/emulator/releases/test_phases.py::test_the_code_comes_first_and_the_format_last",
    "default": TABLES + "config_is_what_it_really_is",
    "removed": TABLES + "release_has_the_configs_that_it_really_has",
    "client default": "tests/emulator/releases/test_client_defaults.py"
    "::test_every_change_is_a_row_and_every_row_a_change",
    "security": "tests/emulator/releases/test_security_changes.py::test_changes_on_the_way_are_reported",
    "ZooKeeper": UPGRADE + "test_steps.py::test_from_kraft_alone_there_is_no_way_back",
    "levels": UPGRADE
    + "test_steps.py::test_features_are_raised_while_the_cluster_runs_and_the_old_release_refuses_them",
    "bug": "tests/emulator/bugs/test_stories.py::test_the_story_is_seen_on_both_sides[{}]",
}
"""The tests that show a claim, by its kind."""

JAVA: Final = "kafka-clients"
LIBRARY: Final = re.compile(r"(?P<library>[\w@/.-]+) (?P<version>\d[\d.]*)\)?$")
"""The end of a client's name, if it belongs to a library."""


class Claim(NamedTuple):
    """One consequence of a step, and the test that shows it."""

    text: str
    why: str


class ClientAdvice(NamedTuple):
    """What a step means for one client."""

    client: str
    outcome: Outcome
    converted: int
    """The bytes that are converted for it when it reads everything once."""
    cpu_s: float
    """The CPU time of this conversion that is expected of a real broker, in seconds of one core."""
    breaks: tuple[Claim, ...]


class StepAdvice(NamedTuple):
    """What one step means."""

    number: int
    phase: Phase
    clients: tuple[ClientAdvice, ...]
    first: tuple[Claim, ...]
    """What must be done before this step."""
    silent: tuple[Claim, ...]
    """Changes that happen without being asked for."""
    final: tuple[Claim, ...]
    """What cannot be undone after it."""
    back_to: int
    """The earliest step to which one can go back without losing what was written."""

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all its claims."""
        if any(client.breaks for client in self.clients):
            return "breaks"
        if any(client.converted or client.outcome.fetch == "converted" for client in self.clients):
            return "safe with care"
        return "safe with care" if self.final or self.silent or self.first else "safe"


def advice(phases: Sequence[Phase], clients: Sequence[Client], held: Sequence[Held] = ()) -> list[StepAdvice]:
    """The advice for each phase. `held`: what the directory of the cluster holds, for sizes."""
    bugs = [bug for bug in all_bugs() if bug.kind in ("bug", "era")]
    steps: list[StepAdvice] = []
    back_to = 0
    for number, phase in enumerate(phases):
        before = phases[number - 1] if number else phase
        final, lasting = tuple(_final(before, phase)), tuple(_lasting(before, phase))
        back_to = number if final else back_to
        unread = [earlier for earlier in range(back_to, number) if _newest_read(phases[earlier]) < _value(phase)]
        if unread:
            lasting = (_unreadable(phases[unread[-1]]), *lasting)
            back_to = unread[-1] + 1
        mine = tuple(_client(phase, client, held, bugs) for client in clients)
        first, silent = tuple(_first(before, phase, clients)), tuple(_silent(before, phase, clients))
        steps.append(StepAdvice(number, phase, mine, first, silent, (*final, *lasting), back_to))
    return steps


def _client(phase: Phase, client: Client, held: Sequence[Held], bugs: Sequence[Bug]) -> ClientAdvice:
    mine = list(costs([phase], [client], held))
    expected = outcome(client, phase)
    breaks = [*_refusals(client, phase, expected), *_breaks(mine), *_bugs(client, phase, bugs)]
    size, cpu_s = sum(cost.size for cost in mine), sum(cost.cpu_s for cost in mine)
    return ClientAdvice(client.name, expected, size, cpu_s, tuple(dict.fromkeys(breaks)))


def _refusals(client: Client, phase: Phase, expected: Outcome) -> Iterator[Claim]:
    spoken = client.towards(phase.release)
    if spoken is None:
        yield Claim(f"does not talk to {phase.release}", TESTS["silent broker"])
    elif "refused" in expected:
        yield Claim(f"is refused by {phase.release} (Produce {spoken.produce}, Fetch {spoken.fetch})", TESTS["refused"])


def _breaks(mine: Sequence[Cost]) -> Iterator[Claim]:
    for cost in mine:
        for text in cost.breaks:
            yield Claim(f"{cost.topic}: {text}", TESTS["topic"])


def _bugs(client: Client, phase: Phase, bugs: Sequence[Bug]) -> Iterator[Claim]:
    """What this release does to this client if its records are converted."""
    named = LIBRARY.search(client.name)
    if named is None or outcome(client, phase).fetch != "converted":
        return
    for bug in bugs:
        hit = any(one.has(named["library"], named["version"]) for one in bug.hit)
        if hit and bug.part == "fetch" and bug.kind == "bug" and phase.release in bug.runs and bug.story is not None:
            yield Claim(f"{bug.id} on {phase.release}: {bug.title}", TESTS["bug"].format(bug.id))


def _first(before: Phase, phase: Phase, clients: Sequence[Client]) -> Iterator[Claim]:
    """What must come first: the upgrade of clients that would be refused, or need conversion."""
    for client in clients:
        was, becomes = outcome(client, before), outcome(client, phase)
        if "refused" in becomes and "refused" not in was:
            yield Claim(f"upgrade {client.name} first: it is refused from here on", TESTS["refused"])
        elif becomes.fetch == "converted" and was.fetch != "converted":
            yield Claim(f"upgrade {client.name} first, or all its reads are converted", TESTS["converted"])
    if phase.kind == "protocol" and before.kind == "code":
        yield Claim("every broker must run the new code before the protocol is raised", TESTS["code first"])


def _silent(before: Phase, phase: Phase, clients: Sequence[Client]) -> Iterator[Claim]:
    for change in config_changes(before.release, phase.release):
        yield Claim(str(change), TESTS["removed" if change.after is None else "default"])
    for default in client_defaults(before.release, phase.release):
        if any(_may_change(client, default.since) for client in clients) or not clients:
            yield Claim(str(default), TESTS["client default"])
    for security in security_changes(before.release, before.mode, phase.release, phase.mode):
        yield Claim(str(security), TESTS["security"])
    if phase.magic > before.magic:
        yield Claim(f"new records are of format {phase.magic}", TESTS["new format"])


def _may_change(client: Client, since: str) -> bool:
    """Whether a client may be a Java client older than `since`; a generation of clients may be."""
    older = not client.version or numbers(client.version) < numbers(since)
    return client.library in ("", JAVA) and older


def _final(before: Phase, phase: Phase) -> Iterator[Claim]:
    """What prevents going back from `phase` to `before`."""
    if phase.final and not before.final:
        yield Claim("ZooKeeper is left for good", TESTS["ZooKeeper"])
    if phase.magic > before.magic:
        yield Claim(
            f"records of format {phase.magic} stay: after a way back old consumers get them as they are",
            TESTS["bug"].format("FORMAT-LOWERED"),
        )
    if phase.kind == "features" and phase.features != before.features:
        yield Claim(
            "metadata.version is raised: it can be lowered only where the controllers allow it", TESTS["levels"]
        )


def _lasting(before: Phase, phase: Phase) -> Iterator[Claim]:
    """What stays after going back, and does no harm there."""
    if not _cleans_anew(before) and _cleans_anew(phase):
        yield Claim("what is compacted from here on is rewritten in format 2", TESTS["bug"].format("KAFKA-13093"))


def _unreadable(old: Phase) -> Claim:
    return Claim(
        f"committed offsets are written in a version that {old.release} cannot read: going back to it loses them",
        TESTS["bug"].format("OFFSET-VALUE-DOWNGRADE"),
    )


def _newest_read(phase: Phase) -> int:
    """The newest version of committed offsets that brokers in this phase can read (KIP-915)."""
    return profile(phase.release, phase.mode).offsets.newest_value


def _value(phase: Phase) -> int:
    """The version in which brokers in this phase write committed offsets."""
    return value_versions(profile(phase.release, phase.mode).offsets, phase.protocol or "").offset


def _cleans_anew(phase: Phase) -> bool:
    return profile(phase.release, phase.mode).cleaner.rebuilds_older_units
