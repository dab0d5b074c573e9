"""`fakekafka serve`, as other processes see it: what it prints, how it ends."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from fakekafka import NEWEST
from fakekafka.cli import main
from fakekafka.cli.serve import _ports
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.remote import RemoteKafka
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import request_frame

from tests.support.brokers import ask
from tests.support.faults import produce

LEADER_NOT_AVAILABLE = 5
COMMAND = (sys.executable, "-W", "error", "-m", "fakekafka")


@contextmanager
def serving(*arguments: str, warnings: str = "error") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`fakekafka serve` on a free port, and the first line that it prints. `warnings`: what Python does with them."""
    command = [sys.executable, "-W", warnings, "-m", "fakekafka", "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def address(line: str) -> str:
    return line.split()[0]


def metadata(servers: str, *topics: str) -> MetadataResponse:
    """Metadata version 0, which every release serves; for all topics if none is named."""
    request = MetadataRequest(topics=[MetadataRequestTopic(name=topic) for topic in topics])
    return ask(servers, request, 0, MetadataResponse)


def partitions(servers: str) -> dict[str | None, int]:
    return {topic.name: len(topic.partitions) for topic in metadata(servers).topics}


def test_serve_prints_the_address_first() -> None:
    with serving("--release", "2.3") as (_, line):
        assert re.fullmatch(r"127\.0\.0\.1:\d+ is Kafka 2\.3\.1; .*\n", line)
        assert [f"{broker.host}:{broker.port}" for broker in metadata(address(line)).brokers] == [address(line)]


def test_a_server_with_a_lifelike_pace_takes_its_time() -> None:
    with serving("--release", "2.8", "--pace", "lifelike", "--config", "offsets.topic.num.partitions=1") as (_, line):
        assert metadata(address(line), "new").topics[0].error_code == LEADER_NOT_AVAILABLE
        while metadata(address(line), "new").topics[0].error_code:
            pass


def test_serve_refuses_another_pace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--pace", "slow"]) == 2
    assert "pace='slow': use one of instant, lifelike" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_serve_ends_cleanly_on_a_signal(number: signal.Signals) -> None:
    with serving() as (process, line):
        assert line
        process.send_signal(number)
        rest, errors = process.communicate(timeout=30)
        assert (process.returncode, rest, errors) == (0, "", "")


def test_the_newest_release_is_the_default() -> None:
    with serving() as (_, line):
        assert f"is Kafka {NEWEST}." in line


def test_serve_creates_topics() -> None:
    with serving("--release", "0.11.0", "--topic", "orders:3", "--topic", "one") as (_, line):
        assert partitions(address(line)) == {"orders": 3, "one": 1}


def test_serve_plays_drafts_and_the_tool_registers_plugins_with_it(tmp_path: Path) -> None:
    """Three processes: the broker, the tool that is asked for a list, and the tool that asks for each plug-in."""
    logs = ("--draft", "KIP-984:position=10", "--draft", "KIP-33-option-2", "--log-dir", str(tmp_path))
    with serving("--release", "3.9", *logs) as (_, line):
        tool = [*COMMAND, "plugins"]
        here = ["--bootstrap-server", address(line)]
        typed = "snappyPlugin\norg.example.Snappy\nexample.snappy\n\n\n\n"
        asked = subprocess.run(
            [*tool, "register", *here], input=typed, capture_output=True, text=True, check=True, timeout=60
        )
        assert asked.stdout == "snappyPlugin is plug-in 1, registered for java, python\n"
        listed = subprocess.run([*tool, "list", *here], capture_output=True, text=True, check=True, timeout=60)
    assert listed.stdout.splitlines() == [
        " 1 snappyPlugin java org.example.Snappy v1.0",
        " 1 snappyPlugin python example.snappy v1.0",
    ]
    assert json.loads((tmp_path / CLUSTER_FILE).read_text("utf-8"))["drafts"] == list(logs[1:4:2])


def test_serve_runs_several_brokers() -> None:
    with serving("--brokers", "3", "--topic", "t") as (_, line):
        servers = address(line).split(",")
        found = {f"{broker.host}:{broker.port}" for broker in metadata(servers[2]).brokers}
        assert found == set(servers)
        assert len(found) == 3


def test_serve_gives_brokers_the_requested_ports() -> None:
    with serving("--brokers", "2") as (process, line):
        ports = [place.rpartition(":")[2] for place in address(line).split(",")]
        process.terminate()
        process.wait(30)
    with serving("--brokers", "2", "--port", ",".join(reversed(ports))) as (_, line):
        assert address(line) == f"127.0.0.1:{ports[1]},127.0.0.1:{ports[0]}"


def test_the_number_of_ports_is_the_number_of_brokers() -> None:
    with serving("--brokers", "3") as (process, line):
        ports = [place.rpartition(":")[2] for place in address(line).split(",")]
        process.terminate()
        process.wait(30)
    with serving("--port", ",".join(ports)) as (_, line):
        assert address(line) == ",".join(f"127.0.0.1:{port}" for port in ports)


def told(url: str, path: str, **headers: str) -> tuple[int, object]:
    try:
        with urlopen(Request(url + path, headers=headers), timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_serve_prints_the_control_api_s_address_in_its_second_line() -> None:
    with serving("--control", "127.0.0.1:0", "--manual-clock", "--topic", "t") as (process, line):
        assert line
        assert process.stdout is not None
        url = process.stdout.readline().split()[0].rstrip("/")
        assert told(url, "/topics/counts") == (200, {"t": 1})
        assert told(url, "/openapi.json")[0] == 200
        before = RemoteKafka(url).clock.now_ms
        RemoteKafka(url).clock.advance(1_000)
        assert RemoteKafka(url).clock.now_ms == before + 1_000
        with urlopen(url, timeout=30) as page:
            assert b"<title>fakekafka</title>" in page.read()


def test_a_control_api_that_other_machines_can_reach_has_a_token() -> None:
    with serving("--control", "0.0.0.0:0") as (process, _):
        assert process.stdout is not None
        page = process.stdout.readline().split()[0]
        url, _, token = page.replace("0.0.0.0", "127.0.0.1").partition("/#token=")
        assert len(token) >= 32
        assert told(url, "/topics")[0] == 401
        assert told(url, "/topics", Authorization=f"Bearer {token}") == (200, {})


def test_the_ports_of_several_brokers_follow_the_first() -> None:
    assert _ports("9092", 3) == [9092, 9093, 9094]
    assert _ports("9092,9095, 9098", 3) == [9092, 9095, 9098]
    assert _ports("0", 3) == [0, 0, 0]


@pytest.mark.parametrize("release", ["1.1", "2.3", "4.3"])
def test_serve_ends_when_no_broker_is_left(release: str, tmp_path: Path) -> None:
    """The directory has been deleted, so the next topic cannot be stored."""
    place = tmp_path / "data"
    with serving("--release", release, "--log-dir", str(place)) as (process, line):
        place.rename(tmp_path / "elsewhere")
        place.write_text("a file")
        with contextlib.suppress(AssertionError, OSError):
            metadata(address(line), "new")
        rest, errors = process.communicate(timeout=30)
    assert (process.returncode, rest) == (1, "")
    assert re.fullmatch(r"fakekafka: broker 0 died: .*\nfakekafka: no broker is left\n", errors)
    assert str(place) in errors


def test_serve_ends_when_its_disk_is_full(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text("[[fault]]\nfull_disk = 1000\nafter_ms = 1\n", "utf-8")
    files = ("--log-dir", str(tmp_path / "data"))
    with serving("--release", "2.3", "--topic", "t", "--faults", str(plan), *files) as (process, line):
        with contextlib.suppress(AssertionError, OSError):
            for _ in range(1000):
                ask(address(line), produce(("t", 0)), 7, ProduceResponse)
        rest, errors = process.communicate(timeout=30)
    assert (process.returncode, rest) == (1, "")
    assert re.fullmatch(r"fakekafka: broker 0 died: .*No space left.*\nfakekafka: no broker is left\n", errors)


def test_serve_takes_a_plan_of_faults(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[fault]]\nfail = "LEADER_NOT_AVAILABLE"\napi = "Metadata"\ntimes = 2\n', "utf-8")
    with serving("--release", "2.3", "--topic", "t", "--faults", str(plan)) as (_, line):
        errors = [metadata(address(line), "t").topics[0].error_code for _ in range(3)]
    assert errors == [LEADER_NOT_AVAILABLE, LEADER_NOT_AVAILABLE, 0]


def test_serve_takes_broker_properties() -> None:
    with serving("--config", "num.partitions=4", "--config", "log.dirs = /a=b", "--release", "1.1") as (_, line):
        metadata(address(line), "created-by-asking")
        assert partitions(address(line)) == {"created-by-asking": 4}


def test_serve_keeps_files_in_the_given_directory(tmp_path: Path) -> None:
    with serving("--release", "2.3", "--topic", "orders:2", "--log-dir", str(tmp_path / "data")) as (_, line):
        assert line
        assert {"orders-0", "orders-1"} <= {path.name for path in (tmp_path / "data").iterdir()}


def test_serve_keeps_files_in_several_directories(tmp_path: Path) -> None:
    dirs = [argument for name in ("one", "two") for argument in ("--log-dir", str(tmp_path / name))]
    with serving("--release", "2.3", "--topic", "orders:2", *dirs) as (_, line):
        assert line
        assert [sum(1 for _ in (tmp_path / name).glob("orders-*")) for name in ("one", "two")] == [1, 1]


@pytest.mark.parametrize("release", ["0.8.0", "0.8.2", "4.3"])
def test_serve_tells_clients_the_advertised_host(release: str) -> None:
    with serving("--release", release, "--advertised-host", "kafka.example", "--topic", "t") as (_, line):
        port = int(address(line).rpartition(":")[2])
        assert [(broker.host, broker.port) for broker in metadata(address(line)).brokers] == [("kafka.example", port)]


@pytest.mark.parametrize("release", ["0.8.1", "0.10.2", "3.9"])
def test_serve_tells_clients_the_advertised_address_of_each_broker(release: str) -> None:
    ports = ("--port", "0,0,0", "--advertised-host", "one.example:19092,two.example:29092,three.example:39092")
    with serving("--release", release, *ports, "--topic", "t") as (_, line):
        told = [(broker.host, broker.port) for broker in metadata(address(line).split(",")[0]).brokers]
    assert sorted(told) == [("one.example", 19092), ("three.example", 39092), ("two.example", 29092)]


@pytest.mark.parametrize(("text", "told"), [("kafka.example:19092", ("kafka.example", 19092)), ("[::1]:9", ("::1", 9))])
def test_serve_tells_clients_the_advertised_port(text: str, told: tuple[str, int]) -> None:
    with serving("--advertised-host", text, "--topic", "t") as (_, line):
        assert [(broker.host, broker.port) for broker in metadata(address(line)).brokers] == [told]


@pytest.mark.parametrize("text", ["::1", "[::1]"])
def test_serve_tells_clients_an_advertised_address_of_ipv6(text: str) -> None:
    with serving("--advertised-host", text, "--topic", "t") as (_, line):
        assert [broker.host for broker in metadata(address(line)).brokers] == ["::1"]


def test_serve_uses_the_given_broker_id() -> None:
    for name, release in (("broker.id", "2.8"), ("node.id", "3.9")):
        with serving("--release", release, "--config", f"{name}=7", "--topic", "t") as (_, line):
            assert [broker.node_id for broker in metadata(address(line)).brokers] == [7]


def test_serve_binds_every_interface_if_it_is_given_an_address_to_advertise() -> None:
    with serving("--host", "0.0.0.0", "--advertised-host", "::1", "--topic", "t") as (_, line):
        assert line.startswith("0.0.0.0:")
        (broker,) = metadata(address(line).replace("0.0.0.0", "127.0.0.1")).brokers
        assert broker.host == "::1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("serve --release 2.33", "no Kafka release '2.33': did you mean 2.3"),
        ("serve --port 0 --config num.partition=1", "no config 'num.partition': did you mean num.partitions"),
        ("serve --port 0 --config num.partitions", "--config num.partitions: write NAME=VALUE"),
        ("serve --port 0 --config num.partitions=0", "Invalid value 0 for configuration num.partitions"),
        ("serve --port 0 --config advertised.listeners=here", "Unable to parse here to a broker endpoint"),
        ("serve --port 0 --topic orders:x", "--topic orders:x: write NAME:PARTITIONS"),
        ("serve --port 0 --topic :1", "--topic :1: write NAME:PARTITIONS"),
        ("serve --port 0 --topic a/b:1", "a/b"),
        ("serve --port 0 --brokers 0", "brokers: at least 1"),
        ("serve --port 0 --brokers 3 --advertised-host a,b", "--advertised-host: 2 for 3 brokers"),
        ("serve --port 0 --brokers 3 --advertised-host a:9", "--advertised-host: several brokers cannot have one port"),
        ("serve --port 0,0 --advertised-host a:9", "--advertised-host: several brokers cannot have one port"),
        ("serve --release 0.8.0 --port 0 --advertised-host a:9", "0.8.0 has no advertised.port"),
        ("serve --host 0.0.0.0", "--host 0.0.0.0 needs --advertised-host"),
        ("serve --port 0 --log-dir /dev/null/x", "/dev/null"),
        (f"serve --port 0 --log-dir {__file__}", f"--log-dir {__file__}: this is a file and not a directory"),
        ("serve --port 0 --control 9099", "--control 9099: write HOST:PORT"),
        ("serve --port 0 --control 127.0.0.1:99999", "control port 99999: a port is from 0"),
        ("serve --port 0 --manual-clock", "--manual-clock needs --control"),
        ("serve --port 99999", "port 99999: a port is from 0"),
        ("serve --port x", "--port x: write a number"),
        ("serve --port 9092,9095 --brokers 3", "port: 2 for 3 brokers"),
        ("serve --port 65534 --brokers 3", "port 65536"),
        ("serve --port 0 --brokers 2 --config broker.id=1", "different ids"),
        ("explain --release 1.2", "no Kafka release '1.2'"),
    ],
)
def test_an_impossible_call_is_reported_in_one_line(
    arguments: str, words: str, capsys: pytest.CaptureFixture[str], handlers: None
) -> None:
    assert main(arguments.split()) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("fakekafka: ")
    assert words in errors
    assert errors.count("\n") == 1


def test_a_port_that_is_taken_is_reported() -> None:
    with serving() as (_, line):
        _, _, port = address(line).rpartition(":")
        command = [*COMMAND, "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2
    assert re.fullmatch(rf"fakekafka: cannot listen on 127\.0\.0\.1:{port}: .*\n", done.stderr)


def spoken(*arguments: str) -> str:
    """What `serve` prints for its operator."""
    with serving(*arguments) as (process, line):
        assert line
        process.send_signal(signal.SIGTERM)
        return process.communicate(timeout=30)[1]


def test_serve_warns_once_if_anybody_can_connect_from_outside() -> None:
    outside = ("--host", "0.0.0.0", "--advertised-host", "127.0.0.1")
    assert spoken(*outside).count("can do everything") == 1
    assert spoken(*outside, "--user", "alice:wonderland") == ""
    assert spoken("--host", "127.0.0.1") == ""


def switches(process: int) -> dict[str, int]:
    """How often each thread of a process has given up the processor to wait for something."""
    return {
        task.name: int(re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text("utf-8"), re.M)[0])
        for task in Path(f"/proc/{process}/task").iterdir()
    }


def cpu_ticks(process: int) -> int:
    """How long a process has run, as user and in the kernel, in clock ticks."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux counts the waits of a thread")
def test_an_idle_server_never_wakes() -> None:
    """The server has served a client, which stays connected; nothing is due for minutes."""
    with serving("--topic", "t") as (process, line):
        host, _, port = address(line).rpartition(":")
        with socket.create_connection((host, int(port))) as client:
            client.sendall(request_frame(ApiVersionsRequest(), 0, 1, "idle"))
            assert client.recv(4)
            before: object = None
            while before != (before := (switches(process.pid), cpu_ticks(process.pid))):
                wait_for_its_end(process, 0.5)  # the answer is sent, the server has warmed up, and both threads wait
            wait_for_its_end(process, 3)
            assert (switches(process.pid), cpu_ticks(process.pid)) == before


def wait_for_its_end(process: subprocess.Popen[str], seconds: float) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(seconds)


def test_a_property_of_no_release_is_refused_unless_it_is_to_be_ignored() -> None:
    unknown = "--config", "sasl.oauthbearer.expected.scope=test"
    assert main(["serve", "--port", "0", *unknown]) == 2
    with serving(*unknown, "--unknown-configs", "ignored", warnings="ignore") as (_, line):
        assert re.match(r"127\.0\.0\.1:\d+ is Kafka", line)
