import { operationIds } from '../generated/operations.js';

/** The target file that `init` writes. Lines that begin with `#` and a name or a space before one are settings. */
export const targetTemplate = `# The target file of workflow-contract: where a service is, and what the suite may use there.
# The suite touches only what is named here and what it created itself. What is not named stays untested,
# and the report says so. To declare something, take the # away and put in an id that exists on the service.

# Where the service is: everything before /agents/v2.
baseUrl: http://127.0.0.1:4010

# false for a stateless mock: rules about state are then not applicable.
#stateful: true

# The most that a run may do to the service: read < execute < write < delete.
# execute starts executions (they may cost money), write changes the profile below, delete deletes the pool below.
allow: read

apiKeys:
  # Keys come from environment variables; never write one into this file.
  primary: \${WORKFLOW_API_KEY}
# The primary key is sent as X-Api-Key and as X-Service-Agents-Api-Key. If the second header needs another key:
#  serviceAgents: \${SERVICE_KEY}
#  restricted:
# A valid key without permission for the operations that are listed.
#    key: \${RESTRICTED_KEY}
#    serviceAgents: \${RESTRICTED_SERVICE_KEY}
#    denied: [${operationIds.join(', ')}]

# Headers that are sent with every request, for instance for a gateway.
#headers: {}

# PEM files of a client certificate, for a gateway that asks for one; paths are relative to this file.
#clientCertificate:
#  certificate: client.pem
#  key: client.key
#  passphrase: \${KEY_PASSPHRASE}

# Workflows to run, each under the name of what its executions do by themselves.
#workflows:
#  completes: 00000000-0000-4000-8000-000000000001
#  fails: 00000000-0000-4000-8000-000000000002
#  cancelled: 00000000-0000-4000-8000-000000000003
#  pauses: 00000000-0000-4000-8000-000000000004
#  pausesByAgent: 00000000-0000-4000-8000-000000000005
#  awaitsConfirmation: 00000000-0000-4000-8000-000000000006
# Completes, but not within one second:
#  slow: 00000000-0000-4000-8000-000000000007
# Completes; has variant_mode enabled:
#  variantMode: 00000000-0000-4000-8000-000000000008
# Completes; leaves at least one file:
#  writesFiles: 00000000-0000-4000-8000-000000000009

# A version of workflows.completes that exists.
#publishedVersion: 3

# An execution that exists. With allow: read, nothing else can be read.
#execution: 00000000-0000-4000-8000-00000000000a

# May be updated (and is restored) and duplicated. Duplicates stay: the interface cannot delete them.
#profile: 00000000-0000-4000-8000-00000000000b

# Another profile of the same organization.
#otherProfile: 00000000-0000-4000-8000-00000000000c

# A profile group that has a free profile.
#profileGroup: 00000000-0000-4000-8000-00000000000d

# A pool that will be used once, and deleted.
#pool: 00000000-0000-4000-8000-00000000000e

# An organization that duplicates may go to.
#otherOrganization: 00000000-0000-4000-8000-00000000000f

# A temp file that is uploaded already and stays there: several starts use it.
#tempFile:
#  id: 00000000-0000-4000-8000-000000000010
#  name: input.csv

# The hard timeout of the agent that runs the workflows (max_timeout_mins).
#agentHardTimeoutMins: 60

# A profile group that the suite may fill, to test what happens when it is full.
#capacity:
#  profileGroup: 00000000-0000-4000-8000-000000000011
# How many profiles it has:
#  size: 1
# A workflow that holds its profile for a while, then completes:
#  workflow: 00000000-0000-4000-8000-000000000012

# How fast the suite may go. It also obeys 429 with Retry-After.
#pace:
#  requestsPerSecond: 50
#  concurrency: 8
# How long to wait for a state:
#  patienceSeconds: 60
# Slack on how long a synchronous call may take:
#  latencyGraceMs: 2000

# The most executions that a run may start. The report says which rules a small budget left untested.
#budget:
#  executions: 60
# The most copies of the profile that a run may make. They stay behind. The journeys make up to 7, sequences (--explore)
# more. Beyond the limit, copies of earlier runs are used again.
#  copies: 10
`;
