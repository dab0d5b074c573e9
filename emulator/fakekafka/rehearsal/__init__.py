"""An upgrade path played with the user's own clients, on a copy of the user's own records."""
