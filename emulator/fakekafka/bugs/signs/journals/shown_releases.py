"""The releases that a broker may be, as its answers to ApiVersions show."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from fakekafka.bugs.signs.journals.exchange import Exchange
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release, all_releases

TELLING: Final = (
    ApiKey.PRODUCE, ApiKey.FETCH, ApiKey.LIST_OFFSETS, ApiKey.METADATA, ApiKey.OFFSET_COMMIT, ApiKey.OFFSET_FETCH,
    ApiKey.FIND_COORDINATOR, ApiKey.JOIN_GROUP, ApiKey.HEARTBEAT, ApiKey.SYNC_GROUP, ApiKey.API_VERSIONS,
    ApiKey.CREATE_TOPICS,
)  # fmt: skip
"""APIs whose versions depend on nothing but the release."""

Ranges = Mapping[int, tuple[int, int]]


def shown_releases(exchanges: Iterable[Exchange]) -> frozenset[Release]:
    """The releases that the brokers of a journal may be, all brokers together; none if nothing shows them."""
    possible: set[Release] = set()
    for exchange in exchanges:
        if exchange.api == "ApiVersions" and exchange.line.response is not None:
            possible |= _with(_ranges(exchange.line.response))
    return frozenset(possible)


def _ranges(response: dict[str, object]) -> Ranges:
    listed = response["api_keys"]
    if response["error_code"] != ErrorCode.NONE or not isinstance(listed, list):
        return {}
    return {one["api_key"]: (one["min_version"], one["max_version"]) for one in listed}


def _with(ranges: Ranges) -> set[Release]:
    """The releases that list these versions; none for lists that no release gives."""
    wanted = tuple(ranges.get(key) for key in TELLING)
    return {release for telling, release in _table() if telling == wanted} if ranges else set()


@cache
def _table() -> tuple[tuple[tuple[tuple[int, int] | None, ...], Release], ...]:
    rows = []
    for release in all_releases():
        for mode in release.modes:
            listed = {
                int(key): (versions[0], versions[1]) for key, versions in profile(release, mode).advertised.items()
            }
            rows.append((tuple(listed.get(key) for key in TELLING), release))
    return tuple(rows)
