"""Damage to frames: what happens to bytes on their way, and what a hostile client writes on purpose."""

from typing import Final

from fakekafka.wire.frames import SIZE
from hypothesis import strategies as st

EXTREMES: Final = (
    b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80\0\0\0", b"\xff\xff\xff\xfe", b"\x7f\xff", b"\xff\xff", b"\0\0",
    b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\xff" * 12,
)  # fmt: skip
"""Lengths, counts and varints that nobody would send: the longest ones, negative ones, one that never ends."""
KINDS: Final = ("flip", "set", "extreme", "extreme", "cut", "insert", "repeat", "tail", "version", "key")


@st.composite
def damaged(draw: st.DrawFn, frame: bytes) -> bytes:
    """A frame without its size, damaged up to three times or not at all."""
    data = bytearray(frame)
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 1, 2, 3)))):
        _damage(draw, data)
    return bytes(data)


def _damage(draw: st.DrawFn, data: bytearray) -> None:
    at = draw(st.integers(0, len(data)))
    match draw(st.sampled_from(KINDS)):
        case "flip" if at < len(data):
            data[at] ^= 1 << draw(st.integers(0, 7))
        case "set" if at < len(data):
            data[at] = draw(st.integers(0, 255))
        case "extreme":
            extreme = draw(st.sampled_from(EXTREMES))
            data[at : at + len(extreme)] = extreme
        case "cut":
            del data[at:]
        case "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=9))
        case "repeat":
            data[at:at] = data[at : at + draw(st.integers(1, 40))] * draw(st.integers(1, 3))
        case "tail":
            data += draw(st.binary(min_size=1, max_size=9))
        case "version" if len(data) >= 4:
            data[2:4] = draw(st.integers(-2, 30)).to_bytes(2, "big", signed=True)
        case "key" if len(data) >= 2:
            data[0:2] = draw(st.integers(-3, 120)).to_bytes(2, "big", signed=True)
        case _:
            pass


@st.composite
def sized(draw: st.DrawFn, frame: bytes) -> bytes:
    """The frame with its size, which is sometimes wrong."""
    if draw(st.integers(0, 11)):
        return SIZE.pack(len(frame)) + frame
    size = draw(st.sampled_from([len(frame) + 1, max(0, len(frame) - 1), 0, 1, 2, -1, 2**31 - 1, -(2**31), 1 << 26]))
    return SIZE.pack(size) + frame
