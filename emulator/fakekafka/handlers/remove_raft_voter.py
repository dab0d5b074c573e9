"""RemoveRaftVoter, key 81: remove a voter from the KRaft quorum (KIP-853).

Behaviour: always refused: 35 if the quorum's level is 0, otherwise as for an unknown voter.
Versions: 0.
Not done: quorums that change.
"""

from fakekafka.admin.quorum import Voter, refused_removal
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.remove_raft_voter import RemoveRaftVoterRequest, RemoveRaftVoterResponse


def handle(request: RemoveRaftVoterRequest, call: Call) -> RemoveRaftVoterResponse:
    """Refuse the request."""
    voter = Voter(request.voter_id, request.voter_directory_id)
    refused = refused_removal(call.broker.cluster, request.cluster_id, voter)
    return RemoveRaftVoterResponse(error_code=refused.code, error_message=refused.message)
