"""Labels and differences of comparable forms."""

import pytest

from tests.golden.form import ABSENT, Form, Labels, differences

MEMBER = "consumer-1-01234567-89ab-cdef-0123-456789abcdef"


def found(recorded: Form, got: Form) -> list[tuple[str, Form, Form]]:
    return [(path, one, other) for path, one, other in differences(recorded, got)]


def test_equal_forms_differ_nowhere() -> None:
    assert found({"a": [1, {"b": b"x"}], "c": None}, {"c": None, "a": [1, {"b": b"x"}]}) == []


def test_a_difference_names_its_place() -> None:
    recorded: Form = {"topics": {"name=a": {"partitions": [{"error": 0}, {"error": 0}]}}}
    got: Form = {"topics": {"name=a": {"partitions": [{"error": 0}, {"error": 3}]}}}
    assert found(recorded, got) == [("topics[name=a].partitions[1].error", 0, 3)]


def test_a_missing_or_extra_value_is_absent_on_one_side() -> None:
    assert found({"a": 1}, {"b": 2}) == [("a", 1, ABSENT), ("b", ABSENT, 2)]
    assert found([1, 2], [1]) == [("[1]", 2, ABSENT)]
    assert found([], [{"x": 1}]) == [("[0]", ABSENT, {"x": 1})]


def test_values_of_different_types_differ() -> None:
    assert found({"a": 0}, {"a": False}) == [("a", 0, False)]
    assert found({"a": ""}, {"a": None}) == [("a", "", None)]
    assert found({"a": [1]}, {"a": {"b": 1}}) == [("a", [1], {"b": 1})]


@pytest.fixture
def labels() -> Labels:
    labels = Labels()
    labels.begin("12")
    return labels


def test_dicts_of_different_kinds_differ_as_wholes() -> None:
    recorded: Form = {"magic": 1, "key": b"k"}
    got: Form = {"magic": 2, "count": 1}
    assert found({"records": [recorded]}, {"records": [got]}) == [("records[0]", recorded, got)]


def test_labels_say_where_a_value_was_first_seen(labels: Labels) -> None:
    assert [labels.of("P", 7), labels.of("P", 9), labels.of("T", 7)] == ["P12", "P12.2", "T12"]
    labels.begin("13")
    assert [labels.of("P", 7), labels.of("P", 8)] == ["P12", "P13"]


def test_an_extra_value_leaves_later_labels_alone(labels: Labels) -> None:
    labels.of("P", 7)
    other = Labels()
    labels.begin("13")
    other.begin("13")
    assert labels.of("P", 8) == other.of("P", 9)


def test_a_preview_gives_no_labels(labels: Labels) -> None:
    labels.of("P", 7)
    with labels.preview():
        assert [labels.of("P", 7), labels.of("P", 8)] == ["P12", "P?"]
    assert labels.of("P", 9) == "P12.2"


def test_member_ids_keep_what_the_client_chose(labels: Labels) -> None:
    assert labels.member(MEMBER) == "consumer-1-M12"
    assert labels.member("nobody") == "nobody"
    assert labels.member("Jk3fK4SgTbO2S3a_b-cDEg") == "M12.2"


def test_known_member_ids_are_labelled_in_bytes_without_changing_the_length(labels: Labels) -> None:
    data = b"<" + MEMBER.encode() + b">"
    assert labels.in_bytes(data) == data
    labels.member(MEMBER)
    assert labels.in_bytes(data) == b"<consumer-1-" + b"M12".ljust(36) + b">"


def test_known_topic_ids_are_labelled_in_bytes_without_changing_the_length(labels: Labels) -> None:
    topic_id = bytes(range(16))
    data = b"<" + topic_id + b">"
    assert labels.in_bytes(data) == data
    labels.of("T", topic_id)
    assert labels.in_bytes(data) == b"<" + b"T12".ljust(16) + b">"
