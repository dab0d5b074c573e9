"""DescribeConfigs, key 32: the configuration of topics, brokers, groups and client metrics (KIP-133).

Behaviour: each resource is handled separately, but one of an unknown type fails them all (recorded from 1.1.1 to
4.3.1: odd_requests). The values are those in force, with their sources. A broker describes only itself, and under the
name "" what was set for all brokers.
Versions: 0 - 4.
v0: only whether a value is the default. v1: its source; all its synonyms, if asked for (KIP-226).
v3: type, and documentation if asked for (KIP-569): a link instead of the text itself.
Not done: log levels (KIP-412), as there is no log4j here.
"""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from fakekafka.admin.config_view import (
    ConfigEntry,
    broker_entries,
    chosen,
    client_metrics_entries,
    cluster_entries,
    group_entries,
    topic_entries,
)
from fakekafka.admin.resources import (
    ResourceType,
    check_own_id,
    check_own_loggers,
    is_known,
    name_of_type,
)
from fakekafka.aside import aside
from fakekafka.cluster.known_topics import known_topic
from fakekafka.cluster.stored_topics import is_readable
from fakekafka.cluster.topic_creation.topic_names import check_topic_name
from fakekafka.errors import INVALID_REQUEST, ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import TopicName
from fakekafka.pieces import FEW_PER_STEP, Stepwise, in_turn
from fakekafka.state.configs import Source
from fakekafka.wire.apis.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)

NAMELESS: Final = {ResourceType.CLIENT_METRICS: "Client metrics subscription", ResourceType.GROUP: "Group"}
DOCUMENTATION: Final = "https://kafka.apache.org/documentation/"
CHAPTERS: Final[Mapping[int, str]] = {
    ResourceType.TOPIC: "topicconfigs",
    ResourceType.BROKER: "brokerconfigs",
    ResourceType.GROUP: "groupconfigs",
}


@stepwise
def handle(request: DescribeConfigsRequest, call: Call) -> Stepwise[Result]:
    """Describe what can be described."""
    resources = list(request.resources)
    if call.profile.describe_configs.same_resource_twice == "last":
        resources = list({(each.resource_type, each.resource_name): each for each in resources}.values())
    unknown = yield from aside(lambda: _first_unknown(resources, call), len(resources))
    if unknown is not None:
        refused = _unknown_type(unknown.resource_type, unknown.resource_name, call)
        refusals = yield from in_turn(lambda one: _refused(one, refused, call), resources)
        return DescribeConfigsResponse(results=refusals)
    described: dict[tuple[int, str, tuple[str, ...] | None], DescribeConfigsResult] = {}

    def result(one: DescribeConfigsResource) -> DescribeConfigsResult:
        names = one.configuration_keys
        asked = (one.resource_type, one.resource_name, None if names is None else tuple(names))
        if asked not in described:
            described[asked] = _result(one, request, call)
        return described[asked]

    return DescribeConfigsResponse(results=(yield from in_turn(result, resources, FEW_PER_STEP)))


def _first_unknown(resources: Iterable[DescribeConfigsResource], call: Call) -> DescribeConfigsResource | None:
    """The first resource of a type that the release does not know."""
    return next((one for one in resources if not is_known(call.profile, one.resource_type)), None)


def _result(resource: DescribeConfigsResource, request: DescribeConfigsRequest, call: Call) -> DescribeConfigsResult:
    kind, rules, names = resource.resource_type, call.profile.describe_configs, resource.configuration_keys
    result = DescribeConfigsResult(
        error_message=rules.no_message, resource_type=kind, resource_name=resource.resource_name, configs=[]
    )
    if (names is not None and not names and rules.no_names == "everything") or _is_shown_whole(kind, call):
        names = None
    try:
        entries = chosen(_entries(kind, resource.resource_name, call), names, call.profile)
    except ApiError as refused:
        return _refused(resource, refused, call)
    result.configs = [_config(entry, kind, request, call) for entry in entries]
    return result


def _refused(resource: DescribeConfigsResource, refused: ApiError, call: Call) -> DescribeConfigsResult:
    kind, rules = resource.resource_type, call.profile.describe_configs
    called_0 = rules.unknown_type == "called 0" and not is_known(call.profile, kind)
    if called_0 and name_of_type(call.profile, kind) == "UNKNOWN":
        kind = 0
    return DescribeConfigsResult(
        error_code=refused.code,
        error_message=refused.message,
        resource_type=kind,
        resource_name=resource.resource_name,
        configs=[],
    )


def _is_shown_whole(kind: int, call: Call) -> bool:
    """Whether every config is shown. The first releases answer for client metrics with whatever is asked for."""
    return kind == ResourceType.CLIENT_METRICS and call.profile.describe_configs.shows_bare_metrics


def _entries(kind: int, name: str, call: Call) -> list[ConfigEntry]:
    """Every config of a resource. Raises `ApiError`."""
    broker, settings = call.broker, call.broker.cluster.settings
    if kind == ResourceType.TOPIC:
        return _of_topic(name, call)
    if kind == ResourceType.BROKER:
        return _of_broker(name, call)
    if kind == ResourceType.BROKER_LOGGER:
        return _of_loggers(name, call)
    if not name:
        words = NAMELESS[ResourceType(kind)]
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{words} name must not be empty")
    if kind == ResourceType.CLIENT_METRICS:
        return client_metrics_entries(broker, settings.client_metrics.get(name, {}))
    return group_entries(broker, settings.groups.get(name, {}))


def _unknown_type(kind: int, name: str, call: Call) -> ApiError:
    if call.profile.describe_configs.unknown_type == "kept":
        return ApiError(ErrorCode.INVALID_REQUEST, INVALID_REQUEST)
    words = f"Unexpected resource type {name_of_type(call.profile, kind)} for resource {name}"
    return ApiError(ErrorCode.INVALID_REQUEST, words)


def _of_topic(name: TopicName, call: Call) -> list[ConfigEntry]:
    check_topic_name(call.profile, name)
    topic = known_topic(call.broker, name)
    if topic is None and call.profile.describe_configs.unknown_topic is not ErrorCode.NONE:
        rules = call.profile.describe_configs
        raise ApiError(rules.unknown_topic, rules.no_message)
    if topic is not None and not is_readable(topic, call.profile):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    return topic_entries(call.broker, {} if topic is None else topic.overrides)


def _of_broker(name: str, call: Call) -> list[ConfigEntry]:
    if not name and call.profile.describe_configs.cluster_default:
        return cluster_entries(call.broker)
    check_own_id(call.broker, name)
    return broker_entries(call.broker)


def _of_loggers(name: str, call: Call) -> list[ConfigEntry]:
    check_own_loggers(call.broker, name)
    match call.profile.describe_configs.loggers:
        case "none":
            return []
        case "fail" | "unknown":
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR, call.profile.config_words.no_loggers)
        case rule:
            assert_never(rule)


def _config(
    entry: ConfigEntry, kind: int, request: DescribeConfigsRequest, call: Call
) -> DescribeConfigsResourceResult:
    synonyms = entry.synonyms if request.include_synonyms else []
    return DescribeConfigsResourceResult(
        name=entry.name,
        value=entry.value,
        read_only=entry.read_only,
        is_default=_is_default(entry, kind, call),
        config_source=entry.source,
        is_sensitive=entry.sensitive,
        synonyms=[DescribeConfigsSynonym(name=s.name, value=s.value, source=s.source) for s in synonyms],
        config_type=entry.kind,
        documentation=_documentation(entry.name, kind, request, call),
    )


def _is_default(entry: ConfigEntry, kind: int, call: Call) -> bool:
    match call.profile.describe_configs.defaults_shown:
        case "never":
            return False
        case "by source":
            return entry.source is Source.DEFAULT
        case "unless own":
            return entry.source is not Source.TOPIC if kind == ResourceType.TOPIC else entry.source is Source.DEFAULT
        case how:
            assert_never(how)


def _documentation(name: str, kind: int, request: DescribeConfigsRequest, call: Call) -> str | None:
    """Where a config is documented. The texts themselves are Kafka's."""
    if _is_shown_whole(kind, call):
        return ""
    if not request.include_documentation:
        return None
    if kind == ResourceType.TOPIC and call.profile.describe_configs.topic_documentation == "of the broker's":
        kind = ResourceType.BROKER
    if kind == ResourceType.BROKER and name not in call.profile.broker_configs:
        return None
    return f"{DOCUMENTATION}#{CHAPTERS.get(kind, 'clientmetricsconfigs')}_{name}"
