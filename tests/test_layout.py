"""The layout: where tests are, how long files may be, and words that the tree does without."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
SOURCES: Final = ROOT / "emulator" / "fakekafka"
TESTS: Final = ROOT / "tests" / "emulator"
CODE: Final = ("emulator", "fixtures", "compat", "pipeline", "demo", "tests")

MAX_LINES: Final = 700
"""No file is longer."""
MAX_USUAL_LINES: Final = 400
"""A longer file says at its top why it is long."""
MAX_FUNCTION_LINES: Final = 40
"""The limit for a function; about ten lines are usual."""
LONG_FUNCTIONS: Final = {
    "connection.py: __init__": "the state of a connection, a line and its meaning each",
    "hot.py": "loops over records, written for speed, as the file says",
    "broker.py: __init__": "the parts of a broker, one line each with what it is",
    "remedies.py: remedy": "one match over everything that can be wrong",
    "blueprint.py: of": "every option of a cluster, each checked or passed on",
    "v2.py: build": "fifteen keyword arguments and what they mean; the work is half of it",
}
"""Longer functions, with the reason, by file, or by file and name."""
TESTED_BY_USERS_LINES: Final = 60
"""A module as short as this may be tested through those that use it."""

TESTED_TOGETHER: Final = {
    "jvm/re2": "jvm/test_re2.py",
    **dict.fromkeys(
        (
            f"bugs/shelf/{part}"
            for part in (
                "compaction",
                "compression",
                "fetch",
                "groups",
                "negotiation",
                "produce",
                "segments",
                "timestamps",
                "transactions",
            )
        ),
        "bugs/test_stories.py",
    ),
    "bugs/signs/journals": "bugs/signs/test_of_journals.py",
    "bugs/signs/directories": "bugs/signs/test_of_directories.py",
    "remote": "remote/test_kafka.py",
    "wire/apis": "wire/test_apis.py",
    "wire/internal": "../test_tables.py",
    "releases/behaviours": "releases/behaviours/test_areas.py",
    "releases/configs": "releases/configs/test_tables.py",
    "releases/history": "releases/history/test_history.py",
    "drafts/kip_984": "drafts/kip_984/test_handle.py",
    "admin": "../golden/test_recordings.py",
    "cluster/topic_creation": "../golden/test_recordings.py",
    "handlers": "../golden/test_recordings.py",
    "handlers/rights": "../golden/test_recordings.py",
}
"""Packages of many similar modules, and the test that goes through all of them."""

TESTED_ELSEWHERE: Final = {
    "bugs/stage.py": "bugs/test_here.py",
    "cluster/broker.py": "test_emulator.py",
    "control/cluster_states.py": "remote/test_kafka.py",
    "control/journal.py": "remote/test_kafka.py",
    "control/operations.py": "control/test_answering.py",
    "control/table.py": "control/test_openapi.py",
    "handle/brokers.py": "runtime/test_assembly.py",
    "handle/clients.py": "test_emulator.py",
    "handle/observation.py": "test_emulator.py",
    "handle/records.py": "watching/test_stored.py",
    "handle/topics.py": "test_emulator.py",
    "plugins/known.py": "plugins/test_kafka_python.py",
    "plugins/remote.py": "cli/test_plugins.py",
    "inspection/small_files.py": "inspection/test_dump.py",
    "log/drafts/minute_index.py": "log/drafts/test_minute_segment.py",
    "log/drafts/wide_index.py": "log/drafts/test_rejected_indexes.py",
    "log/drafts/wide_segment.py": "log/drafts/test_rejected_indexes.py",
    "handlers/forwarding.py": "../statements/test_offset_management.py",
    "records/drafts/first_set.py": "records/append/test_first_sets.py",
    "security/rule_words.py": "security/test_authorizer.py",
    "security/tls.py": "security/test_real_clients.py",
    "handle/waiting.py": "watching/test_waits.py",
    "server/channel.py": "server/test_tcp.py",
    "server/encrypted_channel.py": "security/test_real_clients.py",
    "server/throttling.py": "security/test_quotas.py",
    "settings/tls.py": "security/test_real_clients.py",
    "settings/oauth_server.py": "settings/test_oauth.py",
    "client_tokens.py": "settings/test_oauth.py",
    "security/sasl/jwks.py": "settings/test_oauth.py",
    "security/sasl/signed_tokens.py": "settings/test_oauth.py",
    "security/sasl/mechanism.py": "security/sasl/test_authentication.py",
    "log/findings.py": "log/test_check.py",
    "state/tls_config.py": "../golden/tls/test_manners.py",
    "state/security_config.py": "settings/test_security.py",
    "storage/host.py": "storage/test_log_manager.py",
}

OWN_TESTS: Final = (
    re.compile(r"(^|/)test_(recorded|real_clients|configs|cut_commits|every_error|clients_under_faults|restarts)\.py$"),
    re.compile(r"^(log/drafts/test_rejected_indexes|drafts/kip_984/test_mirrors)\.py$"),
    re.compile(r"^coordinators/groups/offsets/(test_pending_deletion|atomic/test_(mending|two_logs))\.py$"),
    re.compile(r"^log/test_(log_model|crashes|crash_model|flipped_bytes|files_as_on_windows|links)\.py$"),
    re.compile(r"^cli/test_main\.py$"),
    re.compile(r"^control/test_(page_in_a_browser|openapi_by_schemathesis)\.py$"),
    re.compile(r"^test_(calls_of_tests|mixed_clusters|public_names|random_runs)\.py$"),
    re.compile(r"^wire/test_kafka_python\.py$"),
    re.compile(r"^server/test_(fairness|functions_passed|large_fetches|long_requests|processes|event_loops)\.py$"),
    re.compile(r"^handlers/test_(produce_inflation|produce_wakes_fetches|named_again_and_again)\.py$"),
    re.compile(r"^security/test_secrets\.py$"),
    re.compile(r"^cluster/test_unaware_brokers\.py$"),
    re.compile(r"^storage/test_failed_log_dirs\.py$"),
    re.compile(r"^bugs/signs/test_standing_still\.py$"),
    re.compile(r"^remote/test_surfaces\.py$"),
)
"""Tests of something larger than a module."""

UNWANTED: Final = {
    "a name that says nothing": re.compile(r"\b(utils?|helpers?|misc|common)\.py\b"),
    "a note to oneself": re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"),
    "a path of some machine": re.compile(r"(?<![\w.])/(work|home|root|Users)/\w"),
    "a registry's address": re.compile(r"(pypi|files\.pythonhosted|repo1?\.maven|registry\.npmjs)\.(org|com|apache)"),
}


def python_files() -> list[Path]:
    return sorted(
        path
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if not {".tox", ".venv", "node_modules"} & set(path.parts)
    )


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_module_has_its_test_at_the_same_place() -> None:
    missing = []
    for path in SOURCES.rglob("*.py"):
        place = path.relative_to(SOURCES)
        together = TESTED_TOGETHER.get(place.parent.as_posix())
        wanted = TESTS / (TESTED_ELSEWHERE.get(place.as_posix()) or together or place.parent / f"test_{place.name}")
        short = len(path.read_text("utf-8").splitlines()) <= TESTED_BY_USERS_LINES
        if not short and not place.name.startswith("__") and not wanted.exists():
            missing.append(place.as_posix())
    assert sorted(missing) == []


def test_every_test_has_a_module_at_the_same_place() -> None:
    together = set(TESTED_TOGETHER.values())
    lost = []
    for path in TESTS.rglob("test_*.py"):
        place = path.relative_to(TESTS)
        module = SOURCES / place.parent / place.name.removeprefix("test_")
        known = place.as_posix() in together or any(own.search(place.as_posix()) for own in OWN_TESTS)
        if not module.exists() and not module.with_suffix("").is_dir() and not known:
            lost.append(place.as_posix())
    assert lost == []


def test_files_and_functions_are_short() -> None:
    long = []
    for path in python_files():
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        lines = len(text.splitlines())
        says_why = "long" in (ast.get_docstring(tree) or "").lower()
        if lines > MAX_LINES or (lines > MAX_USUAL_LINES and not says_why):
            long.append(f"{name_of(path)}: {lines} lines")
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                known = {path.name, f"{path.name}: {node.name}"} & LONG_FUNCTIONS.keys()
                if lines > MAX_FUNCTION_LINES and not known:
                    long.append(f"{name_of(path)}: {node.name} has {lines} lines")
    assert long == []


def test_every_module_says_what_it_holds() -> None:
    modules = (path for path in python_files() if not path.is_relative_to(ROOT / "tests"))
    trees = {name_of(path): ast.parse(path.read_text("utf-8")) for path in modules}
    assert [name for name, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def texts() -> Iterator[Path]:
    yield from (path for path in python_files() if path != Path(__file__))
    yield from sorted(ROOT.glob("[!.]*.*"))
    yield from sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.md"))


def test_the_tree_does_without_some_words() -> None:
    found = [
        f"{name_of(path)}: {what}: {match.group()}"
        for path in texts()
        if path.is_file()
        for what, words in UNWANTED.items()
        if (match := words.search(f"{path.name}\n{path.read_text('utf-8')}"))
    ]
    assert found == []


def test_no_test_sleeps() -> None:
    sleep = re.compile(r"\b(time|asyncio)\.sleep\((?!0\))")
    tests = (path for path in python_files() if path.is_relative_to(ROOT / "tests") and path != Path(__file__))
    lanes = {"benchmarks", "real_patches", "real_trios", "soak"}
    recorder = "real_stage.py"  # waits for real brokers, and is not a test
    waits = (path for path in tests if path.name != recorder and not lanes & {*path.parts})
    assert [name_of(path) for path in waits if sleep.search(path.read_text("utf-8"))] == []
