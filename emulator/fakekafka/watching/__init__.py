"""What a test waits for and examines: records, commits, groups, transactions, requests.

`conditions.py`, `groups.py` and `transactions.py` say what is waited for, `waits.py` waits in a thread and
`coroutines.py` in an event loop; `requests.py` has the journal's entries, `capture.py` writes them for Wireshark.
Conditions are checked again whenever something has happened on the thread that owns the broker; nothing polls.
"""

from typing import Final

TIMEOUT_S: Final = 5.0
"""How long a wait lasts by default."""
