"""Formats that were proposed and never shipped. For comparison only: nothing here can reach the wire or a log."""
