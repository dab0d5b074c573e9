"""Payloads that are inflated as a whole only if they are small."""

from collections.abc import Iterator


def at_most(most: int, pieces: Iterator[bytes]) -> bytes | None:
    """All pieces in one; None if they are more than `most` bytes. Raises what inflating raises."""
    kept, size = list[bytes](), 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > most:
            return None
    return kept[0] if len(kept) == 1 else b"".join(kept)
