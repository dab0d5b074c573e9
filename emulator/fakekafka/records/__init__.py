"""Message formats 0, 1 and 2: bytes <-> batches. Pure: knows no release, no request and no log. See README.md here."""
