"""Schemathesis reads the OpenAPI document and tries what it describes, and what it forbids (`tox -e openapi`)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.control.http_server import ControlServer
from fakekafka.control.openapi import document
from fakekafka.control.operations import IN_QUERY, Operation
from fakekafka.control.table import OPERATIONS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("schemathesis", reason="needs schemathesis: only in `tox -e openapi`")
import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.checks import positive_data_acceptance

NOT_CHECKED: Final = [positive_data_acceptance]
"""A well-formed call may be refused because of the cluster's state: "already started"."""
SOON_S: Final = 0.01
WAITS: Final = {"timeout", "patience"}
"""Arguments that say how long an operation waits."""
WORDS: Final[dict[str, object]] = {
    "name": "orders",
    "topic": "orders",
    "group": "shop",
    "transactional_id": "svc",
    "client": "kafka-python",
    "node_id": 0,
    "number": 0,
    "id": 1,
}
"""Path arguments, each of which names something that exists."""


@pytest.fixture
def served() -> Iterator[tuple[FakeKafka, str]]:
    with (
        FakeKafka("3.9", brokers=2, topics={"orders": 2}, clock=ManualClock()) as kafka,
        ControlServer(kafka) as control,
    ):
        yield kafka, control.url


def as_it_is(context: Any, payload: object) -> bytes:
    """Send the body of a snapshot as it is."""
    return payload if isinstance(payload, bytes) else str(payload).encode()


schemathesis.serializer("application/zip")(as_it_is)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_answer_is_one_that_the_document_describes(operation: Operation, served: tuple[FakeKafka, str]) -> None:
    kafka, url = served
    schema = schemathesis.openapi.from_dict(document(OPERATIONS))
    schema.config.update(base_url=url)
    described = schema[operation.path][operation.method]
    wrong = described.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)
    right = described.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.one_of(right, wrong) if operation.described.parameters else right, st.booleans())
    def call(case: Any, gets_somewhere: bool) -> None:
        if gets_somewhere:
            case.path_parameters = {name: WORDS[name] for name in operation.in_path}
        arguments = case.query if operation.method in IN_QUERY else case.body
        if operation.waits and arguments is NOT_SET:
            return  # the operation would wait for its default time
        if isinstance(arguments, dict):
            arguments |= dict.fromkeys(WAITS & operation.described.parameters.keys(), SOON_S)
        response = case.call()
        case.validate_response(response, excluded_checks=NOT_CHECKED)
        if response.status_code != 200:
            assert response.json().keys() == {"error", "reason"}
            assert response.json()["reason"]

    call()
    assert kafka.failures == ()
