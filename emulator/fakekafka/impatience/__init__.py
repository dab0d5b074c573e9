"""For tests that do not want to wait: settings with which clients hurry, and what can be cut short on the broker's
side.

`quick_settings` has a client's settings with the reason for each, `settling` waits until a group is at rest, `eviction`
ends a member's session.
"""
