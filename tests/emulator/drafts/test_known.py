"""Drafts are asked for by name; without a draft no byte differs."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.drafts.known import DRAFTS, parse_drafts
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release
from fakekafka.state.drafts import NO_DRAFTS

RULES = profile(Release.parse("3.9"))


def test_an_unknown_draft_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no draft is called 'KIP-983': one of KIP-984, .*atomic-offset-log"):
        FakeKafka("3.9", drafts=["KIP-983"])


def test_a_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(UsageError, match=r"drafts=\['KIP-984'\]"):
        FakeKafka("3.9", drafts="KIP-984")


def test_a_draft_can_be_asked_for_only_once() -> None:
    with pytest.raises(UsageError, match="KIP-984 is named twice"):
        FakeKafka("3.9", drafts=["KIP-984", "KIP-984:position=9"])


@pytest.mark.parametrize("position", ["7", "12", "x"])
def test_the_bits_of_an_id_fit_into_the_free_attribute_bits(position: str) -> None:
    with pytest.raises(UsageError, match="begin at bit 8 to 11"):
        parse_drafts([f"KIP-984:position={position}"], RULES)


def test_an_unknown_setting_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no setting 'colour=red'; it has position=…"):
        parse_drafts(["KIP-984:colour=red"], RULES)
    with pytest.raises(UsageError, match=r"no setting 'x'; it has none"):
        parse_drafts(["atomic-offset-log:x"], RULES)


def test_a_draft_needs_the_release_that_it_builds_upon() -> None:
    with pytest.raises(UsageError, match=r"KIP-984 needs batches of format 2, which Kafka 0\.10\.2\.2"):
        FakeKafka("0.10.2", drafts=["KIP-984"])
    with (
        FakeKafka("0.11.0", drafts=["KIP-984"]) as kafka,
        pytest.raises(UsageError, match="KIP-984 needs batches of format 2"),
    ):
        kafka.restart("0.10.2")


def test_without_a_name_there_is_no_draft() -> None:
    assert parse_drafts([], RULES) == NO_DRAFTS


@pytest.mark.parametrize("name", [draft.name for draft in DRAFTS])
def test_explain_names_each_draft_that_is_on(name: str) -> None:
    release = "0.10.2" if name == "KIP-31-draft" else "3.9"
    told = [str(difference) for difference in FakeKafka(release, drafts=[name]).explain()]
    assert [line for line in told if f"the draft {name} was asked for" in line] == told[:1]
    assert not any("draft" in str(difference) for difference in FakeKafka("3.9").explain())


@pytest.mark.fake_kafka(release="3.9", drafts=["KIP-984"])
def test_the_marker_takes_drafts(fake_kafka: FakeKafka) -> None:
    assert fake_kafka.plugins.registered() == {}
