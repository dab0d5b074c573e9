"""What a server stores of a SCRAM password (RFC 5802): nothing with which a client could log in."""

from typing import NamedTuple


class ScramCredential(NamedTuple):
    """One credential of a user."""

    mechanism: int
    """1: SCRAM-SHA-256, 2: SCRAM-SHA-512 (KIP-554)."""
    iterations: int
    salt: bytes
    stored_key: bytes
    server_key: bytes

    def __repr__(self) -> str:
        return f"ScramCredential(mechanism={self.mechanism}, iterations={self.iterations})"
