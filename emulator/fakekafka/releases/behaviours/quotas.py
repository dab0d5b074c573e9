"""Client quotas: how clients are throttled. Class names: ClientQuotaManager, ClientRequestQuotaManager.

Recorded at 0.9.0.1, 0.10.2.2, 0.11.0.3, 2.0.1, 2.3.1, 2.8.2 and 4.3.1: quotas.
"""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class QuotasBehaviour(Behaviours):
    """How a client that exceeds its quota is throttled."""

    answers_first: bool = history({"0.8.0": False, "2.0": True})
    """Whether the answer is sent at once and the connection is then muted (KIP-219), with a Fetch answered without
    records; otherwise the answer waits. Recorded."""

    by_time: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether there are quotas on the time of requests (KIP-124). Recorded."""

    uncounted_of_produce: int = history({"0.8.0": 2, "0.10.0": 0})
    """How many bytes of a Produce request do not count: the number of its API at first. Recorded."""

    uncounted_of_fetch: int = history({"0.8.0": 0, "0.10.2": 4, "2.0": 0})
    """How many bytes of a Fetch answer do not count: its header between the first classes and the last. Recorded from
    0.9.0.1 to 0.11.0.3: quotas, random_quotas."""

    counts_as_stored: bool = history({"0.8.0": False, "0.11.0": True})
    """Whether the records of a Fetch count as they are stored, before they are converted for the client, so that
    nothing is converted for an answer that is not sent (KafkaApis). Recorded at 0.10.2.2 and 0.11.0.3.
    """

    starts_by_kind: bool = history({"0.8.0": True, "2.0": False}, kraft={"2.8": True})
    """Whether usage begins to count with the first quota of its kind, not with the first change of a client's quotas of
    any kind (ClientQuotaManager.updateQuota). Recorded from 0.10.2.2 to 3.9.1: random_quotas."""

    removed_at_once: bool = history({"0.8.0": False, "0.10.1": True})
    """Whether a quota that is removed does not count any more; otherwise it does, on real brokers until they start
    again (ClientIdConfigHandler). Recorded from 0.9.0.1 to 0.10.2.2: random_quotas."""

    nameless_by_user: bool = history({"0.8.0": False, "2.0": True})
    """Whether a client whose id is empty has the quota of its user alone, with whomever it is counted
    (DefaultQuotaCallback.quotaLimit). Recorded at 2.3.1: random_limits."""

    samples_overlap: bool = history({"0.8.0": False, "3.8": True})
    """Whether a sample counts as long as its last record does, and there is one more of them; otherwise it counts as
    long as its beginning does (SampledStat.java). Recorded from 2.3.1 to 4.3.1: random_quotas."""

    shortest_window_ms: int = history({"0.8.0": 0, "3.3": 1})
    """The least length of the window for which a rate is computed (Rate.java). Recorded from 3.2.3 and 3.3.2:
    random_quotas, with a single sample."""

    bounds_fetches: bool = history({"0.8.0": False, "2.5": True})
    """Whether a Fetch gives no more than its quota allows in a window (KAFKA-9677). Recorded from 2.3.1 to 2.5.0:
    quotas."""

    counts_mutations: bool = history({"0.8.0": False, "2.7": True}, kraft={"2.8": False, "3.5": True})
    """Whether there is a quota on the partitions that a client creates and deletes (KIP-599); KRaft's controller had
    none at first (KAFKA-14351). Recorded at 3.3.2, 3.4.1 and 3.5.2: quotas.
    """

    same_entity_twice: Literal["last", "refused"] = history({"0.8.0": "last"}, kraft={"2.8": "refused"})
    """What becomes of two entries for one entity in an AlterClientQuotas, and of two changes of one key: the last
    counts, or the entity is refused. Recorded from 3.0.0 to 4.3.1, and 3.9.1 under ZooKeeper: odd_admin."""
