from fakekafka.coordinators.groups.classic.member import Member, Reply
from fakekafka.waiting.waiters import Waiters


def test_a_member_votes_for_the_candidate_that_it_prefers() -> None:
    member = Member(
        "m",
        instance_id=None,
        client_id="c",
        client_host="/127.0.0.1",
        rebalance_timeout_ms=1,
        session_timeout_ms=1,
        protocols=(("a", b"1"), ("b", b"2")),
    )
    assert member.names == {"a", "b"}
    assert [member.vote({"b", "a"}), member.vote({"b"}), member.vote({"c"})] == ["a", "b", None]
    assert [member.metadata("b"), member.metadata("c")] == [b"2", b""]


def test_a_reply_to_a_member_wakes_its_waiter() -> None:
    waiters, ran = Waiters(), list[str]()
    reply: Reply[int] = Reply(waiters)
    waiters.watch([reply], lambda: ran.append("woken"))
    waiters.run_ready()
    assert (reply.value, ran) == (None, [])
    reply.give(7)
    waiters.run_ready()
    assert (reply.value, ran) == (7, ["woken"])
