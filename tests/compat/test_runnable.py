import pytest
from fakekafka import UsageError
from fakekafka_compat.runnable import not_runnable
from fakekafka_compat.table import default_table, read_table
from fakekafka_spark.observations import Cell

CLIENTS = read_table(default_table()).clients


def cell(client: str, release: str, format: str = "", scenario: str = "roundtrip", codec: str = "none",
         phase: str = "") -> Cell:  # fmt: skip
    return Cell.of(client, release, format, phase, codec, scenario)


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (cell("ck2161", "0.9.0"), "talks to no broker before 0.10.0"),
        (cell("kp147", "2.3", scenario="SASL_SSL with SCRAM-SHA-256"), "kafka-python 1.4.7 has no SCRAM-SHA-256"),
        (cell("kp3012", "0.10.1", scenario="SASL_SSL with SCRAM-SHA-256"), "0.10.1 has no SCRAM-SHA-256"),
        (cell("plt", "0.11.0", scenario="SASL_SSL with PLAIN"), "logs in at no broker before 1.0"),
        (cell("java09", "2.3", scenario="SASL_SSL with PLAIN"), "kafka-clients 0.9.0.1 has no PLAIN"),
        (cell("ck161", "4.0"), "talks to no broker after 3.9"),
        (cell("ck161", "3.9", scenario="upgrade", phase="3.9 -> 4.3"), "talks to no broker after 3.9"),
        (cell("kp3012", "0.8.2", scenario="group"), "has no JoinGroup"),
        (cell("kp3012", "0.10.0", scenario="seek"), "has no ListOffsets 1"),
        (cell("java09", "2.3", scenario="seek"), "kafka-clients 0.9.0.1 writes no timestamps"),
        (cell("kp3012", "0.10.2", scenario="transactional"), "has no InitProducerId"),
        (cell("kp147", "2.3", scenario="idempotent"), "kafka-python 1.4.7 has no transactions"),
        (cell("kp3012", "2.3", "0.10.2", "transactional"), "format 1 cannot hold"),
        (cell("kp3012", "2.3", "0.9.0", "seek"), "format 0 cannot hold"),
        (cell("kp3012", "3.9", "0.10.2"), "have no other format"),
        (cell("kp3012", "0.10.2", "0.11.0"), "does not know format 0.11.0"),
        (cell("kp3012", "2.0", codec="zstd"), "2.0 has no zstd"),
        (cell("plt", "2.3", "0.10.2"), "reads no format before 2"),
        (cell("ck2161", "2.3", scenario="written by kp147", codec="zstd"), "kafka-python 1.4.7 has no zstd"),
        (cell("kp3012", "4.0", scenario="written by ck161"), "talks to no broker after 3.9"),
        (cell("kp202", "3.9", scenario="capped at 2"), "was not recorded under caps"),
        (cell("aio0140", "3.9", scenario="Fetch capped at 0"), "knows no Fetch before 1"),
        (cell("ck2161", "4.3", scenario="Produce capped at 2"), "4.3 has no Produce 2"),
        (cell("ck2161", "3.9", scenario="capped at 12"), "3.9 has no Produce 12"),
        (cell("kp3012", "2.3", "0.10.2", phase="0.10.2 -> 2.3: new code, old format"), "the format is the phase's"),
    ],
)
def test_what_cannot_be_run_says_why(one: Cell, reason: str) -> None:
    assert reason in (not_runnable(CLIENTS[one.client], one, CLIENTS) or "")


@pytest.mark.parametrize(
    "one",
    [
        cell("ck161", "3.9"),
        cell("kp3012", "2.8", "0.8.2"),
        cell("kp233", "0.8.0"),
        cell("ck2161", "0.10.2", scenario="upgrade", phase="0.10.2 -> 2.3"),
        cell("ck2161", "3.9", scenario="Fetch capped at 0"),
        cell("kp3012", "2.3", "0.9.0", scenario="written by ck192"),
        cell("java39", "0.10.2", scenario="SASL_SSL with SCRAM-SHA-512"),
    ],
)
def test_what_can_be_run_gives_no_reason(one: Cell) -> None:
    assert not_runnable(CLIENTS[one.client], one, CLIENTS) is None


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no scenario 'x'"):
        not_runnable(CLIENTS["kp147"], cell("kp147", "2.3", scenario="x"), CLIENTS)
    with pytest.raises(UsageError, match="no mechanism 'GSSAPI'"):
        not_runnable(CLIENTS["kp147"], cell("kp147", "2.3", scenario="SASL_SSL with GSSAPI"), CLIENTS)
    with pytest.raises(UsageError, match="no client 'x' that writes"):
        not_runnable(CLIENTS["kp147"], cell("kp147", "2.3", scenario="written by x"), CLIENTS)
