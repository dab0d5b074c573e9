"""Messages as the loops over records (`hot.py`) write them: two numbers, then bytes.

In the compiled core the names mean what mypy's run-time library, librt.strings, has under them: a few instructions
each, and no object for a number. Interpreted, a call costs more than what it does; there everything is appended to a
list, and the numbers become bytes all at once. Both give the same bytes. The names are the library's; an `i64` is a
number of the machine there, and any other here.
"""

from itertools import chain, islice
from struct import Struct
from typing import TYPE_CHECKING, Final

_PAIRS: Final = Struct("16s" * 16)
"""The numbers of 16 messages: taken apart together, they cost a third."""


class _Messages(list[int | bytes]):
    """What was written, three items for each message."""

    __slots__ = ()
    write = list[int | bytes].append

    def getvalue(self) -> bytes:
        """All messages, one after the other."""
        count = len(self) // 3
        numbers = [0] * (2 * count)
        numbers[0::2], numbers[1::2] = self[0::3], self[1::3]  # type: ignore[assignment]  # these are the numbers
        packed = Struct(f">{2 * count}q").pack(*numbers)
        pairs = _PAIRS.iter_unpack(packed + bytes(-len(packed) % _PAIRS.size))
        pieces = [b""] * (2 * count)
        pieces[0::2] = islice(chain.from_iterable(pairs), count)
        pieces[1::2] = self[2::3]  # type: ignore[assignment]  # and these the bytes
        return b"".join(pieces)


if TYPE_CHECKING:  # mypyc knows what is imported by its name there
    from librt.strings import BytesWriter as BytesWriter
    from librt.strings import write_i64_be as write_i64_be
    from mypy_extensions import i64 as i64
else:
    BytesWriter, write_i64_be, i64 = _Messages, list.append, int
