"""`fakekafka plugins`: the document's tool, against a broker with sockets."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.cli import main

THE_DOCUMENTS_EXAMPLE = """
{ "plugin-java-topic": {
  "pluginID":1
  "pluginAlias":"snappyPlugin"
  "pluginClassName":"Java.classname"
  "pluginVersion": "v1.0"
}
  "plugin-python-topic": {
  "pluginID":1
  "pluginAlias":"snappyPlugin"
  "pluginClassName":"python.classname"
  "pluginVersion": "v1.0"
} }
"""


@pytest.fixture(params=["0.11.0", "2.3", "3.9", "4.3"])
def cluster(request: pytest.FixtureRequest) -> Iterator[FakeKafka]:
    with FakeKafka(request.param, drafts=["KIP-984"], brokers=2) as kafka:
        yield kafka


def tool(kafka: FakeKafka, *arguments: str) -> int:
    return main(["plugins", *arguments, "--bootstrap-server", kafka.bootstrap_servers])


@pytest.mark.statement("S3-10", "S3-11")
def test_the_documents_example_is_registered_from_a_file(
    cluster: FakeKafka, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plugins.json").write_text(THE_DOCUMENTS_EXAMPLE)
    assert tool(cluster, "register", str(tmp_path / "plugins.json")) == 0
    printed = capsys.readouterr()
    assert printed.out == "snappyPlugin is plug-in 1, registered for java, python\n"
    assert printed.err.endswith("7 missing commas were added\n")
    (record,) = cluster.records("plugin-java-topic")
    assert record.key == b"snappyPlugin"
    value = json.loads(record.value or b"")
    assert [value[name] for name in ("pluginID", "pluginAlias", "pluginClassName", "pluginVersion")] == [
        1,
        "snappyPlugin",
        "Java.classname",
        "v1.0",
    ]
    (record,) = cluster.records("plugin-python-topic")
    value = json.loads(record.value or b"")
    names = ("pluginID", "pluginAlias", "pluginClassName", "pluginVersion")
    assert (record.key, [value[name] for name in names]) == (
        b"snappyPlugin",
        [1, "snappyPlugin", "python.classname", "v1.0"],
    )
    cluster.compact("plugin-java-topic", roll=True)
    assert tool(cluster, "list") == 0
    assert capsys.readouterr().out.splitlines() == [
        " 1 snappyPlugin java Java.classname v1.0",
        " 1 snappyPlugin python python.classname v1.0",
    ]


@pytest.mark.statement("S3-10", "S3-7")
def test_the_tool_asks_for_each_plugin(
    cluster: FakeKafka, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["snappyPlugin", "a.B", "c.d", "go", "e/f", "", "v3", "lzmaPlugin", "a.C", "c.e", "go", "e/g", "", "", ""]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    assert tool(cluster, "register") == 0
    assert capsys.readouterr().out.splitlines() == [
        "snappyPlugin is plug-in 1, registered for go, java, python",
        "lzmaPlugin is plug-in 2, registered for go, java, python",
    ]
    found = cluster.plugins.registered()
    assert [found[language]["snappyPlugin"][2:4] for language in ("go", "java")] == [("e/f", "v3"), ("a.B", "v3")]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"pluginAlias": "x", "pluginClassName": {"python": "p"}}', "name its Java class, too"),
        ('{"pluginAlias": "x", "pluginClassName": {"java": 1}}', "pluginClassName is a text"),
        ('{"pluginAlias": "x", "pluginID": "1"}', "pluginID is a number"),
        ('{"pluginAlias": "x", "pluginID": 16}', "does not fit into four bits"),
        ('{"plugin-java-topic": {"pluginAlias": "x", "pluginID": 3}, "plugin-go-topic": {"pluginAlias": "x"}}', "same"),
        ("{", "this is not JSON"),
        ("[1]", "write a plug-in as a JSON object"),
    ],
)
def test_a_file_that_breaks_the_rules_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, complaint: str
) -> None:
    (tmp_path / "plugins.json").write_text(content)
    with FakeKafka("3.9", drafts=["KIP-984"]) as kafka:
        assert tool(kafka, "register", str(tmp_path / "plugins.json")) == 2
        assert kafka.topics() == {}
    assert complaint in capsys.readouterr().err


def test_an_unreachable_cluster_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugins", "list", "--bootstrap-server", "127.0.0.1:1"]) == 2
    assert "no answer from 127.0.0.1:1" in capsys.readouterr().err
