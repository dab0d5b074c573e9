"""Everything that a person reads, made from names and bytes of hostile clients.

Each output is asked for after the same visit of such a client. None may hold a character that a terminal obeys, that
turns the direction of writing, or that begins a line made up by the client.
"""

import json
import unicodedata
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main
from fakekafka.control.http_server import ControlServer
from fakekafka.escaping import HIDDEN
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.rehearsal.report import as_data, as_text
from fakekafka.rehearsal.results import ActResult, Progress, StepResult
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

HOSTILE = "\x1b]0;own\x07\nFORGED line\r\u202egnp.\u2066\u200b\x9b31m\u2028<script>alert(1)</script>"

SECONDS = 1_600_000_000
"""A timestamp in seconds: a mistake that `diagnose` reports, so that it has something to say about this client."""


def requests() -> Iterator[tuple[Request, int]]:
    """What a hostile client sends: its words wherever a string or bytes may be."""
    yield ApiVersionsRequest(client_software_name=HOSTILE, client_software_version=HOSTILE), 3
    yield MetadataRequest(topics=[MetadataRequestTopic(name=HOSTILE)]), 5
    config = CreatableTopicConfig(name=HOSTILE, value=HOSTILE)
    topic = CreatableTopic(name=HOSTILE, num_partitions=1, replication_factor=1, configs=[config])
    yield CreateTopicsRequest(topics=[topic], timeout_ms=0), 4
    bad = CreatableTopic(name="bad", num_partitions=1, replication_factor=1, configs=[config])
    yield CreateTopicsRequest(topics=[bad], timeout_ms=0), 4
    for kind in (0, 1):
        yield FindCoordinatorRequest(key=HOSTILE, key_type=kind), 2
    yield InitProducerIdRequest(transactional_id=HOSTILE, transaction_timeout_ms=1000), 1
    partition = OffsetCommitRequestPartition(partition_index=0, committed_offset=1, committed_metadata=HOSTILE)
    committed = [OffsetCommitRequestTopic(name="t", partitions=[partition])]
    yield OffsetCommitRequest(group_id=HOSTILE, topics=committed, generation_id_or_member_epoch=-1, member_id=""), 5
    yield (
        JoinGroupRequest(
            group_id="group" + HOSTILE,
            session_timeout_ms=10_000,
            rebalance_timeout_ms=10_000,
            member_id="",
            group_instance_id=HOSTILE,
            protocol_type=HOSTILE,
            protocols=[JoinGroupRequestProtocol(name=HOSTILE, metadata=HOSTILE.encode())],
        ),
        5,
    )
    raw = HOSTILE.encode()
    for timestamp in (1_600_000_000_000, SECONDS):
        record = Record(0, timestamp, 0, raw, raw, ((HOSTILE, raw),))
        part = PartitionProduceData(index=0, records=v2.build([record]))
        yield ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicProduceData(name="t", partition_data=[part])]), 7


@pytest.fixture
def kafka(tmp_path: Path) -> Iterator[FakeKafka]:
    """A broker that has been visited, with files in a directory of a hostile name, and with rules of such names."""
    folder = tmp_path / ("logs" + HOSTILE.replace("/", "-"))
    with FakeKafka("3.9", topics={"t": 1}, log_dir=folder).boot() as running:
        running.faults.fail("OFFSET_FETCH", "NOT_COORDINATOR", client_id=HOSTILE, expected=False)
        running.faults.delay("HEARTBEAT", ms=1, group=HOSTILE, expected=False)
        client = running.connect()
        for request, version in requests():
            client.send(request_frame(request, version, 1, HOSTILE))
        client.disconnect()
        yield running


def shown(value: object) -> str:
    return f"{value}\n{value!r}"


def over_http(kafka: FakeKafka, path: str) -> str:
    with ControlServer(kafka) as control, urllib.request.urlopen(control.url + path) as answer:
        text: str = answer.read().decode()
    return text


OUTPUTS: dict[str, Callable[[FakeKafka], str]] = {
    "the report of a failed test": lambda kafka: kafka.summary(),
    "differences": lambda kafka: "\n".join(map(shown, kafka.explain())),
    "the journal": lambda kafka: "\n".join(shown(entry) for entry in kafka.requests),
    "rules of faults": lambda kafka: "\n".join(map(str, kafka.faults.rules)),
    "the plan of faults": lambda kafka: str(kafka.faults),
    "what was left open": lambda kafka: "\n".join(kafka.still_open()),
    "refused connections": lambda kafka: "\n".join(map(shown, kafka.refused_connections)),
    "the broker itself": repr,
    "the page": lambda kafka: over_http(kafka, "/"),
    "requests over HTTP": lambda kafka: over_http(kafka, "/requests"),
    "groups over HTTP": lambda kafka: over_http(kafka, "/groups"),
    "the report over HTTP": lambda kafka: over_http(kafka, "/cluster/summary"),
}


def obeyed(text: str) -> list[str]:
    """The characters that a terminal would obey or hide, besides ends of lines and tabs."""
    return [character for character in text if unicodedata.category(character) in HIDDEN and character not in "\n\t"]


def forged(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip().startswith("FORGED")]


@pytest.mark.parametrize("output", OUTPUTS)
def test_hostile_text_in_an_output_is_not_obeyed(kafka: FakeKafka, output: str) -> None:
    text = OUTPUTS[output](kafka)
    assert obeyed(text) == []
    assert forged(text) == []


@pytest.mark.parametrize("command", ["check", "dump"])
def test_a_command_prints_nothing_that_a_terminal_obeys(
    kafka: FakeKafka, command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kafka.stop()
    (folder,) = tmp_path.iterdir()
    log = next(folder.glob("t-0/*.log"))
    log.write_bytes(log.read_bytes() + b"what is no batch")
    main([command, str(folder if command == "check" else log)])
    printed = "".join(capsys.readouterr())
    assert obeyed(printed) == []
    assert forged(printed) == []
    assert printed


def printed_by(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints, which must not be nothing."""
    main([str(word) for word in words])
    printed = "".join(capsys.readouterr())
    assert printed.strip()
    return printed


@pytest.mark.parametrize("source", ["journal", "capture", "directory", "log of a client"])
def test_hostile_text_in_a_diagnosis_is_not_obeyed(
    kafka: FakeKafka, source: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (folder,) = tmp_path.iterdir()
    path = tmp_path / {"journal": "j.jsonl", "capture": "c.pcap", "log of a client": "client.log"}.get(source, "")
    match source:
        case "journal":
            kafka.requests.to_jsonl(path)
        case "capture":
            kafka.requests.to_pcap(path)
        case "directory":
            kafka.stop()
            path = folder
        case _:
            trace = f"java.lang.OutOfMemoryError {HOSTILE} at kafka.server.KafkaApis.handleFetchRequest("
            path.write_text(f"{trace}KafkaApis.scala:1)\n", "utf-8")
    printed = printed_by(capsys, "diagnose", path)
    assert "no known bug fits" not in printed
    assert obeyed(printed) == []
    assert forged(printed) == []


@pytest.mark.parametrize("form", ["costs", "advice", "page"])
def test_hostile_client_names_in_a_plan_are_not_obeyed(
    kafka: FakeKafka, form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kafka.stop()
    (folder,) = tmp_path.iterdir()
    clients = tmp_path / "clients.toml"
    entry = f"library = 'kafka-python'\nversion = '1.4.7'\nname = {json.dumps(HOSTILE)}\n"
    clients.write_text(f"[[clients]]\n{entry}", "utf-8")
    page = tmp_path / "page.html"
    forms: dict[str, list[object]] = {"costs": [], "advice": ["--advice"], "page": ["--advice", "--html", page]}
    text = printed_by(capsys, "plan", "3.9", "4.3", "--from-dir", folder, "--clients", clients, *forms[form])
    text += page.read_text("utf-8") if form == "page" else ""
    assert obeyed(text) == []
    assert forged(text) == []
    assert "FORGED" in text


def test_hostile_text_in_a_rehearsals_report_is_not_obeyed() -> None:
    act = ActResult("load", HOSTILE, (HOSTILE,), (HOSTILE,))
    progress = Progress("", 1, (StepResult(1, "a phase", (act,)),), ended=True)
    for text in (as_text(progress), json.dumps(as_data(progress), indent=2)):
        assert "FORGED" in text
        assert obeyed(text) == []
        assert forged(text) == []


def test_hostile_text_in_a_refusal_of_rights_is_not_obeyed() -> None:
    with FakeKafka("3.9", topics={"t": 1}, acls=["User:alice allow Read topic t"]).boot() as kafka:
        client = kafka.connect()
        client.send(request_frame(FindCoordinatorRequest(key=HOSTILE, key_type=0), 2, 1, HOSTILE))
        (denial,) = kafka.why_denied()
    assert "FORGED" in str(denial)
    assert obeyed(f"{denial} {denial!r}") == []
    assert forged(f"{denial}\n{denial!r}") == []


def test_the_broker_was_really_visited(kafka: FakeKafka) -> None:
    keys = {entry.call.key.name for entry in kafka.requests}
    assert keys >= {"API_VERSIONS", "JOIN_GROUP", "OFFSET_COMMIT", "PRODUCE", "CREATE_TOPICS"}
    assert {entry.call.client_id for entry in kafka.requests} == {HOSTILE}
    assert [record.value for record in kafka.records("t")] == [HOSTILE.encode()] * 2
    assert kafka.failures == ()
