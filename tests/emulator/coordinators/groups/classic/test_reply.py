from fakekafka.coordinators.groups.classic.reply import Reply
from fakekafka.waiting.waiters import Waiters


def test_a_reply_wakes_who_waits_for_it() -> None:
    waiters, ran = Waiters(), list[str]()
    reply: Reply[int] = Reply(waiters)
    waiters.watch([reply], lambda: ran.append("woken"))
    waiters.run_ready()
    assert (reply.value, ran) == (None, [])
    reply.give(7)
    waiters.run_ready()
    assert (reply.value, ran) == (7, ["woken"])
