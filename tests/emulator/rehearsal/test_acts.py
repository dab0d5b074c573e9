"""Acts that go wrong."""

from pathlib import Path

from fakekafka import FakeKafka
from fakekafka.rehearsal.acts import Stage
from fakekafka.rehearsal.script import read_script


def stage_of(tmp_path: Path, kafka: FakeKafka) -> Stage:
    (tmp_path / "plan.toml").write_text('from = "3.9"\nto = "4.0"', "utf-8")
    return Stage(read_script(tmp_path / "plan.toml"), kafka)


def test_a_loss_during_a_step_breaks_it(tmp_path: Path) -> None:
    with FakeKafka("0.10.2", topics={"t": 1}) as kafka:
        kafka.send("t", b"1")
        stage = stage_of(tmp_path, kafka)
        kafka.delete_topic("t")
        kafka.create_topic("t")
        _, look = stage.step(kafka.upgrade(to="0.11.0")[0], [])
    assert look.broke == ("t-0: 1 record from offset 0 on gone",)


def test_brokers_that_do_not_start_break_a_step_and_end_it(tmp_path: Path) -> None:
    with FakeKafka("3.9", topics={"t": 1}) as kafka:
        stage = stage_of(tmp_path, kafka)
        code, features = kafka.upgrade(to="4.1")
        code.apply()
        features.apply()
        (downgrade,) = kafka.upgrade_along([features.after, code.before], features.after)
        (act,) = stage.step(downgrade, [])
        assert not kafka.is_running
    assert "only supports versions 1-21" in act.broke[0]


def test_a_step_that_the_controller_does_not_take_back_has_no_way_back(tmp_path: Path) -> None:
    with FakeKafka("3.9", topics={"t": 1}) as kafka:
        stage = stage_of(tmp_path, kafka)
        code, features = kafka.upgrade(to="4.1")
        code.apply()
        features.apply()
        (act,) = stage.back(features, [])
    assert act.broke == ()
    assert act.notes[0].startswith("no way back: the controller refuses")
