"""What clients say about their software, and what brokers accept of it."""

import pytest
from fakekafka import FakeKafka
from fakekafka.state.client_software import UNNAMED, ClientSoftware
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.frames import request_frame


@pytest.mark.parametrize("text", ["librdkafka", "2.5.0", "a", "apache-kafka-java", "v1.0-rc.1"])
def test_letters_digits_and_inner_dots_and_dashes_are_accepted(text: str) -> None:
    assert ClientSoftware(text, text).is_valid


@pytest.mark.parametrize("text", ["", "-", ".", "-a", "a.", "a b", "a_b", "é", "1\n"])
def test_other_texts_are_not_accepted(text: str) -> None:
    assert not ClientSoftware(text, "1").is_valid
    assert not ClientSoftware("a", text).is_valid


def test_a_connection_keeps_what_was_said_before_something_invalid() -> None:
    client = FakeKafka("3.9").boot().connect()
    assert client.connection.software == UNNAMED
    for name in ("librdkafka", "-"):
        request = ApiVersionsRequest(client_software_name=name, client_software_version="2.5.0")
        client.send(request_frame(request, 3, 1, None))
    assert client.connection.software == ClientSoftware("librdkafka", "2.5.0")
