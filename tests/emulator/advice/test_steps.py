"""The advice for each step."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka.advice.client_list import read_clients
from fakekafka.advice.steps import TESTS, Claim, StepAdvice, advice
from fakekafka.records.compression import GZIP, LZ4, NONE, SNAPPY, ZSTD
from fakekafka.releases.phases import before_upgrade, recipe
from fakekafka.releases.release import Release
from fakekafka.upgrade.scan import Held, Units

ROOT = Path(__file__).parents[3]
WAYS = [
    ("0.8.2", "0.10.2"),
    ("0.9.0", "0.10.0"),
    ("0.10.2", "1.0.1"),
    ("0.10.2", "2.3"),
    ("0.11.0", "1.0"),
    ("2.3", "4.1"),
    ("3.2", "3.9"),
]


def steps(start: str, to: str, clients: str = "", held: tuple[Held, ...] = ()) -> list[StepAdvice]:
    named = read_clients(clients) if clients else []
    return advice(recipe(before_upgrade(Release.parse(start)), to), named, held)


def claims(found: list[StepAdvice]) -> Iterator[Claim]:
    for step in found:
        yield from (*step.first, *step.silent, *step.final)
        yield from (claim for client in step.clients for claim in client.breaks)


def test_clients_are_judged_by_name_and_version_and_not_by_era() -> None:
    """kafka-python 1.4.7 produces to 4.0, though clients of 0.10 are refused."""
    found = steps("3.9", "4.0", "kafka-python==1.4.7,kafka-python==1.3.5")
    last = found[-1]
    modern, old = last.clients
    assert (str(modern.outcome), modern.breaks) == ("in place / zero-copy", ())
    assert old.breaks[0].text == "is refused by 4.0.2 (Produce 2, Fetch 3)"
    assert last.verdict == "breaks"
    assert "upgrade kafka-python 1.3.5 first: it is refused from here on" in {claim.text for claim in claims(found)}


def test_a_format_is_raised_permanently_and_old_clients_are_upgraded_first() -> None:
    found = steps("0.10.2", "2.3", "kafka-python==1.3.5")
    raised = found[-1]
    assert [step.verdict for step in found] == [
        "safe", "safe with care", "safe with care", "safe", "safe with care",
    ]  # fmt: skip
    assert raised.first[0].text == "upgrade kafka-python 1.3.5 first, or all its reads are converted"
    assert "records of format 2 stay" in raised.final[0].text
    assert [step.back_to for step in found] == [0, 0, 1, 1, 4]


def test_a_step_warns_of_releases_that_cannot_read_its_committed_offsets() -> None:
    """Asked of 4.1.1 with the features of 3.9: it writes version 4, and 3.9.2 reads it (KIP-915)."""

    def told(start: str, to: str) -> tuple[list[str], list[int]]:
        found = steps(start, to)
        texts = [claim.text for step in found for claim in step.final if "committed offsets" in claim.text]
        return texts, [step.back_to for step in found]

    lost = "committed offsets are written in a version that 2.0.1 cannot read: going back to it loses them"
    assert told("2.0", "2.3") == ([lost], [0, 0, 1])
    assert told("4.0", "4.1") == ([], [0, 0, 2])


def test_a_defect_of_the_release_is_named_where_it_affects_the_client() -> None:
    def bugs(release: str) -> set[str]:
        last = steps("0.10.2", release, "pykafka==2.8.0")[-1]
        return {claim.text.partition(" ")[0] for claim in last.clients[0].breaks}

    assert bugs("1.0.1") == {"KAFKA-6739", "KAFKA-8570", "OOM-EAGER"}
    assert bugs("1.0.2") == {"KAFKA-8570", "OOM-EAGER"}
    assert bugs("2.3") == set()


@pytest.mark.parametrize(("codec", "cpu_s"), [(NONE, 1.6), (LZ4, 3.77), (SNAPPY, 5.13), (GZIP, 40)])
def test_bytes_and_cpu_time_are_estimated_from_the_directory_and_its_codecs(codec: int, cpu_s: float) -> None:
    held = Held("orders", None, [Units(2, codec, units=10, records=100, size=200 << 20)])
    (client,) = steps("0.11.0", "1.1", "pykafka==2.8.0", (held,))[-1].clients
    assert (client.converted, round(client.cpu_s, 2)) == (200 << 20, cpu_s)


def test_a_step_that_changes_nothing_is_safe() -> None:
    found = steps("0.10.2", "2.3", "kafka-python==2.0.2")
    assert found[0].verdict == "safe"
    assert found[0].clients[0].cpu_s == 0


def test_every_claim_names_existing_tests() -> None:
    clients = "kafka-python==1.3.5,pykafka==2.8.0,kafka-clients==3.9.0"
    held = Held("orders", None, [Units(2, units=1, records=1, size=1, headers=1, control=1), Units(2, ZSTD, units=1)])
    names = {claim.why for way in WAYS for claim in claims(steps(*way, clients, (held,)))}
    assert names >= {test for kind, test in TESTS.items() if kind not in ("bug", "ZooKeeper")}
    assert any("[KAFKA-6739]" in name for name in names)
    assert all("::test_" in name for name in names)
    assert collected(sorted(names | {TESTS["ZooKeeper"]})) == 0


def collected(names: list[str]) -> int:
    """The exit status of collecting tests: 0 if all exist."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True).returncode


def test_changed_defaults_of_upgraded_clients_are_reported() -> None:
    """acks and idempotence change with Java's clients of 3.0; other libraries have their own defaults."""
    told = [claim.text for claim in claims(steps("2.8", "3.9"))]
    assert any("acks goes from 1 to all" in text for text in told)
    assert any("enable.idempotence goes from false to true" in text for text in told)
    for others in ("pykafka==2.8.0", "kafka-clients==3.9.0"):
        assert not any("acks" in claim.text for claim in claims(steps("2.8", "3.9", others)))
    assert any("acks" in claim.text for claim in claims(steps("2.8", "3.9", "kafka-clients==0.9.0.1")))


def test_a_step_says_what_it_changes_for_logins_and_rights() -> None:
    """3.0 removes the old authorizer, and KRaft has its own."""
    code = next(step for step in steps("2.3", "3.0") if step.phase.kind == "code")
    told = [claim.text for claim in code.silent]
    assert "3.0: kafka.security.auth.SimpleAclAuthorizer is gone: the broker does not start with it (KIP-504)" in told
    to_kraft = advice(recipe(before_upgrade(Release.parse("3.5"), "zk"), "4.0"), [])
    migration = next(step for step in to_kraft if step.phase.kind == "migration")
    assert any("StandardAuthorizer" in claim.text for claim in migration.silent)
