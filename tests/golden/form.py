"""Comparable forms: plain values in which two brokers' answers can be compared, and what differs between two of them.

A form holds nothing that two brokers may answer differently: such values are replaced by labels ("M12" for a member id
that was first seen in exchange 12) or by "*". What is replaced where is decided in `canonical.py`, `units.py` and
`trees.py`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from fakekafka.releases.release import Mode, Release

Form: TypeAlias = "bool | int | float | str | bytes | list[Form] | dict[str, Form] | None"

ABSENT = "(absent)"
KIND = "magic"
"""Dicts that differ in this key are of different kinds: they differ as wholes, not field by field."""
ANYTHING = "*"
AS_SENT = "as sent"
"""The value of this key counts only where the recorded form has one, too."""

UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SHORT_UUID = re.compile(r"[\w-]{22}")
_SHORT_UUID_SIZE = 22
_SHORT_UUID_WORD = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])")
_CHANCE_OF_A_REQUEST = re.compile(
    r"(?<=processor=)\d+|(?<=connectionId=)[^,]+|(?<=Session@)[0-9a-f]+|(?<=buffer=)(?:null|[^\]]+\])"
    r"|(?<=Request\()\d+,[^,]+(?=,Session)|(?<=null,)\d+"
)


class Labels:
    """The labels given so far on one side of a comparison, and how strict it is.

    Two sides are equal if equal labels stand in equal places. A label says where the value was first seen; so a missing
    or an extra value does not change the labels of later ones.

    `frozen`: the broker's wall clock stands still, so times can be compared. `sent`: compressed payloads that clients
    sent; both sides of a comparison share them.
    """

    def __init__(self, *, frozen: bool = True, strict_text: bool = False, sent: set[bytes] | None = None) -> None:
        self.frozen = frozen
        self.strict_text = strict_text
        self.release: Release | None = None
        """The release that answers, where it is known."""
        self.mode: Mode | None = None
        """Its controllers, where the release is known."""
        self.sent: set[bytes] = set() if sent is None else sent
        self._given: dict[tuple[str, object], str] = {}
        self._place = ""
        self._counts: dict[str, int] = {}  # by kind, for the values first seen in this place
        self._previewing = False

    def begin(self, place: str) -> None:
        """Values that are labelled from here on stand in `place`."""
        if place != self._place:
            self._place = place
            self._counts = {}

    def of(self, kind: str, value: object) -> str:
        """ "M12" for the first value of kind M in exchange 12, "M12.2" for the second. "M?" in a preview, if new."""
        known = self._given.get((kind, value))
        if known is not None:
            return known
        if self._previewing:
            return kind + "?"
        self._counts[kind] = number = self._counts.get(kind, 0) + 1
        label = self._given[kind, value] = f"{kind}{self._place}" + (f".{number}" if number > 1 else "")
        return label

    @contextmanager
    def preview(self) -> Iterator[None]:
        """Within the block, no labels are given."""
        before, self._previewing = self._previewing, True
        try:
            yield
        finally:
            self._previewing = before

    def member(self, member_id: str) -> str:
        """A member id with its random part labelled. Ids without one are the client's own and stay as they are."""
        raw = member_id.encode()
        found = UUID.search(raw)
        if found is not None:
            return raw[: found.start()].decode() + self.of("M", found.group()) + raw[found.end() :].decode()
        return self.of("M", raw) if _SHORT_UUID.fullmatch(member_id) else member_id

    def in_text(self, text: str) -> str:
        """A text for people in which ids in 22 characters are replaced, by "*" if they were seen nowhere else. So are
        the sockets, threads, buffers and addresses of a printed request.
        """
        if text.startswith("Request Request("):
            return _CHANCE_OF_A_REQUEST.sub("*", text)
        return _SHORT_UUID_WORD.sub(lambda m: self._given.get(("M", m.group().encode()), ANYTHING), text)

    def in_bytes(self, data: bytes) -> bytes:
        """`data` with the random parts of known member ids, and known topic ids, replaced, length kept."""
        for (kind, value), label in self._given.items():
            if kind == "T" and isinstance(value, bytes) and value in data:
                data = data.replace(value, label.encode().ljust(16))
            elif kind == "M" and isinstance(value, bytes) and len(value) == _SHORT_UUID_SIZE and value in data:
                data = data.replace(value, label.encode().ljust(_SHORT_UUID_SIZE))
        if b"-" not in data:
            return data
        return UUID.sub(lambda m: self._given.get(("M", m.group()), m.group().decode()).encode().ljust(36), data)


class Difference(NamedTuple):
    """One place where two forms differ."""

    path: str
    recorded: Form
    got: Form


def differences(recorded: Form, got: Form, path: str = "") -> Iterator[Difference]:
    """Every place where two forms differ."""
    if isinstance(recorded, dict) and isinstance(got, dict) and recorded.get(KIND) == got.get(KIND):
        for key in [*recorded, *(k for k in got if k not in recorded and k != AS_SENT)]:
            yield from differences(recorded.get(key, ABSENT), got.get(key, ABSENT), _inner(path, key))
    elif isinstance(recorded, list) and isinstance(got, list):
        for n in range(max(len(recorded), len(got))):
            one = recorded[n] if n < len(recorded) else ABSENT
            yield from differences(one, got[n] if n < len(got) else ABSENT, f"{path}[{n}]")
    elif recorded != got or type(recorded) is not type(got):
        yield Difference(path, recorded, got)


def _inner(path: str, key: str) -> str:
    """ "topics[name=a]" for an element with an identity, "topics[name=a].error_code" for a field."""
    if "=" in key:
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key
