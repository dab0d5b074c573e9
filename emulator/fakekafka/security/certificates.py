"""What Kafka reads in a certificate: its subject, as Java writes it, and its alternative names. DER, read-only.

`ssl` decodes the subject, but not the kinds of its strings, which show in the principal of a client.
"""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final, NamedTuple
from unicodedata import normalize

KEYWORDS: Final = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}
"""The attributes that have a name in RFC 2253; for others Java writes the number, and the value in hexadecimal."""
ENCODINGS: Final = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1C: "utf-32-be", 0x1E: "utf-16-be"}
"""How the kinds of strings are encoded, by their tags."""
COMPARED: Final = (0x0C, 0x13)
"""The kinds of strings that Java compares without regard to case and blanks: UTF8String and PrintableString."""
ESCAPED: Final = ',=+<>#;"\\'
VERSION, EXTENSIONS = 0xA0, 0xA3
ALTERNATIVE_NAMES: Final = "2.5.29.17"
GENERAL_NAME: Final = 0x1F
"""The bits of a tag that say what kind of alternative name it is."""
HOST, ADDRESS = 2, 7
_LONG_FORM: Final = 0x80
_AFTER_SERIAL: Final = 4
"""The subject's place after the serial number: algorithm, issuer and validity come first."""


class Element(NamedTuple):
    """One element of DER."""

    tag: int
    content: bytes
    whole: bytes
    """The element with its tag and its length."""


def elements(der: bytes) -> Iterator[Element]:
    """The elements that follow each other. Raises `IndexError` or `ValueError` for bytes that are not DER."""
    at = 0
    while at < len(der):
        size, start = der[at + 1], at + 2
        if size >= _LONG_FORM:
            count = size - _LONG_FORM
            size, start = int.from_bytes(der[start : start + count], "big"), start + count
        if start + size > len(der):
            raise ValueError("it ends too soon")
        yield Element(der[at], der[start : start + size], der[at : start + size])
        at = start + size


def _inside(der: bytes) -> list[Element]:
    """The elements of the first element."""
    return list(elements(next(elements(der)).content))


def _fields(certificate: bytes) -> list[Element]:
    """The fields of a certificate, from its serial number on."""
    fields = list(elements(_inside(certificate)[0].content))
    return fields[1:] if fields[0].tag == VERSION else fields


def distinguished_name(certificate: bytes) -> str:
    """The subject as Java writes it (X500Principal.getName, RFC 2253): its last part first."""
    parts = ["+".join(map(_attribute, part)) for part in _subject(certificate)]
    return ",".join(reversed(parts))


def canonical_name(certificate: bytes) -> list[list[str]]:
    """The subject as Java compares it (X500Principal.equals)."""
    return [sorted(map(_canonical, part)) for part in _subject(certificate)]


def _subject(certificate: bytes) -> Iterator[list[list[Element]]]:
    """Each part of the subject, as pairs of the kind and the value of its attributes."""
    for relative in elements(_fields(certificate)[_AFTER_SERIAL].content):
        yield [_inside(one.whole) for one in elements(relative.content)]


class AlternativeName(NamedTuple):
    """A name in addition to the subject."""

    kind: int
    """2: a host name; 7: an address (GeneralName)."""
    text: str


def alternative_names(certificate: bytes) -> list[AlternativeName]:
    """The subject's alternative names, in their order."""
    for field in _fields(certificate):
        if field.tag == EXTENSIONS:
            for extension in _inside(field.content):
                name, *_, value = elements(extension.content)
                if _number(name.content) == ALTERNATIVE_NAMES:
                    return [_alternative_name(one) for one in _inside(value.content)]
    return []


def _alternative_name(one: Element) -> AlternativeName:
    kind = one.tag & GENERAL_NAME
    if kind == ADDRESS and len(one.content) in (4, 16):
        return AlternativeName(kind, str(ip_address(one.content)))
    return AlternativeName(kind, one.content.decode("ascii", "backslashreplace"))


def host_names(certificate: bytes) -> list[str]:
    """The host names among the alternative names."""
    return [name.text.lower() for name in alternative_names(certificate) if name.kind == HOST]


def _attribute(pair: list[Element]) -> str:
    kind, value = pair
    number = _number(kind.content)
    keyword, encoding = KEYWORDS.get(number), ENCODINGS.get(value.tag)
    if keyword is None or encoding is None:
        return f"{keyword or number}=#{value.whole.hex()}"
    return f"{keyword}={_escaped(value.content.decode(encoding, 'replace'))}"


def _canonical(pair: list[Element]) -> str:
    kind, value = pair
    number = _number(kind.content)
    if number not in KEYWORDS or value.tag not in COMPARED:
        return f"{number}=#{value.whole.hex()}"
    text = normalize("NFKD", value.content.decode("utf-8", "replace"))
    return f"{number}={' '.join(text.upper().lower().split())}"


def _number(content: bytes) -> str:
    """An object identifier: "2.5.4.3"."""
    parts = [min(content[0] // 40, 2)]
    parts.append(content[0] - 40 * parts[0])
    value = 0
    for byte in content[1:]:
        value = value << 7 | byte & 0x7F
        if byte < _LONG_FORM:
            parts.append(value)
            value = 0
    return ".".join(map(str, parts))


def _escaped(value: str) -> str:
    text = "".join("\\" + c if c in ESCAPED else c for c in value)
    start = len(text) - len(text.lstrip(" "))
    end = len(text.rstrip(" "))
    return "\\ " * start + text[start:end] + "\\ " * (len(text) - max(start, end))
