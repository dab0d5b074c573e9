"""Access control entries for tests, and a broker with an authorizer."""

from fakekafka import FakeKafka, ManualClock
from fakekafka.releases.authorizers import own_authorizer
from fakekafka.releases.release import Release
from fakekafka.wire.apis.create_acls import AclCreation, CreateAclsRequest, CreateAclsResponse
from fakekafka.wire.apis.describe_acls import DescribeAclsRequest, DescribeAclsResponse
from fakekafka.wire.frames import request_frame

from tests.support.brokers import CLIENT_ID, answer

VERSION = {"0.11.0": 0, "1.0": 0, "1.1": 0, "2.0": 1, "2.3": 1, "2.4": 1, "2.5": 2, "2.6": 2, "2.7": 2, "2.8": 2,
           "3.2": 2, "3.3": 3, "3.9": 3, "4.1": 3, "4.2": 3}  # fmt: skip
"""The versions of the requests to each release."""


def guarded(release: str) -> FakeKafka:
    """A broker with its release's own authorizer. The clients of these tests have not logged in, and may do
    everything.
    """
    known = Release.parse(release)
    authorizer = own_authorizer(known, known.default_mode)
    config = {"authorizer.class.name": authorizer, "super.users": "User:ANONYMOUS"}
    return FakeKafka(release, config=config, clock=ManualClock(0)).boot()


def entry(
    kind: int = 2, name: str = "t", pattern: int = 3, who: str = "User:a", operation: int = 3, permission: int = 3
) -> AclCreation:
    """An entry; by default, user a may read topic t."""
    return AclCreation(
        resource_type=kind,
        resource_name=name,
        resource_pattern_type=pattern,
        principal=who,
        host="*",
        operation=operation,
        permission_type=permission,
    )


def create(kafka: FakeKafka, version: int, *creations: AclCreation) -> list[tuple[int, str | None]]:
    """The error code and message for each creation."""
    response = answer(kafka, CreateAclsRequest(creations=list(creations)), version, CreateAclsResponse)
    return [(result.error_code, result.error_message) for result in response.results]


def closes(kafka: FakeKafka, request: CreateAclsRequest, version: int) -> bool:
    client = kafka.connect()
    return client.send(request_frame(request, version, 1, CLIENT_ID)) == b"" and client.closed


def everything() -> DescribeAclsRequest:
    """A filter that lets everything through."""
    return DescribeAclsRequest(
        resource_type_filter=1,
        resource_name_filter=None,
        pattern_type_filter=1,
        principal_filter=None,
        host_filter=None,
        operation=1,
        permission_type=1,
    )


def described(kafka: FakeKafka, version: int, wanted: DescribeAclsRequest | None = None) -> list[tuple[str, list[str]]]:
    """The names of resources, with the principals that have entries."""
    response = answer(kafka, wanted or everything(), version, DescribeAclsResponse)
    return [(resource.resource_name, [acl.principal for acl in resource.acls]) for resource in response.resources]
