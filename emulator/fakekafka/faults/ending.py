"""How connections end on purpose. Kept small: the server always imports it, even without faults."""

from typing import Literal, TypeAlias

Ending: TypeAlias = Literal["close", "reset", "silence"]
"""How a client finds out that no answer comes: the connection closes, is reset (RST), or nothing ever comes on it."""
Refusing: TypeAlias = Literal["refused", "close", "reset", "silence"]
"""What happens to clients that connect: refused by the system, accepted and closed, reset, or never answered."""
