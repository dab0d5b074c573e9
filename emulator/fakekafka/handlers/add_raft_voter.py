"""AddRaftVoter, key 80: add a voter to the KRaft quorum (KIP-853).

Behaviour: always refused: 35 if the quorum's level is 0, otherwise as for an unreachable controller.
Versions: 0 - 1, both alike.
Not done: quorums that change.
"""

from fakekafka.admin.quorum import Voter, refused_voter
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse


def handle(request: AddRaftVoterRequest, call: Call) -> AddRaftVoterResponse:
    """Refuse the request."""
    voter = Voter(request.voter_id, request.voter_directory_id)
    refused = refused_voter(call.broker.cluster, request.cluster_id, voter)
    return AddRaftVoterResponse(error_code=refused.code, error_message=refused.message)
