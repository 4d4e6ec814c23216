"""Does what certify asks of a caller, with the client that openapi-python-client makes."""

import json
import os
import time
from uuid import UUID

import httpx
from workflow_client import AuthenticatedClient, models
from workflow_client.api.agent_profile_pools import delete_pool
from workflow_client.api.agent_profiles import duplicate_profile, update_profile
from workflow_client.api.executions import execute, execute_sync, get_execution

given = os.environ


def client_for(header):
    """It takes one key header: each of the two headers of the contract has a client of its own."""
    return AuthenticatedClient(
        base_url=given["BASE_URL"],
        token=given["WORKFLOW_API_KEY"],
        prefix="",
        auth_header_name=header,
        timeout=httpx.Timeout(60),
        raise_on_unexpected_status=True,
    )


starting = client_for("X-Api-Key")
others = client_for("X-Service-Agents-Api-Key")

ENDS = ("completed", "failed", "cancelled")
# What a gateway says of a start that may have taken effect.
LOST = (502, 503, 504)


class Refused(Exception):
    pass


def start():
    """None where nobody knows whether it took effect."""
    body = json.loads(given["CERTIFY_REQUEST"])
    workflow = UUID(given["WORKFLOW_ID"])
    try:
        if given["CERTIFY_JOB"] == "async":
            answer = execute.sync_detailed(workflow, client=starting, body=models.ExecuteRequest.from_dict(body))
        else:
            answer = execute_sync.sync_detailed(
                workflow, client=starting, body=models.ExecuteSyncRequest.from_dict(body)
            )
    except (httpx.TransportError, ValueError):
        return None
    if answer.status_code in LOST:
        return None
    if answer.status_code >= 400:
        raise Refused(f"{answer.status_code} {answer.parsed.message}")
    return answer.parsed


def read(execution_id):
    """None where nobody knows; False where there is none."""
    try:
        answer = get_execution.sync_detailed(execution_id, client=others)
    except (httpx.TransportError, ValueError, TypeError):
        # A state that this client does not know, or half of an answer.
        return None
    except Exception as error:
        if type(error).__name__ == "UnexpectedStatus":
            return None
        raise
    if answer.status_code == 404:
        return False
    if answer.status_code in (400, 401, 403):
        raise Refused(f"{answer.status_code.value} {answer.parsed.message}")
    return answer.parsed if answer.status_code == 200 else None


def follow(execution_id):
    while True:
        execution = read(execution_id)
        if execution and execution.status.value in ENDS:
            return execution.status.value
        if execution is False:
            raise Refused("There is no such execution.")
        time.sleep(0.2)


def run():
    started = start()
    if started is None:
        # It may have started: it is looked up before it is started again.
        while (found := read(UUID(given["CERTIFY_EXECUTION_ID"]))) is None:
            time.sleep(0.2)
        return follow(found.id if found else start().execution_id)
    # A 200 has the end.
    return started.status.value if started.status.value in ENDS else follow(started.execution_id)


if given["CERTIFY_JOB"] == "profile":
    profile = UUID(given["PROFILE_ID"])
    update_profile.sync(profile, client=others, body=models.AgentProfileUpdate(description="Looked after."))
    copy = duplicate_profile.sync(profile, client=others, body=models.DuplicateProfileRequest())
    try:
        delete_pool.sync_detailed(UUID(given["POOL_ID"]), client=others)
    except ValueError:
        # The pool is gone: a success without a body is no JSON to this client.
        pass
    print("copied", copy.name)
elif given["CERTIFY_JOB"] == "missing":
    error = get_execution.sync(UUID(given["CERTIFY_EXECUTION_ID"]), client=others)
    print("refused", error.code.value, error.message)
else:
    print("ended", run())
