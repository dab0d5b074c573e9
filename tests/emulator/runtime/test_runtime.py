"""The life of a cluster: which state follows which, and what is refused in each."""

import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.releases.release import NEWEST
from fakekafka.runtime.runtime import Life, Runtime
from fakekafka.settings.options import Options
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.frames import request_frame


@pytest.fixture
def runtime() -> Runtime:
    return Runtime(Options(release="2.3", topics={"t": 1}))


def test_a_cluster_is_planned_booted_stopped_and_served(runtime: Runtime) -> None:
    lives = [runtime.life]
    for change in (runtime.boot, runtime.stop, runtime.start, runtime.stop, runtime.stop):
        change()
        lives.append(runtime.life)
    assert lives == [Life.PLANNED, Life.BOOTED, Life.STOPPED, Life.SERVING, Life.STOPPED, Life.STOPPED]


@pytest.mark.parametrize("first", [Runtime.start, Runtime.boot])
@pytest.mark.parametrize("second", [Runtime.start, Runtime.boot])
def test_a_running_cluster_cannot_be_started_again(
    runtime: Runtime, first: Callable[[Runtime], None], second: Callable[[Runtime], None]
) -> None:
    first(runtime)
    life = runtime.life
    with pytest.raises(UsageError, match="already"):
        second(runtime)
    assert runtime.life is life
    runtime.stop()


def test_a_restart_serves_if_it_served_before(runtime: Runtime) -> None:
    lives = []
    for start in (runtime.boot, runtime.start):
        start()
        runtime.stop()
        runtime.restart()
        lives.append(runtime.life)
        runtime.stop()
    assert lives == [Life.BOOTED, Life.SERVING]


def test_the_files_of_a_stop_in_memory_do_not_depend_on_when_they_are_first_looked_at(tmp_path: Path) -> None:
    contents = []
    for looked_at_later_ms in (0, 86_400_000):
        clock = ManualClock(1_600_000_000_000)
        kafka = FakeKafka("4.3", topics={"t": 2, "u": 1}, clock=clock).boot()
        kafka.send("t", b"value")
        kafka.stop()
        clock.advance(looked_at_later_ms)
        directory = tmp_path / str(looked_at_later_ms)
        kafka.save(directory)
        assert (directory / CLUSTER_FILE).exists()
        files = sorted(path for path in directory.rglob("*") if path.is_file() and path.name != CLUSTER_FILE)
        contents.append([(str(each.relative_to(directory)), each.read_bytes(), each.stat().st_mtime) for each in files])
        assert kafka.boot().records("t")
        assert kafka.topics() == {"t": 2, "u": 1}
    assert contents[0] == contents[1]
    assert any(name.startswith("u-0") for name, _, _ in contents[0])


def test_a_call_without_a_running_broker_is_refused(runtime: Runtime) -> None:
    with pytest.raises(UsageError, match="not started"):
        runtime.call(lambda: None)


def test_each_broker_may_have_its_own_port() -> None:
    with FakeKafka(brokers=2) as other:
        ports = [int(address.rpartition(":")[2]) for address in other.bootstrap_servers.split(",")]
    with FakeKafka(brokers=2, port=ports[::-1]) as kafka:
        assert kafka.bootstrap_servers == ",".join(f"127.0.0.1:{port}" for port in ports[::-1])


@pytest.mark.parametrize(
    ("port", "problem"), [(99999, "99999"), (-1, "-1"), ([9092], "1 for 2"), ([0, 70_000], "70000")], ids=str
)
def test_an_impossible_port_is_refused(port: int | list[int], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        FakeKafka(brokers=2, port=port)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_forked_child_cannot_use_its_parents_cluster(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    runtime.start()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -1)
        for use in (runtime.stop, runtime.restart, runtime.reset, lambda: runtime.call(lambda: None)):
            with pytest.raises(UsageError, match="forked"):
                use()
    assert runtime.life is Life.SERVING
    runtime.stop()


def test_a_broker_that_can_store_nothing_is_reported(tmp_path: Path) -> None:
    told: list[tuple[int, OSError]] = []
    options = Options(
        release="2.3", topics={"t": 1}, log_dir=tmp_path, on_broker_death=lambda node, error: told.append((node, error))
    )
    runtime = Runtime(options)
    runtime.boot()
    error = OSError(28, "No space left on device")
    runtime.call(lambda: runtime.core.cluster.brokers[0].logs.on_disk_error(error))
    assert told == [(0, error)]
    assert runtime.core.cluster.brokers == {}
    runtime.stop()


def test_a_broker_whose_disk_fails_twice_in_one_step_dies_once(tmp_path: Path) -> None:
    runtime = Runtime(Options(release="2.3", log_dir=tmp_path))
    runtime.start()
    broker = runtime.core.cluster.brokers[0]
    with ExitStack() as stack:
        for _ in range(3):
            client = stack.enter_context(socket.create_connection((broker.host, broker.port), timeout=10))
            client.sendall(request_frame(ApiVersionsRequest(), 0, 1, "c"))
            assert client.recv(4)
        error = OSError(28, "No space left on device")
        runtime.call(lambda: [broker.logs.on_disk_error(error) for _ in range(2)])  # as for a request of two partitions
        assert runtime.core.cluster.brokers == {}
        assert runtime.core.connections == {}
    runtime.stop()


def test_a_cluster_without_a_phase_begins_as_its_options_say() -> None:
    config = {"num.partitions": 2}
    assert Runtime(Options(config=config)).begins == (NEWEST, config, None, None)
    assert Runtime(Options(release="2.3")).begins.release == "2.3"
