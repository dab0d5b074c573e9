from configparser import ConfigParser
from itertools import product
from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka_compat.factors import named_by
from fakekafka_compat.table import default_table, read_table

TABLE = read_table(default_table())


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ("compat-kp147", {"client": ["kp147"]}),
        ("compat-kp147-r23", {"client": ["kp147"], "release": ["2.3"]}),
        ("compat-ck2161-r0102-r43", {"client": ["ck2161"], "release": ["0.10.2", "4.3"]}),
    ],
)
def test_the_name_of_an_environment_says_what_runs(environment: str, wanted: dict[str, list[str]]) -> None:
    assert named_by(environment, TABLE) == wanted


@pytest.mark.parametrize("environment", ["compat-kp1", "compat-kp147-r99", "compat-kp147-23"])
def test_an_unknown_factor_is_refused(environment: str) -> None:
    with pytest.raises(UsageError, match="is neither a client nor a release"):
        named_by(environment, TABLE)


def test_tox_has_an_environment_for_each_client_and_each_of_its_names_is_understood() -> None:
    ini = ConfigParser(interpolation=None)
    ini.read(Path(__file__).parents[2] / "tox.ini")
    (section,) = (name for name in ini.sections() if "--factors" in ini[name].get("commands", ""))
    clients, releases = (part.strip("{}").split(",") for part in section.removeprefix("testenv:compat-").split("}{"))
    assert clients == list(TABLE.clients)
    for client, release in product(clients, releases):
        assert named_by(f"compat-{client}{release}", TABLE)["client"] == [client]
