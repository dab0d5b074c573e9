"""Kafka's own Java client in a lifelike cluster: it meets the errors of its first moments, tries again and continues.

`tests/emulator/pace/test_real_clients.py` shows this with Python clients. Run by `tox -e java`.
"""

import pytest
from fakekafka import FakeKafka

from tests.emulator.pace.test_real_clients import MANY, SEEN_AT, met_concurrency, slowly
from tests.java.programs import compiled, needs_java, running, tell, words

pytestmark = needs_java


@pytest.fixture(scope="module")
def class_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return compiled(tmp_path_factory.mktemp("java"), "3.9.1", "NewCluster")


@pytest.mark.parametrize("release", SEEN_AT)
def test_javas_client_meets_the_errors_of_a_new_cluster_and_loses_nothing(
    release: str, class_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fakekafka.pace.lifelike._drawn", slowly)
    quick = {"group.initial.rebalance.delay.ms": 0}
    program = ("java", "-Xmx128m", "-cp", class_path, "NewCluster")
    with (
        FakeKafka(release, pace="lifelike", config=quick, journal=100_000) as kafka,
        running(*program, kafka.bootstrap_servers) as application,
    ):
        sent = 0
        while sent < 2 or (sent < MANY and not met_concurrency(kafka)):
            if sent:
                tell(application, "more")
            assert words(application) == ["committed"]
            sent += 1
        tell(application, "enough")
        values = [words(application) for _ in range(sent)]
        missed = {name for name in SEEN_AT[release] if not kafka.requests.where(error=name)}
    assert values == [[str(n)] for n in range(sent)]
    assert missed == set()
