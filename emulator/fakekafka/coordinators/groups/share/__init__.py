"""Share groups (KIP-932): members that take records of the same partitions, and say of each what became
of it.

    group, records, replay      a group as its coordinator has it, in __consumer_offsets
    heartbeat, coordinator      who is a member, and what it reads: assignor, hashed_assignor (4.1)
    states, state_records       how far each partition was delivered: the share coordinator, __share_group_state
    state_requests              what it answers to whoever asks it
    delivery, partitions        which records are out with whom: the share-partition leader, in memory
    sessions, requests          what members ask for, and over which connection
    fetching, aborted           what they get
    offsets, durations          where a group starts to read: what administrators ask for
"""
