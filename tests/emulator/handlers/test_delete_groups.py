from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse

from tests.support.brokers import answer
from tests.support.group_clients import Member, grouped, settled, simple


def test_each_group_is_deleted_once_however_often_it_is_named() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka, "busy"))
    simple(kafka).commit(5)
    request = DeleteGroupsRequest(groups_names=["g", "busy", "g", "unknown"])
    done = answer(kafka, request, 2, DeleteGroupsResponse)
    assert [(r.group_id, r.error_code) for r in done.results] == [
        ("g", ErrorCode.NONE),
        ("busy", ErrorCode.NON_EMPTY_GROUP),
        ("unknown", ErrorCode.GROUP_ID_NOT_FOUND),
    ]
    assert simple(kafka).fetch(0) == [-1]
