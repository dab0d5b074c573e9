import copy
from typing import Any

import pytest
from fakekafka.wire.message import (
    ANY_HIGHER,
    NEVER,
    Message,
    Request,
    Response,
    Struct,
    Versions,
    binary,
    boolean,
    field,
    int16,
    int32,
    record_set,
    string,
    uuid,
)


class Leader(Struct):
    id: int32 = field("0+", default=-1)
    rack: string | None = field("1+")


class Partition(Message, versions="0-4", flexible="3+"):
    index: int32 = field("0+")
    name: string | None = field("2+", nullable="3+")
    replicas: list[int32] = field("0+")
    offline: list[int32] | None = field("1-2", default=None)
    leader: Leader = field("0+")
    old_leader: Leader | None = field("3+")
    leaders: list[Leader] = field("0+")
    hint: int16 = field("3+", tag=1)
    late_hint: int16 = field("2+", tag=0, tagged="4+")
    records: record_set | None = field("0+")


@pytest.mark.parametrize(
    ("text", "versions"),
    [("3", Versions(3, 3)), ("0-4", Versions(0, 4)), ("2+", Versions(2, ANY_HIGHER)), ("none", NEVER)],
)
def test_a_range_is_a_number_two_numbers_a_number_and_a_plus_or_none(text: str, versions: Versions) -> None:
    assert Versions.parse(text) == versions


def test_a_range_contains_both_its_ends_and_only_numbers() -> None:
    assert [v for v in range(7) if v in Versions(2, 4)] == [2, 3, 4]
    assert 3.0 not in Versions(2, 4)
    assert 0 not in NEVER


def test_a_field_knows_what_its_annotation_says() -> None:
    fields = Partition.FIELDS
    assert list(fields) == ["index", "name", "replicas", "offline", "leader", "old_leader", "leaders", "hint",
                            "late_hint", "records"]  # fmt: skip
    assert (fields["index"].kind, fields["index"].is_array) == ("int32", False)
    assert (fields["replicas"].kind, fields["replicas"].is_array) == ("int32", True)
    assert (fields["leaders"].kind, fields["leaders"].is_array, fields["leaders"].struct) == ("struct", True, Leader)
    assert (fields["old_leader"].kind, fields["old_leader"].struct) == ("struct", Leader)
    assert fields["records"].kind == "records"


def test_a_field_is_nullable_where_it_says_so_or_wherever_it_is_optional() -> None:
    assert Partition.FIELDS["name"].nullable == Versions.parse("3+")
    assert Partition.FIELDS["offline"].nullable == Versions.parse("1-2")
    assert Partition.FIELDS["index"].nullable == NEVER


def test_a_tagged_field_is_in_place_in_versions_before_its_tag() -> None:
    assert [v for v in range(5) if Partition.FIELDS["late_hint"].in_place(v)] == [2, 3]
    assert [v for v in range(5) if Partition.FIELDS["hint"].in_place(v)] == []
    assert [v for v in range(5) if Partition.FIELDS["offline"].in_place(v)] == [1, 2]


def test_fields_that_are_not_given_read_as_their_defaults() -> None:
    partition = Partition(index=4)
    assert partition.index == 4
    assert partition.leader == Leader(id=-1)
    assert (partition.name, partition.offline, partition.old_leader, partition.records) == ("", None, None, None)
    assert list(partition.replicas) == []


@pytest.mark.parametrize(
    ("kind", "zero"), [(boolean, False), (binary, b""), (uuid, bytes(16)), (string, ""), (record_set, None)]
)
def test_a_field_without_a_stated_default_has_the_zero_of_its_kind(kind: Any, zero: object) -> None:
    one = type("One", (Struct,), {"__annotations__": {"it": kind}, "it": field("0+")})
    assert one.it == zero  # type: ignore[attr-defined]


class Lazy(type):
    """Classes whose annotations are made, and kept on the class, when they are first read: as from Python 3.14 on."""

    @property
    def __annotations__(cls) -> dict[str, Any]:  # type: ignore[override]
        made: dict[str, Any] = cls.__dict__["notes"]
        cls.annotations_made = made
        return made


def test_fields_are_found_though_reading_the_annotations_adds_to_the_class() -> None:
    one = Lazy("One", (Struct,), {"notes": {"it": int16, "name": string}, "it": field("0+"), "name": field("0+")})
    assert list(one.FIELDS) == ["it", "name"]  # type: ignore[attr-defined]


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="Partition has no field indices"):
        Partition(indices=4)  # type: ignore[call-arg]


def test_the_default_struct_is_shared_and_cannot_be_changed() -> None:
    assert Partition().leader is Partition().leader
    with pytest.raises(AttributeError, match="this Leader is a shared default: assign a new Leader instead"):
        Partition().leader.id = 3
    assert Partition().leader.id == -1


def test_the_default_list_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Partition().replicas.append(3)


def test_a_copy_of_a_default_can_be_changed() -> None:
    default = Partition().leader
    for made in (copy.copy(default), copy.deepcopy(default), type(default)()):
        made.id = 5
        assert made == Leader(id=5)


def test_messages_are_equal_when_all_fields_are() -> None:
    assert Partition(index=1) == Partition(index=1, name="", replicas=[], leader=Leader())
    assert Partition(index=1) != Partition(index=2)
    assert Partition(leaders=[Leader(id=1)]) == Partition(leaders=[Leader(id=1)])
    assert Partition(leaders=[Leader(id=1)]) != Partition(leaders=[Leader(id=1), Leader(id=1)])
    assert Partition(records=b"ab") == Partition(records=memoryview(b"ab"))
    assert Partition() != Leader()
    assert Partition() != "Partition()"


def test_messages_have_no_hash() -> None:
    with pytest.raises(TypeError, match="no hash"):
        hash(Partition())


def test_a_message_shows_the_fields_that_were_set() -> None:
    assert repr(Partition(index=1, leader=Leader(rack="a"))) == "Partition(index=1, leader=Leader(rack='a'))"
    assert repr(Partition().leader) == "Leader()"


def test_requests_and_responses_know_their_key_and_versions() -> None:
    class Ask(Request, key=7, versions="1-2", flexible="2+"):
        pass

    class Answer(Response, key=7, versions="1-2"):
        pass

    assert (7, Versions(1, 2), Versions(2, ANY_HIGHER)) == (Ask.KEY, Ask.VERSIONS, Ask.FLEXIBLE)
    assert (7, Versions(1, 2), NEVER) == (Answer.KEY, Answer.VERSIONS, Answer.FLEXIBLE)
    assert Ask() != Answer()


def test_a_struct_made_fast_equals_one_that_was_checked() -> None:
    assert Leader.fast({"id": 3}) == Leader(id=3)
    assert Leader.fast({}) == Leader()


def test_a_field_is_set_if_a_value_was_given_even_its_default() -> None:
    assert Leader(id=-1).is_set("id")
    assert not Leader(id=-1).is_set("rack")
