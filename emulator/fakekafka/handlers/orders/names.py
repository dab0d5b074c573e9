"""Lists of results that have one name each, put in the order of a release's maps."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.jvm.chains import texts_through
from fakekafka.releases.behaviours.order_maps import NameMaps

WHOLE: Final = frozenset({ErrorCode.NOT_CONTROLLER, ErrorCode.CLUSTER_AUTHORIZATION_FAILED})
"""Errors of everything in a request at once. Such an answer is made from the request."""


def arrange_names(rows: list[Any], asked: Iterable[str], maps: NameMaps, rank: Callable[[Any], int]) -> None:
    """Put an answer's rows in order, in place. `asked`: the names of the request. `rank`: of a row; 0 for what was
    looked at, more for what was refused before, in the order in which a broker gathers that.

    An answer that has a name more than once was made from the list of the request and has its order.
    """
    by_name = {row.name: row for row in rows}
    if len(by_name) < len(rows):
        return
    ranked: dict[int, list[str]] = {}
    for name in texts_through(maps.asked, dict.fromkeys(asked)):
        if name in by_name:
            place = 0 if maps.in_place else rank(by_name[name])
            ranked.setdefault(place, []).append(name)
    looked_at = ranked.pop(0, [])
    refused = [name for _, names in sorted(ranked.items()) for name in texts_through(maps.refused, names)]
    gathered = [*refused, *looked_at] if maps.refused_first else [*looked_at, *refused]
    rows[:] = [by_name[name] for name in texts_through(maps.answered, gathered)]
