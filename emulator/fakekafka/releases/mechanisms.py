"""The SASL mechanisms that are played, and which releases have them. GSSAPI is not played: it needs a KDC."""

from collections.abc import Mapping
from typing import Final

PLAIN: Final = "PLAIN"
SCRAM: Final = ("SCRAM-SHA-256", "SCRAM-SHA-512")
OAUTHBEARER: Final = "OAUTHBEARER"
FIRST_WITH: Final[Mapping[str, tuple[int, ...]]] = {
    PLAIN: (0, 10, 0),
    **dict.fromkeys(SCRAM, (0, 10, 2)),
    OAUTHBEARER: (2, 0),
}
"""The release lines that introduced each mechanism (KIP-43, KIP-84, KIP-255)."""
