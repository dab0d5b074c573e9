"""Errors in answers by name: `wire/error_names.py`."""

from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.metadata import MetadataResponse, MetadataResponseTopic
from fakekafka.wire.error_names import error_names


def test_errors_are_found_at_any_depth_and_named_once() -> None:
    topics = [MetadataResponseTopic(error_code=code) for code in (3, 0, 5, 3)]
    assert error_names(MetadataResponse(error_code=ErrorCode.REBOOTSTRAP_REQUIRED, topics=topics)) == [
        "UNKNOWN_TOPIC_OR_PARTITION",
        "LEADER_NOT_AVAILABLE",
        "REBOOTSTRAP_REQUIRED",
    ]


def test_an_error_that_no_release_has_is_shown_as_its_number() -> None:
    assert error_names(MetadataResponse(error_code=999)) == ["999"]
