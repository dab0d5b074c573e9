"""What one hostile client sends: a few frames of any API and version that a release takes, damaged or not."""

from typing import Final

from fakekafka.ids import ApiKey
from hypothesis import strategies as st

from tests.fuzz.damage import damaged, sized
from tests.fuzz.requests import frames
from tests.fuzz.under_fire import versions

UNREGISTERS: Final = ApiKey.UNREGISTER_BROKER.to_bytes(2, "big") + bytes(2)
"""How a request begins that nobody could fail to notice: a broker that is forgotten leads nothing (asked of 3.9.1)."""


@st.composite
def shots(draw: st.DrawFn, release: str) -> list[bytes]:
    """Up to four frames with their sizes."""
    apis = st.sampled_from([one for one in versions(release) if one[0] is not ApiKey.UNREGISTER_BROKER])
    sent = [draw(sized(draw(damaged(draw(frames(*draw(apis))))))) for _ in range(draw(st.integers(1, 4)))]
    return [frame for frame in sent if UNREGISTERS not in frame]
