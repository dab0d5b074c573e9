"""Followers: how they copy their leader, and what they truncate."""
