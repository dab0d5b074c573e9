"""What one hostile client sends: a few frames of any API and version that a release takes, damaged or not."""

from hypothesis import strategies as st

from tests.fuzz.damage import damaged, sized
from tests.fuzz.requests import frames
from tests.fuzz.under_fire import versions


@st.composite
def shots(draw: st.DrawFn, release: str) -> list[bytes]:
    """Up to four frames with their sizes."""
    apis = st.sampled_from(versions(release))
    return [draw(sized(draw(damaged(draw(frames(*draw(apis))))))) for _ in range(draw(st.integers(1, 4)))]
