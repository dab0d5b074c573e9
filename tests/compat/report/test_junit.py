from xml.etree import ElementTree

from fakekafka_compat.report.junit import junit
from fakekafka_spark.observations import Cell, Observation

from tests.compat.report.reports import of, small


def test_each_cell_is_a_testcase_in_the_suite_of_its_client() -> None:
    root = ElementTree.fromstring(junit(small()).encode())
    assert root.attrib == {"name": "Compatibility matrix", "tests": "6", "failures": "1", "errors": "0", "skipped": "2"}
    assert [suite.get("name") for suite in root] == [
        "kp3012 (kafka-python 3.0.12)",
        "ck2161 (confluent-kafka 2.16.1)",
        "own",
    ]
    cases = {(case.get("classname"), case.get("name")): case for case in root.iter("testcase")}
    assert len(cases) == 6
    assert len(cases["kp3012.2_3", "0.9.0/-/gzip/roundtrip"]) == 0
    (failure,) = cases["ck2161.2_3", "-/-/none/roundtrip"]
    assert (failure.tag, failure.get("message")) == ("failure", "version ListOffsets: '1', not '5'")
    assert (failure.text or "").endswith("record 1 is not consumed")


def test_known_differences_and_what_cannot_run_are_skipped_with_the_reason() -> None:
    root = ElementTree.fromstring(junit(small()).encode())
    assert [skipped.get("message") for skipped in root.iter("skipped")] == [
        "known: kafka-python 3.0.12: it <forgets>",
        "there is no Python 3.7 & nothing like it",
    ]


def test_what_xml_cannot_hold_is_shown_by_its_number() -> None:
    row = Observation("cell", value="failed", text="a \x00\x1b[0m word\nand more ]]>")
    root = ElementTree.fromstring(junit(of([(Cell.of("a", "2.3", "", "", "none", "x"), [row])], None)).encode())
    (failure,) = root.iter("failure")
    shown = r"a \x00\x1b[0m word"
    assert (failure.get("message"), failure.text) == (shown, f"{shown}\nand more ]]>")
