"""The order of answers about SCRAM credentials."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.orders.names import WHOLE
from fakekafka.jvm.chains import Chain, texts_through
from fakekafka.wire.apis.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
)
from fakekafka.wire.apis.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
)

CHECKED: Final = (
    {ErrorCode.UNACCEPTABLE_CREDENTIAL, ErrorCode.UNSUPPORTED_SASL_MECHANISM},
    {ErrorCode.DUPLICATE_RESOURCE},
    {ErrorCode.RESOURCE_NOT_FOUND},
)
"""What ZooKeeper brokers check, one after the other, before they change anything."""


def alter_user_scram_credentials(
    request: AlterUserScramCredentialsRequest, response: AlterUserScramCredentialsResponse, call: Call
) -> None:
    """Controllers of KRaft list deletions, then other changes, then refusals; brokers list refusals first. If the whole
    request is refused, users are listed by name.
    """
    rows, maps = response.results, call.profile.admin_orders.altered_users
    deleted, changed = ([each.name for each in some] for some in (request.deletions, request.upsertions))
    if len(rows) < 2:
        return
    if all(row.error_code in WHOLE for row in rows):
        rows.sort(key=lambda row: row.user)
        return
    if call.profile.admin.by_controllers:
        refused = {row.user for row in rows if row.error_code}
        done = [[user for user in users if user not in refused] for users in (deleted, changed)]
        _arrange(rows, [*done, [user for user in (*deleted, *changed) if user in refused]], maps)
    else:
        errors = {row.user: row.error_code for row in rows}
        checked = [[user for user in (*deleted, *changed) if errors[user] in codes] for codes in CHECKED]
        _arrange(rows, [*checked, [user for user in (*changed, *deleted) if not errors[user]]], maps)


def describe_user_scram_credentials(
    request: DescribeUserScramCredentialsRequest, response: DescribeUserScramCredentialsResponse, call: Call
) -> None:
    """Brokers of KRaft put the users into a map of their own."""
    rows = response.results
    if len(rows) > 1 and not response.error_code:
        _arrange(rows, [[row.user for row in rows]], call.profile.admin_orders.described_users)


def _arrange(rows: list[Any], parts: list[list[str]], maps: Chain) -> None:
    """The rows, part by part. The users of each part pass these maps."""
    by_user = {row.user: row for row in rows}
    ordered = dict.fromkeys(user for part in parts for user in texts_through(maps, dict.fromkeys(part)))
    rest = [user for user in by_user if user not in ordered]
    rows[:] = [by_user[user] for user in (*ordered, *rest)]
