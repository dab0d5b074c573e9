"""`fakekafka-compat run --against HOST:PORT`: here a `FakeKafka` stands for the foreign broker, and the tool knows
nothing about it but its address.
"""

from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka_compat.cli import main

from tests.compat.mutations import each, other_value, storing

SCENARIOS = ("roundtrip", "group", "transactional", "idempotent", "seek", "compacted", "oversize")
QUICK_CLEANER: dict[str, object] = {"log.cleaner.backoff.ms": 100, "group.initial.rebalance.delay.ms": 0}


def run(kafka: FakeKafka, folder: Path, release: str, *scenarios: str, client: str = "kp3012", more: str = "") -> int:
    wanted = [f"--scenario={scenario}" for scenario in scenarios]
    into = [f"--into={folder / 'into'}", f"--cache={folder / 'cache'}"]
    address = f"--against={kafka.host}:{kafka.port}"
    return main(
        ["run", address, "--jobs=1", f"--client={client}", f"--release={release}", *wanted, *into, *more.split()]
    )


@pytest.mark.parametrize("release", ["2.3", "4.3"])
def test_cells_are_played_on_a_broker_that_is_not_ours(
    release: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeKafka(release, config=QUICK_CLEANER) as kafka:
        assert run(kafka, tmp_path, release, *SCENARIOS) == 0
        assert kafka.topics() == {}, "each topic is deleted when its cell is over"
    assert capsys.readouterr().out == "7 cells: 7 as the real broker\n"


@pytest.mark.parametrize("client", ["ck2161", "aio0140"])
def test_other_clients_stay_on_the_link(client: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka("3.9") as kafka:
        assert run(kafka, tmp_path, "3.9", "roundtrip", "idempotent", client=client) == 0
    assert capsys.readouterr().out == "2 cells: 2 as the real broker\n"


def test_an_old_format_is_converted_by_a_broker_that_is_not_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeKafka("2.3") as kafka:
        assert run(kafka, tmp_path, "2.3", "roundtrip", more="--format=0.10.2 --codec=gzip") == 0
    assert capsys.readouterr().out == "1 cells: 1 as the real broker\n"


def test_a_log_without_timestamps_is_compacted_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Segments of format 0 end by the broker's time, so the record that ends the last one must come late enough.
    Asked of 1.1.1.
    """
    with FakeKafka("1.1", config=QUICK_CLEANER) as kafka:
        assert run(kafka, tmp_path, "1.1", "compacted", more="--format=0.9.0") == 0
    assert capsys.readouterr().out == "1 cells: 1 as the real broker\n"


def test_a_broker_that_changes_values_is_called_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka("2.3") as kafka:
        storing(each(other_value))(kafka)
        assert run(kafka, tmp_path, "2.3", "roundtrip") == 1
    assert "has several values" in capsys.readouterr().out


def test_an_unexpected_conversion_is_seen_on_the_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka("0.10.2", config={"log.message.format.version": "0.9.0"}) as kafka:
        assert run(kafka, tmp_path, "0.10.2", "roundtrip") == 1
    assert "conversions: 'Produce 1 to 0', not ''" in capsys.readouterr().out


def test_a_broker_of_another_release_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka("2.3") as kafka:
        assert run(kafka, tmp_path, "3.9", "roundtrip") == 2
        place = f"{kafka.host}:{kafka.port}"
    assert f"--against {place}: not Kafka 3.9, which has Produce 0-11; it says (0, 7)" in capsys.readouterr().err


def test_a_cluster_of_two_brokers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeKafka("2.3", brokers=2) as kafka:
        assert run(kafka, tmp_path, "2.3", "roundtrip") == 2
    assert "a cluster of 2 brokers" in capsys.readouterr().err


def test_an_address_where_nobody_listens_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeKafka("2.3") as kafka:
        pass
    assert run(kafka, tmp_path, "2.3", "roundtrip") == 2
    assert "does not answer ApiVersionsRequest 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("release", "scenario", "more", "reason"),
    [
        ("2.3", "SASL_SSL with PLAIN", "", "the tool makes no users"),
        ("2.3", "Fetch capped at 3", "", "a real broker advertises what it has"),
        ("3.9", "plug-in", "", "no release plays a draft"),
        ("0.9.0", "roundtrip", "", "0.9.0 has no CreateTopics (KIP-4)"),
    ],
)
def test_cells_that_need_our_broker_are_not_runnable(
    release: str, scenario: str, more: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeKafka("2.3") as kafka:
        assert run(kafka, tmp_path, release, scenario, more=more) == 0
    assert f"not runnable here\n    --against: {reason}\n" in capsys.readouterr().out


def test_an_address_has_a_host_and_a_port(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--against", "9092"])
    assert "9092: write HOST:PORT" in capsys.readouterr().err
