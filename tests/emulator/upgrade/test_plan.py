"""What an upgrade means to clients."""

import pytest
from fakekafka.records.compression import GZIP, NONE, ZSTD
from fakekafka.records.plugged import PLUGGED
from fakekafka.releases.client_versions import GENERATIONS, find_client
from fakekafka.releases.phases import before_upgrade, find_phase, recipe
from fakekafka.releases.release import Release
from fakekafka.upgrade.plan import CONVERTED_PER_CPU_S, Outcome, costs, format_in, outcome
from fakekafka.upgrade.scan import Held, Units

OLD, MIDDLE, NEW = GENERATIONS
KEPT = Outcome("in place", "zero-copy")


def outcomes(start: str, to: str) -> list[list[str]]:
    """The outcomes, by phase and then by client generation."""
    phases = recipe(before_upgrade(Release.parse(start)), to)
    return [[str(outcome(client, phase)) for client in GENERATIONS] for phase in phases]


def test_a_format_is_free_for_clients_that_speak_it_and_converted_for_older_ones() -> None:
    assert outcomes("0.10.2", "2.3") == [
        ["up / converted", "in place / zero-copy", "in place / zero-copy"],
        ["up / converted", "in place / zero-copy", "down / zero-copy"],
        ["up / converted", "in place / zero-copy", "down / zero-copy"],
        ["up / converted", "in place / zero-copy", "down / zero-copy"],
        ["up / converted", "up / converted", "in place / zero-copy"],
    ]


def test_phase_1_of_kip_31_is_free_for_old_clients_and_phase_2_is_not() -> None:
    assert [row[0] for row in outcomes("0.9.0", "0.10.0")] == ["in place / zero-copy"] * 4 + ["up / converted"]
    assert [row[1] for row in outcomes("0.9.0", "0.10.0")] == [
        "refused", "down / zero-copy", "down / zero-copy", "down / zero-copy", "in place / zero-copy",
    ]  # fmt: skip


def test_4_0_refuses_clients_older_than_format_2() -> None:
    last = outcomes("3.9", "4.0")[-1]
    assert last == ["refused", "refused", "in place / zero-copy"]


def test_a_topic_s_own_format_counts_where_formats_can_be_chosen() -> None:
    assert format_in(find_phase("0.10.2 -> 2.3: new format"), "0.9.0") == 0
    assert format_in(find_phase("0.10.2 -> 2.3: new format"), None) == 2
    assert format_in(find_phase("2.8 -> 3.9: new protocol"), "0.9.0") == 2
    assert format_in(find_phase("2.8 -> 3.9: new code, old protocol"), "0.9.0") == 0
    assert outcome(OLD, find_phase("0.10.2 -> 2.3: new format"), "0.9.0") == KEPT


MIXED = Held("t", None, [Units(0, NONE, 2, 2, 100), Units(1, GZIP, 1, 10, 400), Units(2, NONE, 3, 30, 900)])


def test_the_cost_counts_the_records_newer_than_the_client_reads() -> None:
    phases = recipe(before_upgrade(Release.parse("0.10.2")), "2.3")
    found = {(c.phase.name, c.client.name): c for c in costs(phases, [OLD, MIDDLE], [MIXED])}
    converted = found["new format", "clients of 0.8 and 0.9"]
    assert (converted.records, converted.size, converted.breaks) == (40, 1300, [])
    assert found["new format", "clients of 0.10"].records == 30
    assert converted.cpu_s == 400 / CONVERTED_PER_CPU_S[GZIP] + 900 / CONVERTED_PER_CPU_S[NONE]
    lowered = found["new code, old format", "clients of 0.10"]
    assert lowered.records == 0
    assert lowered.breaks == ["gets 3 units of a format that it cannot read (FORMAT-LOWERED)"]
    assert not lowered.is_free


@pytest.mark.parametrize(("phase", "units", "words"), [
    ("0.10.2 -> 1.0.1: new format", Units(2, NONE, 1, 1, 1, headers=1), ["headers fail the fetch (KAFKA-6739)"]),
    ("0.10.2 -> 2.3: new format", Units(2, NONE, 1, 1, 1, headers=1), ["headers are lost"]),
    ("0.10.2 -> 1.1: new format", Units(2, NONE, 1, 1, 1, control=1), ["may stand still at markers (EMPTY-CONVERTED)"]),
    ("0.10.2 -> 2.3: new format", Units(2, NONE, 1, 1, 1, control=1), ["fillers at markers (KIP-283-OVERFLOW)"]),
    (
        "0.10.2 -> 2.3: new format", Units(2, ZSTD, 1, 1, 1),
        ["zstd: error 76, or records that it cannot read (KIP-110)"],
    ),
    (
        "3.9 -> 4.0: new features", Units(2, NONE, 1, 1, 1),
        ["Fetch 3 is no longer served", "Produce 2 is no longer served"],
    ),
])  # fmt: skip
def test_a_plan_says_what_breaks(phase: str, units: Units, words: list[str]) -> None:
    (cost,) = costs([find_phase(phase)], [MIDDLE], [Held("t", None, [units])])
    assert cost.breaks == words


@pytest.mark.parametrize("codec", [ZSTD, PLUGGED])
def test_what_no_broker_converts_costs_nothing(codec: int) -> None:
    held = Held("t", None, [Units(2, codec, 1, 9, 500)])
    (cost,) = costs([find_phase("0.10.2 -> 2.3: new format")], [MIDDLE], [held])
    assert (cost.records, cost.size, cost.cpu_s) == (0, 0, 0)


def test_new_producers_on_an_old_format_are_warned_about() -> None:
    (cost,) = costs(
        [find_phase("0.10.2 -> 2.3: new code, old format")], [find_client("confluent-kafka==2.16.1")],
        [Held("t", None, [])],
    )  # fmt: skip
    assert cost.breaks == ["idempotent producers get error 43, headers -1 (UNSUPPORTED-FORMAT-43)"]


def test_a_client_that_cannot_talk_to_the_broker_is_refused() -> None:
    assert outcome(MIDDLE, before_upgrade(Release.parse("0.9.0"))) == Outcome("refused", "refused")
