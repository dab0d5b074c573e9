"""Which of several protocols a classic group chooses if as many members prefer each."""

import pytest
from fakekafka.coordinators.groups.classic.votes import VoteOrder, in_vote_order

from tests.support.group_clients import Member, clock_of, grouped


@pytest.mark.parametrize(
    ("protocols", "scala_2_12", "scala_2_13", "java"),
    [
        ("range sticky", "range", "range", "sticky"),
        ("range cooperative-sticky", "range", "cooperative-sticky", "range"),
        ("range roundrobin sticky", "range", "roundrobin", "sticky"),
        ("sessioned compatible eager", "sessioned", "eager", "compatible"),
        ("d c b a", "b", "a", "a"),
        ("a b c d e f", "e", "e", "a"),
        ("range roundrobin sticky cooperative-sticky stream", "cooperative-sticky", "cooperative-sticky", "stream"),
        ("range", "range", "range", "range"),
    ],
)
def test_of_protocols_with_as_many_votes_the_first_in_the_coordinators_map_is_chosen(
    protocols: str, scala_2_12: str, scala_2_13: str, java: str
) -> None:
    """Recorded from 2.3.1 to 4.3.1: protocol_ties."""
    kinds: tuple[VoteOrder, ...] = ("scala 2.12", "scala 2.13", "java")
    names = protocols.split()
    for given in (names, names[::-1]):
        assert [in_vote_order(given, kind)[0] for kind in kinds] == [scala_2_12, scala_2_13, java]


@pytest.mark.parametrize(("release", "chosen"), [("2.3", "range"), ("3.9", "cooperative-sticky"), ("4.3", "range")])
def test_two_members_that_prefer_different_protocols_are_told_the_same_one(release: str, chosen: str) -> None:
    kafka = grouped(release, group_initial_rebalance_delay_ms=3000)
    liking = (("range", b""), ("cooperative-sticky", b""))
    members = [Member(kafka, protocols=protocols) for protocols in (liking, liking[::-1])]
    assert [member.join() for member in members] == [None, None]
    clock_of(kafka).advance(6000)
    told = [member.joined() for member in members]
    assert [joined.protocol_name for joined in told if joined is not None] == [chosen, chosen]
