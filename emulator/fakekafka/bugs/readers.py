"""Readers that compute as clients do, for bugs of clients: what they ask for next, fetch by fetch."""

from fakekafka.bugs.play import Play
from fakekafka.ids import Offset


def positions(play: Play, *, by_records: bool, fetches: int = 5, version: int = 4) -> list[Offset]:
    """The offsets that a consumer of partition 0 of "t" asks for, from 0 on.

    `by_records`: next is the last record's offset plus one, and records before the position are dropped; otherwise it
    is the last offset of the first batch plus one.
    """
    position, asked = 0, []
    for _ in range(fetches):
        asked.append(position)
        units = play.fetch(position, version).units
        if by_records:
            found = [record.offset for unit in units[:1] for record in unit.records() if record.offset >= position]
        else:
            found = [unit.last_offset for unit in units[:1]]
        position = found[-1] + 1 if found else position
    return asked
