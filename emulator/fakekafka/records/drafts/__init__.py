"""Formats that were proposed and never shipped. Only clusters with the draft "KIP-98-draft" store them."""
