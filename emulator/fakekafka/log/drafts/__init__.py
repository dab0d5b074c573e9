"""Indexes that were proposed and rejected (KIP-33). Only clusters with one of these drafts have them."""
