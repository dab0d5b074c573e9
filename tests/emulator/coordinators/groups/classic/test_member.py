from fakekafka.coordinators.groups.classic.member import Member


def test_a_member_votes_for_what_it_likes_best_among_the_candidates() -> None:
    member = Member("m", None, "c", "/127.0.0.1", 1, 1, (("a", b"1"), ("b", b"2")))
    assert member.names == {"a", "b"}
    assert [member.vote({"b", "a"}), member.vote({"b"}), member.vote({"c"})] == ["a", "b", None]
    assert [member.metadata("b"), member.metadata("c")] == [b"2", b""]
