"""How connections end on purpose. Light: the server imports it, whether there are faults or not."""

from typing import Literal, TypeAlias

Ending: TypeAlias = Literal["close", "reset", "silence"]
"""How a client finds out that no answer comes: the connection closes, is reset (RST), or nothing ever comes on it."""
Refusing: TypeAlias = Literal["refused", "close", "reset", "silence"]
"""What becomes of those who connect: refused by the system, accepted and closed, reset, or never answered."""
