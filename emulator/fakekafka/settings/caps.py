"""Caps on what a broker advertises and accepts: `api_versions={"Produce": 2, "Fetch": (0, 3)}`."""

from collections.abc import Mapping
from typing import TypeAlias

from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey

ApiRange: TypeAlias = int | tuple[int, int]
"""A cap: the highest version, or the lowest and the highest."""
ApiRanges: TypeAlias = dict[ApiKey, tuple[int, int]]


def capped(ranges: Mapping[ApiKey, tuple[int, int]], caps: Mapping[str, ApiRange]) -> ApiRanges:
    """`ranges` within `caps`, which are given by API name ("ListOffsets" or "LIST_OFFSETS").

    Raises `UsageError` for an unknown API, and for a cap that leaves no version of it.
    """
    out = dict(ranges)
    for name, cap in caps.items():
        key = _key(name)
        if key not in out:
            raise UsageError(f"api_versions: this release has no {name} to cap")
        low, high = out[key]
        cap_low, cap_high = (low, cap) if isinstance(cap, int) else cap
        low, high = max(low, cap_low), min(high, cap_high)
        if low > high:
            raise UsageError(f"api_versions: {name} {cap} leaves nothing of {out[key][0]}-{out[key][1]}")
        out[key] = (low, high)
    return out


def _key(name: str) -> ApiKey:
    wanted = name.replace("_", "").lower()
    for key in ApiKey:
        if key.name.replace("_", "").lower() == wanted:
            return key
    from difflib import get_close_matches

    near = get_close_matches(wanted.title(), [key.name.title().replace("_", "") for key in ApiKey], n=3)
    raise UsageError(f"api_versions: no API called {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
