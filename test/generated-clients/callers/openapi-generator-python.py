"""Does what certify asks of a caller, with the client that openapi-generator makes for Python."""

import json
import os
import time

import urllib3
import workflow_client
from pydantic import ValidationError
from workflow_client.exceptions import ApiException

given = os.environ
configuration = workflow_client.Configuration(host=given["BASE_URL"])
for scheme in ("apiKey", "serviceAgentsApiKey"):
    configuration.api_key[scheme] = given["WORKFLOW_API_KEY"]
# A start is never sent twice.
configuration.retries = False
client = workflow_client.ApiClient(configuration)
executions = workflow_client.ExecutionsApi(client)
profiles = workflow_client.AgentProfilesApi(client)
pools = workflow_client.AgentProfilePoolsApi(client)

ENDS = ("completed", "failed", "cancelled")
# What a gateway says of a start that may have taken effect.
LOST = (502, 503, 504)


def start():
    body = json.loads(given["CERTIFY_REQUEST"])
    workflow = given["WORKFLOW_ID"]
    if given["CERTIFY_JOB"] == "async":
        return executions.execute(workflow, workflow_client.ExecuteRequest.from_dict(body))
    return executions.execute_sync(workflow, workflow_client.ExecuteSyncRequest.from_dict(body))


def read(execution_id):
    """None where nobody knows; False where there is none."""
    try:
        return executions.get_execution(execution_id)
    except ApiException as error:
        if error.status == 404:
            return False
        if error.status in (400, 401, 403):
            raise
    except (ValidationError, urllib3.exceptions.HTTPError):
        # A state that this client does not know, or half of an answer.
        pass
    return None


def follow(execution_id):
    while True:
        execution = read(execution_id)
        if execution and execution.status.value in ENDS:
            return execution.status.value
        if execution is False:
            raise SystemExit("There is no such execution.")
        time.sleep(0.2)


def run():
    try:
        started = start()
    except ApiException as error:
        if error.status not in LOST:
            raise
        started = None
    except urllib3.exceptions.HTTPError:
        started = None
    if started is None:
        # It may have started: it is looked up before it is started again.
        while (found := read(given["CERTIFY_EXECUTION_ID"])) is None:
            time.sleep(0.2)
        return follow(found.id if found else start().execution_id)
    # A 200 has the end.
    return started.status.value if started.status.value in ENDS else follow(started.execution_id)


if given["CERTIFY_JOB"] == "profile":
    profiles.update_profile(given["PROFILE_ID"], workflow_client.AgentProfileUpdate(description="Looked after."))
    copy = profiles.duplicate_profile(given["PROFILE_ID"])
    pools.delete_pool(given["POOL_ID"])
    print("copied", copy.name)
elif given["CERTIFY_JOB"] == "missing":
    try:
        executions.get_execution(given["CERTIFY_EXECUTION_ID"])
    except ApiException as error:
        print("refused", error.data.code, error.data.message)
else:
    print("ended", run())
