"""The settings with which a session starts: a JVM does not start if it is given two collectors."""

import pytest
from fakekafka_spark.session import COLLECTOR, JVM_SETTINGS, SAYS_JVM_OPTIONS, jvm_settings


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*SAYS_JVM_OPTIONS, "SPARK_ENV_LOADED"):
        monkeypatch.delenv(name, raising=False)


def test_a_collector_is_chosen_if_the_user_chose_none() -> None:
    assert all(COLLECTOR in jvm_settings({"spark.driver.memory": "4g"})[name] for name in JVM_SETTINGS)


@pytest.mark.parametrize("name", ["spark.driver.extraJavaOptions", "spark.executor.defaultJavaOptions"])
def test_a_collector_in_the_settings_stays_the_only_one(name: str) -> None:
    assert not any("GC" in jvm_settings({name: "-XX:+UseZGC"})[setting] for setting in JVM_SETTINGS)


@pytest.mark.parametrize("name", SAYS_JVM_OPTIONS)
def test_no_collector_is_chosen_if_the_environment_may_name_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "-XX:+UseSerialGC")
    assert not any("GC" in jvm_settings({})[setting] for setting in JVM_SETTINGS)


def test_a_submitted_job_is_started_as_it_was_submitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_ENV_LOADED", "1")
    assert jvm_settings({}) == {}
