"""Recordings are read. The facts about single recordings are those of the brokers named."""

import pytest

from tests.golden.transcript import (
    CreateTopic,
    End,
    Exchange,
    ExpectClose,
    LoseLeaders,
    Note,
    Recording,
    Ref,
    Restart,
    Sent,
    SetClock,
    Start,
    load,
    load_data_directory,
    names,
    parse,
    releases_with_data,
)


def exchange(recording: Recording, n: int) -> Exchange:
    (found,) = (line for line in recording.lines if isinstance(line, Exchange) and line.n == n)
    return found


def test_recordings_are_named_by_release_and_scenario_oldest_release_first() -> None:
    found = names()
    assert len(found) == 1586
    assert found[0] == "0.8.2.2-bug_close_apikey_0_8"
    assert "3.9.1-fetch_formats--ibp2.8" not in found
    assert "3.0.2-fetch_formats--ibp2.8" in found
    assert not any("datadir" in name for name in found)


def test_a_recording_says_what_it_is() -> None:
    recording = load("3.9.1-produce_formats_zk")
    assert (recording.scenario, recording.release, recording.controller) == ("produce_formats_zk", "3.9.1", "zk")
    assert recording.frozen
    assert recording.lines[0] == Start("3.9.1", 1_600_000_000_000)


def test_an_exchange_with_an_answer_is_read() -> None:
    asked = exchange(load("2.3.1-handshake"), 1)
    assert (asked.api_key, asked.api_version, asked.layout, asked.answer_version) == (18, 0, 0, 0)
    assert asked.request == bytes.fromhex("00120000000000010006676f6c64656e")
    assert isinstance(asked.outcome, bytes)
    assert asked.decodable
    assert asked.framed


def test_a_version_that_the_broker_lacks_has_the_layout_of_another() -> None:
    refused = exchange(load("2.3.1-handshake"), 5)
    assert (refused.api_version, refused.layout, refused.answer_version) == (99, 2, 0)


def test_exchanges_may_end_without_an_answer() -> None:
    lines = [line for line in load("0.9.0.1-handshake").lines if isinstance(line, Exchange)]
    assert {End.CLOSED, End.SILENCE} <= {line.outcome for line in lines if isinstance(line.outcome, End)}
    assert all(line.silent_ms == 1500 for line in lines if line.outcome is End.SILENCE)
    refusals = [line for line in load("2.3.1-produce_refusals").lines if isinstance(line, (Exchange, ExpectClose))]
    assert any(isinstance(line, Exchange) and line.outcome is End.NOT_ASKED for line in refusals)
    assert any(isinstance(line, ExpectClose) and line.closed for line in refusals)


def test_references_to_earlier_answers_are_read() -> None:
    recording = load("2.3.1-transactions")
    found = [ref for line in recording.lines if isinstance(line, Exchange) for ref in line.refs]
    assert Ref("v3_and_below_producer_id", 28, "producer_id", None) in found
    assert Ref("topic_data[0].partition_data[0].records", 28, "producer_id", 0) in found


def test_events_are_read() -> None:
    recordings = map(load, ("0.9.0.1-group_classic", "0.9.0.1-storage_recovery"))
    kinds = {type(line) for recording in recordings for line in recording.lines}
    assert {Start, Exchange, SetClock, Restart, CreateTopic, Sent, Note} <= kinds
    assert any(isinstance(line, LoseLeaders) for line in load("1.1.1-offset_for_leader_epoch").lines)


def test_a_restart_holds_what_was_done_to_the_files() -> None:
    restarts = [line for line in load("2.3.1-storage_recovery").lines if isinstance(line, Restart)]
    assert any(op[0] == "truncate" for restart in restarts for op in restart.ops)
    assert any(restart.kill for restart in restarts)
    assert all(restart.stopped for restart in restarts)


def test_files_have_their_zeros_again() -> None:
    for file in load("0.8.2.2-storage_index").files:
        assert file.path
        assert len(file.content) % 8 == 0 or not file.path.endswith(".index")


def test_a_cluster_has_a_transcript_for_each_broker() -> None:
    recording = load("0.10.0.1-canary--others-are-0.9")
    assert list(recording.transcripts) == ["a", "b"]
    assert not recording.frozen
    with pytest.raises(ValueError, match="unpack"):
        _ = recording.lines


def test_a_data_directory_says_what_a_consumer_read_from_it() -> None:
    assert len(releases_with_data()) == 23
    found = load_data_directory("3.9.1")
    assert found.contents["committed"] == {"readers": {"rolled-0": 5}}
    assert "meta.properties" in {file.path for file in found.files}


def test_unknown_events_are_refused() -> None:
    meta = {"scenario": "s", "release": "2.3.1", "clock_ms": 0}
    with pytest.raises(ValueError, match="earthquake"):
        parse("2.3.1-s", [meta, {"event": "earthquake"}])
