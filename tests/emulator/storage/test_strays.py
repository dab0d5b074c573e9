"""Directories of partitions that the controller of a KRaft cluster does not know."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart
from fakekafka.log import names

IN_KRAFT_MODE = {"process.roles": "broker,controller"}
MARKED = "0123456789abcdef0123456789abcdef"
SOME_ID = "version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
REFUSED = r"highWatermark=0, lastStableOffset=0, logStartOffset=0, logEndOffset=0\) does not have a topic ID, which is"


def cluster(release: str, at: Path, *strays: str, with_id: tuple[str, ...] = ()) -> FakeKafka:
    """A broker with a topic `t` that was stopped, and these directories beside its partition."""
    kafka = FakeKafka(release, config=IN_KRAFT_MODE, log_dir=at).boot()
    kafka.create_topic("t")
    kafka.stop()
    for name in (*strays, *with_id):
        (at / name).mkdir()
    for name in with_id:
        (at / name / names.PARTITION_METADATA).write_text(SOME_ID)
    return kafka


def directories(at: Path) -> list[str]:
    return sorted(path.name for path in at.iterdir() if path.is_dir())


@pytest.mark.parametrize("release", ["3.0", "3.1", "3.2"])
@pytest.mark.parametrize("name", ["nosuch-0", f"nosuch-0.{MARKED}-future"])
def test_a_stray_without_a_topic_id_ends_kraft_brokers_of_3_0_to_3_2(release: str, name: str, tmp_path: Path) -> None:
    """Asked of 3.0.0, 3.0.2, 3.1.2, 3.2.0 and 3.2.3."""
    kafka = cluster(release, tmp_path, name, with_id=("other-0",))
    with pytest.raises(BrokerWillNotStart, match=f"/{name}, topic=nosuch, partition=0, {REFUSED}"):
        kafka.boot()
    assert directories(tmp_path) == sorted([name, "other-0", "t-0"])


@pytest.mark.parametrize("release", ["2.8.1", "3.3", "3.4", "3.5", "3.6"])
@pytest.mark.parametrize("name", ["nosuch-0", f"nosuch-0.{MARKED}-future"])
def test_a_stray_without_a_topic_id_keeps_all_others_in_other_releases(release: str, name: str, tmp_path: Path) -> None:
    """Asked of 3.3.0, 3.3.2, 3.4.1, 3.5.2 and 3.6.2, which log a fault."""
    cluster(release, tmp_path, name, with_id=("other-0",)).boot().stop()
    assert directories(tmp_path) == sorted([name, "other-0", "t-0"])


@pytest.mark.parametrize("release", ["3.0", "3.2", "3.6"])
def test_a_hosted_partition_without_a_topic_id_gets_it_before_strays_are_looked_for(
    release: str, tmp_path: Path
) -> None:
    """Asked of 3.2.3 and 3.6.2."""
    kafka = cluster(release, tmp_path, with_id=("other-0",))
    (tmp_path / "t-0" / names.PARTITION_METADATA).unlink()
    kafka.boot().stop()
    deleted, hosted = directories(tmp_path)
    assert (deleted[:8], deleted[-7:], hosted) == ("other-0.", "-delete", "t-0")
