"""PLAIN: which messages log a user in, release by release."""

import pytest
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.security.sasl.mechanism import Refused
from fakekafka.security.sasl.plain import Plain


def plain(release: str = "3.9") -> Plain:
    return Plain(profile(Release.parse(release)).sasl, {"alice": "wonderland"})


@pytest.mark.parametrize(
    ("token", "releases"),
    [
        (b"\0alice\0wonderland", {"0.10.0", "0.10.2", "2.2", "3.9"}),
        (b"alice\0alice\0wonderland", {"0.10.0", "0.10.2", "2.2", "3.9"}),
        (b"bob\0alice\0wonderland", {"0.10.0"}),
        (b"\0alice\0wonderland\0", {"0.10.0", "0.10.2", "2.2"}),
        (b"\0alice\0wonderland\0more", set()),
        (b"\0alice\0Wonderland", set()),
        (b"\0alice\0", set()),
        (b"\0bob\0wonderland", set()),
        (b"alice\0wonderland", set()),
        (b"", set()),
    ],
)
@pytest.mark.parametrize("release", ["0.10.0", "0.10.2", "2.2", "3.9"])
def test_a_message_logs_a_user_in_where_the_release_accepts_it(token: bytes, releases: set[str], release: str) -> None:
    login = plain(release)
    if release not in releases:
        with pytest.raises(Refused):
            login.answer(token, 0)
        return
    assert login.answer(token, 0) == b""
    assert login.identity is not None
    assert login.identity.name == "alice"


def test_unknown_users_and_wrong_passwords_get_the_same_words() -> None:
    words = set()
    for token in (b"\0alice\0wrong", b"\0nobody\0wonderland", b"\0nobody\0wrong"):
        with pytest.raises(Refused) as refused:
            plain().answer(token, 0)
        words.add(refused.value.words)
    assert words == {"Authentication failed: Invalid username or password"}


def test_passwords_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The password of an unknown user is compared too, so that the time does not reveal which users exist."""
    compared = []

    def compare(expected: bytes, given: bytes) -> bool:
        compared.append((expected, given))
        return expected == given

    monkeypatch.setattr("fakekafka.security.sasl.plain.compare_digest", compare)
    for name in ("alice", "nobody"):
        with pytest.raises(Refused):
            plain().answer(f"\0{name}\0guess".encode(), 0)
    assert compared == [(b"wonderland", b"guess"), (b"", b"guess")]
