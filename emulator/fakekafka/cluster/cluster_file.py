"""`fakekafka-cluster.json`: what ZooKeeper or the quorum would know, kept beside the logs for another process.

    {"fakekafka": 5,              version of this format
     "release": "2.3.1", "mode": "zk",    the writer; "drafts": [...] if it played any
     "stopped": true,             whether a stop wrote it; otherwise directories that it does not name count, too
     "cluster_id": "...", "producer_ids": 1000, "broker_epochs": 2, "quorum_epoch": 1,
     "announced": [0],            brokers whose last stop was a controlled shutdown
     "topics": [{"name": "orders", "id": "<base64>", "configs": {...}, "partitions": [{"index": 0, "leader": 0, ...}]}],
     "settings": {...},           dynamic configs, quotas, credentials, access control, delegation tokens, features
     "zookeeper_offsets": [["group", "topic", 0, 42]]}

It is not Kafka's. Real brokers look at directories only, so it does not disturb them; without it, topics are found from
the directories (`found_topics.py`). The whole file is written whenever something in it has changed, at most once a
second. Only its owner can read it: it has the keys of SCRAM users, and passwords that were set as dynamic configs.
"""

import json
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import UsageError
from fakekafka.ids import ZERO_UUID
from fakekafka.log.files import Directory
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.security.acl import Acl
from fakekafka.security.principal import Principal
from fakekafka.state.cluster_settings import ClusterSettings, CredentialChange, FeatureNode
from fakekafka.state.topics import PartitionState, Topic

if TYPE_CHECKING:
    from fakekafka.log.findings import ReadableDirectory
    from fakekafka.security.sasl.credentials import ScramCredential
    from fakekafka.security.tokens import Token

ScramUsers: TypeAlias = "dict[str, dict[int, ScramCredential]]"
"""Credentials by user and by the number of the mechanism."""
FORM: Final = 5
PERIOD_MS: Final = 1000
STATE_FIELDS: Final = (
    "index", "replicas", "isr", "leader", "leader_epoch", "adding", "removing", "eligible", "last_known",
)  # fmt: skip
"""The fields of a `PartitionState` that are kept."""
TOKEN_PEOPLE: Final = ("owner", "requester")
TOKEN_TIMES: Final = ("issued_at_ms", "expires_at_ms", "ends_at_ms")
"""What is kept about a delegation token, besides its id and its renewers. Its secret is computed again."""
CONFIG_FIELDS: Final = ("all_brokers", "groups", "client_metrics", "features")
"""The fields of `ClusterSettings` that are kept by name; of `all_brokers` only what may be shown."""


class Author(NamedTuple):
    """The release that wrote such a file."""

    release: str
    mode: str
    drafts: tuple[str, ...] = ()
    """Designs that Kafka never shipped, as they were asked for."""


class ClusterFile:
    """The file of a running cluster. `directory`: the one that the user named, not a broker's if there are several."""

    def __init__(self, directory: Directory, cluster: Cluster, author: Author) -> None:
        self._directory = directory
        self._cluster = cluster
        self._author = author
        self._written = b""

    def keep_up_to_date(self) -> None:
        """From now on, write the file whenever something has changed."""
        self._cluster.timers.while_busy(PERIOD_MS, self._try, 0)

    def _try(self) -> bool:
        """Write the file, as far as the disk allows: the next change tries again, and the stop says what is wrong."""
        try:
            return self.write()
        except OSError:
            return False

    def write(self, *, stopped: bool = False) -> bool:
        """Write the file. False if nothing has changed. `stopped`: after a stop, or a crash."""
        content = file_bytes(self._cluster, self._author, stopped=stopped)
        if content == self._written:
            return False
        self._directory.replace(CLUSTER_FILE, content, private=True)
        self._written = content
        return True


# ---------------------------------------------------------------- writing


def file_bytes(cluster: Cluster, author: Author, *, stopped: bool) -> bytes:
    """The file as it would be written now."""
    state = {
        "fakekafka": FORM,
        "release": author.release,
        "mode": author.mode,
        **({"drafts": author.drafts} if author.drafts else {}),
        "stopped": stopped,
        "cluster_id": cluster.id,
        "producer_ids": cluster.producer_ids_given,
        "announced": sorted(cluster.announced),
        "broker_epochs": cluster.broker_epochs_given,
        "quorum_epoch": cluster.quorum_epoch,
        "topics": [_topic_state(topic) for topic in cluster.topics.values()],
        "settings": _settings_state(cluster),
        "zookeeper_offsets": [[*place, offset] for place, offset in cluster.zookeeper_offsets.all().items()],
    }
    return json.dumps(state, indent=1).encode() + b"\n"


def _topic_state(topic: Topic) -> dict[str, object]:
    partitions = [{name: getattr(state, name) for name in STATE_FIELDS} for state in topic.partitions]
    return {
        "name": topic.name,
        "id": _text(topic.withheld_id if topic.id == ZERO_UUID else topic.id),
        "configs": topic.overrides,
        "partitions": partitions,
    }


def _settings_state(cluster: Cluster) -> dict[str, object]:
    settings = cluster.settings
    return {
        **{name: getattr(settings, name) for name in CONFIG_FIELDS},
        "metadata_offset": settings.metadata_offset,
        "quorum_level": settings.quorum_level,
        "feature_node": settings.feature_node,
        "all_brokers": settings.all_brokers,
        "brokers": {str(node_id): configs for node_id, configs in settings.brokers.items()},
        "quotas": [[list(map(list, entity)), values] for entity, values in settings.quotas.items()],
        "scram": _scram_rows(settings.scram),
        "scram_removed": _scram_removed(settings),
        "acls": [list(acl) for acl in settings.acls],
        "tokens": [_token_state(token) for token in settings.tokens.values()],
    }


def _token_state(token: "Token") -> dict[str, object]:
    people = {name: list(getattr(token, name)[:2]) for name in TOKEN_PEOPLE}
    renewers = [list(renewer[:2]) for renewer in token.renewers]
    return {"id": token.id, **people, "renewers": renewers, **{name: getattr(token, name) for name in TOKEN_TIMES}}


def _scram_rows(users: "ScramUsers") -> dict[str, list[list[object]]]:
    return {user: [_scram_state(one) for one in own.values()] for user, own in users.items()}


def _scram_removed(settings: ClusterSettings) -> list[list[object]]:
    """The mechanism and the user of each credential that is gone: brokers in KRaft mode read about them again."""
    named = dict.fromkeys(change[:2] for step in settings.scram_history for change in step)
    return [[mechanism, user] for mechanism, user in named if mechanism not in settings.scram.get(user, {})]


def _scram_state(kept: "ScramCredential") -> list[object]:
    return [kept.mechanism, kept.iterations, *map(_text, kept[2:])]


# ---------------------------------------------------------------- reading


class ReadClusterFile(NamedTuple):
    """A file that was read."""

    author: Author
    stopped: bool
    state: dict[str, Any]

    def restore(self, cluster: Cluster) -> None:
        """Put the content of the file into a new cluster. Raises `UsageError`."""
        try:
            _restore(cluster, self.state)
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise UsageError(f"{CLUSTER_FILE} is not as fakekafka writes it: {wrong!r}") from wrong


def read_cluster_file(directory: "ReadableDirectory") -> ReadClusterFile | None:
    """The file in `directory`, if there is one. Raises `UsageError` if it cannot be read."""
    if not directory.exists(CLUSTER_FILE):
        return None
    try:
        state = json.loads(directory.read_all(CLUSTER_FILE))
        form, author = state["fakekafka"], Author(state["release"], state["mode"], tuple(state.get("drafts", ())))
        stopped = state["stopped"]
    except (KeyError, TypeError, ValueError) as wrong:
        raise UsageError(f"{CLUSTER_FILE} is not as fakekafka writes it: {wrong!r}") from wrong
    if form != FORM:
        raise UsageError(f"{CLUSTER_FILE} was written by another version of fakekafka: form {form}, not {FORM}")
    return ReadClusterFile(author, stopped, state)


def _restore(cluster: Cluster, state: dict[str, Any]) -> None:
    cluster.adopt_id(state["cluster_id"], state["broker_epochs"])
    cluster.quorum_epoch = state["quorum_epoch"]
    cluster.producer_ids_given = state["producer_ids"]
    cluster.announced = set(state["announced"])
    for topic in state["topics"]:
        _restore_topic(cluster, topic)
    _restore_settings(cluster.settings, state["settings"])
    for group, topic, partition, offset in state["zookeeper_offsets"]:
        cluster.zookeeper_offsets.put(group, topic, partition, offset)


def _restore_topic(cluster: Cluster, kept: dict[str, Any]) -> None:
    topic = Topic(kept["name"], b64decode(kept["id"]), dict(kept["configs"]))
    for fields in kept["partitions"]:
        state = PartitionState(fields["index"], fields["replicas"])
        for name in STATE_FIELDS:
            setattr(state, name, fields[name])
        state.isr_of_epoch = state.isr
        topic.partitions.append(state)
    cluster.topics[topic.name] = topic
    if topic.id != ZERO_UUID:
        cluster.topics_by_id[topic.id] = topic


def _restore_settings(settings: ClusterSettings, kept: dict[str, Any]) -> None:
    for name in CONFIG_FIELDS:
        getattr(settings, name).clear()
        getattr(settings, name).update(kept[name])
    settings.metadata_offset, settings.quorum_level = kept["metadata_offset"], kept["quorum_level"]
    settings.feature_node = FeatureNode(*kept["feature_node"]) if kept["feature_node"] else None
    for node_id, configs in kept["brokers"].items():
        settings.brokers[int(node_id)] = dict(configs)
    for entity, values in kept["quotas"]:
        settings.quotas[tuple((kind, name) for kind, name in entity)] = dict(values)
    settings.change_scram(_scram_changes(kept))
    for acl in kept["acls"]:
        settings.acls.add(Acl(*acl))
    for token in kept["tokens"]:
        _restore_token(settings, token)


def _scram_changes(kept: dict[str, Any]) -> list[CredentialChange]:
    removed = [CredentialChange(mechanism, user, None) for mechanism, user in kept["scram_removed"]]
    users = _scram_users(kept["scram"]) if kept["scram"] else {}
    return removed + [CredentialChange(n, user, one) for user, own in users.items() for n, one in own.items()]


def _restore_token(settings: ClusterSettings, kept: dict[str, Any]) -> None:
    from fakekafka.security.tokens import Token  # few clusters have any

    owner, requester = (Principal(*kept[name]) for name in TOKEN_PEOPLE)
    renewers = [Principal(*renewer) for renewer in kept["renewers"]]
    times = (kept[name] for name in TOKEN_TIMES)
    settings.tokens[kept["id"]] = Token(kept["id"], owner, requester, renewers, *times)


def _text(data: bytes) -> str:
    return b64encode(data).decode()


def _scram_users(rows: dict[str, Any]) -> "ScramUsers":
    from fakekafka.security.sasl.credentials import ScramCredential  # most clusters have none

    return {
        user: {one[0]: ScramCredential(one[0], one[1], *map(b64decode, one[2:])) for one in own}
        for user, own in rows.items()
    }


# ---------------------------------------------------------------- changing, while no broker runs


def read_scram(directory: Directory) -> "ScramUsers":
    """The SCRAM users that a directory knows. Raises `UsageError` if no broker of ours has run there."""
    return _scram_users(_state(directory)["settings"]["scram"])


def change_scram(directory: Directory, users: "ScramUsers") -> None:
    """Replace the SCRAM users that a directory knows. Raises `UsageError` as `read_scram` does."""
    state = _state(directory)
    state["settings"]["scram"] = _scram_rows(users)
    directory.replace(CLUSTER_FILE, json.dumps(state, indent=1).encode() + b"\n", private=True)


def _state(directory: Directory) -> dict[str, Any]:
    cluster_file = read_cluster_file(directory)
    if cluster_file is None:
        raise UsageError(f"there is no {CLUSTER_FILE}: start a broker on that directory once, and stop it")
    return cluster_file.state
