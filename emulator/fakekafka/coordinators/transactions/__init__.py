"""Transactional ids: their states, markers and log."""
