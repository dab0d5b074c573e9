"""The file of a rehearsal."""

from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka.rehearsal.script import Script, check_brokers, check_steps, read_script
from fakekafka.releases.phases import before_upgrade, recipe
from fakekafka.releases.release import Release

BASIC = 'from = "0.10.2"\nto = "0.11.0"\n'
CLIENT = '[[clients]]\nname = "a"\ncommand = ["true"]\n'
PHASES = recipe(before_upgrade(Release.parse("0.10.2")), "0.11.0")


def read(tmp_path: Path, text: str) -> Script:
    path = tmp_path / "plan.toml"
    path.write_text(text, "utf-8")
    return read_script(path)


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    script = read(tmp_path, 'to = "2.3"\ndirectory = "logs"\n')
    assert (script.directory, script.start, script.back) == (tmp_path / "logs", None, True)


def test_a_client_is_used_from_one_step_up_to_another(tmp_path: Path) -> None:
    script = read(
        tmp_path,
        BASIC
        + '[[clients]]\nname = "old"\ncommand = ["true"]\nuntil = "clients read format 2"\n'
        + '[[clients]]\nname = "new"\ncommand = ["true"]\nsince = "clients read format 2"\n'
        + '[[clients]]\nname = "ever"\ncommand = ["true"]\n',
    )
    used = [[client.name for client in script.clients_in(PHASES, n)] for n in range(len(PHASES))]
    assert used == [["old", "ever"]] * 3 + [["new", "ever"]] * 2


def test_a_step_that_is_not_on_the_path_is_refused(tmp_path: Path) -> None:
    script = read(tmp_path, BASIC + CLIENT + 'since = "new features"\n')
    with pytest.raises(UsageError, match="no step 'new features'; there are 'old code', 'new code, old format'"):
        check_steps(script, PHASES)


def test_a_kill_happens_in_its_step_and_act_during_its_client(tmp_path: Path) -> None:
    kills = '[[kills]]\nduring = "a"\n[[kills]]\nduring = "a"\nstep = "new format"\nact = "back"\n'
    script = read(tmp_path, BASIC + CLIENT + kills)
    assert [
        len(script.kills_in(*at))
        for at in (
            ("old code", "begin", "a"),
            ("new format", "step", "a"),
            ("new format", "back", "a"),
            ("new format", "back", "b"),
        )
    ] == [1, 1, 2, 0]


def test_a_kill_in_a_step_that_is_not_on_the_path_is_refused(tmp_path: Path) -> None:
    script = read(tmp_path, BASIC + CLIENT + '[[kills]]\nduring = "a"\nstep = "new features"\n')
    with pytest.raises(UsageError, match="a kill during 'a': no step 'new features'; there are 'old code'"):
        check_steps(script, PHASES)


def test_a_kill_of_a_broker_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    script = read(tmp_path, BASIC + CLIENT + '[[kills]]\nduring = "a"\nbroker = 3\n')
    check_brokers(script, [0, 3])
    with pytest.raises(UsageError, match="a kill during 'a': no broker 3; there are 0, 1"):
        check_brokers(script, [1, 0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("to = ", "Invalid value"),
        ('from = "0.10.2"', "'to' is missing"),
        ('to = "2.3"', "name the release to start from"),
        ("from = 2.3\nto = '3.9'", "from is not a text"),
        (BASIC + "back = 1", "back is true or false"),
        (BASIC + "speed = 1", "no key 'speed'; there are back, brokers, clients"),
        (BASIC + 'directory = "x"\ntopics = {a = 1}', "topics and brokers are for those without a directory"),
        (BASIC + 'topics = {a = "1"}', "numbers of partitions"),
        (BASIC + "clients = 1", "not iterable"),
        (BASIC + CLIENT + CLIENT, "two clients have the same name"),
        (BASIC + CLIENT + "timeout_s = 0", "timeout_s must be above 0"),
        (BASIC + CLIENT + "color = 'red'", "client 0: no key 'color'"),
        (BASIC + "[[clients]]\ncommand = 'true'", "command is a list of words"),
        (BASIC + "[[clients]]\nname = 'a'", "'command' is missing"),
        (BASIC + "[[clients]]\ncommand = ['a', '{bootstrap}']", "no placeholder {bootstrap}; there are {"),
        (BASIC + "brokers = 0", "brokers is a whole number, 1 or more"),
        (BASIC + CLIENT + "[[kills]]\napi = 'Produce'", "'during' is missing"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'b'", "kill 0: no client 'b'; there are a"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'a'\napi = 'Prodcue'", "no API 'Prodcue': did you mean Produce"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'a'\nafter = 0", "kill 0: after is a whole number, 1 or more"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'a'\nbroker = -1", "kill 0: broker is a whole number, 0 or more"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'a'\nact = 'load'", "kill 0: act is one of begin, step, back, forward"),
        (BASIC + CLIENT + "[[kills]]\nduring = 'a'\nclean = true", "kill 0: no key 'clean'; there are act, after"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_a_rehearsal_is_refused_with_the_reason(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(tmp_path, text)
    assert words in str(refused.value)


def test_a_file_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_script(tmp_path / "plan.toml")
