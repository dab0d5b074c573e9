from fakekafka_compat.report.markdown import markdown
from fakekafka_compat.report.spark_verdicts import Disagreement, SparkVerdicts

from tests.compat.report.reports import large, small


def test_the_summary_is_a_matrix_of_signs_and_a_list_of_differences() -> None:
    spark = SparkVerdicts({"ok": 4, "differs": 2}, 18, {}, [Disagreement("a/b", "differs", "ok")])
    text = markdown(small(spark))
    assert text.splitlines()[:9] == [
        "# Compatibility matrix",
        "",
        "6 cells, run on 21 November 2026: 3 as the real broker, 1 differs, 1 known difference, 1 not runnable here.",
        "",
        "| client | 0.10.2 | 2.3 | 4.3 |",
        "| --- | --- | --- | --- |",
        "| kp3012 | ✓ r1 | ✓ z1 c1 | ! z1 |",
        "| ck2161 |  | ✗ z1 |  |",
        "| own |  | – 1 |  |",
    ]
    assert "- `ck2161/2.3/-/-/none/roundtrip`: version ListOffsets: '1', not '5'; record 1 is not consumed\n" in text
    assert "(kafka-python 3.0.12: it \\<forgets\\>)" in text
    assert "- 1 × there is no Python 3.7 & nothing like it" in text
    assert "2 differs, 4 ok; 18 records." in text
    assert "- `a/b`: differs here, ok by Spark" in text


def test_the_summary_stays_within_the_size_limit() -> None:
    report = large(5500)
    text = markdown(report)
    assert report.count("differs") > 50
    assert f"- and {report.count('differs') - 50} more\n" in text
    assert len(text) < 20_000
