import { operationIds } from '../generated/operations.js';
import { pathPrefix } from '../generated/sends.js';
import brings from './brings.json' with { type: 'json' };

const id = (last: string): string => `00000000-0000-4000-8000-${last.padStart(12, '0')}`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** How many rules a declaration adds to those above it in the file, and how many executions they take. */
function worth(name: keyof typeof brings): string {
  const { rules, executions } = brings[name];
  const judged = rules > 0 ? `${counted(rules, 'rule')} more` : 'no additional rules, but more situations';
  return `# ${judged}; ${counted(executions, 'execution')}.`;
}

/** The target file that `init` writes. Lines that begin with `#` and a name or two spaces are settings. */
export const targetTemplate = `# The target file of workflow-contract: where a service is, and what the suite may use there.
# The suite touches only what is named here and what it created itself. What is not named stays untested,
# and the report says so. To declare something, remove the # and enter an id that exists on the service.
# Each declaration says how many more rules it lets the suite judge, and how many executions that takes. Most rules
# need workflows.completes, and then profile: begin with these.

# Where the service is: everything before ${pathPrefix}.
baseUrl: http://127.0.0.1:4010

# false for a stateless mock: rules about state are then not applicable.
#stateful: true

# The most that a run may do to the service: read < execute < write < delete.
# execute starts executions (they may cost money), write duplicates the profile below, delete deletes the pool below.
allow: read

apiKeys:
  # Keys come from environment variables; never write one into this file.
  primary: \${WORKFLOW_API_KEY}
# The primary key is sent as X-Api-Key and as X-Service-Agents-Api-Key. If the second header needs another key:
#  serviceAgents: \${SERVICE_KEY}
#  restricted:
# A valid key without permission for the operations that are listed.
${worth('apiKeys.restricted')}
#    key: \${RESTRICTED_KEY}
#    serviceAgents: \${RESTRICTED_SERVICE_KEY}
#    denied: [${operationIds.join(', ')}]

# Workflows to run, each under the name of what its executions do by themselves. If a run needs inputs (such as a login),
# takes long or costs money, declare it; \`inputs\` are passed to every run of the workflow:
# completes: {id: ${id('1')}, inputs: {user: robot, password: "\${ROBOT}"}, takes: 3m, cost: 0.4}
#workflows:
${worth('workflows.completes')}
#  completes: ${id('1')}
# Completes, but not within one second:
${worth('workflows.slow')}
#  slow: ${id('7')}
# Completes; leaves at least one file:
${worth('workflows.writesFiles')}
#  writesFiles: ${id('9')}
# Completes; has variant_mode enabled:
${worth('workflows.variantMode')}
#  variantMode: ${id('8')}
${worth('workflows.fails')}
#  fails: ${id('2')}
${worth('workflows.cancelled')}
#  cancelled: ${id('3')}
# The next three stop, and hold capacity until somebody resumes or cancels them: see hooks.
${worth('workflows.pauses')}
#  pauses: ${id('4')}
${worth('workflows.pausesByAgent')}
#  pausesByAgent: ${id('5')}
${worth('workflows.awaitsConfirmation')}
#  awaitsConfirmation: ${id('6')}

# It is duplicated, and never updated: what is updated are copies. They stay, because no operation deletes them; later runs
# use them again.
${worth('profile')}
#profile: ${id('b')}

# A profile group that the suite may fill, to test what happens when it is full.
${worth('capacity')}
#capacity:
#  profileGroup: ${id('11')}
# How many profiles it has:
#  size: 1
# A workflow that holds its profile for a while, then completes:
#  workflow: ${id('12')}
# Whether nobody else starts anything in it during a run. Only then a place that is never given back violates a rule:
#  exclusive: true

# A profile group that has a free profile.
${worth('profileGroup')}
#profileGroup: ${id('d')}

# A pool that will be used once, and deleted.
${worth('pool')}
#pool: ${id('e')}

# A disposable profile that every run updates and leaves in a plain state, where copies are not wanted:
#scratchProfile: ${id('b1')}

# Another profile of the same organization, which no request may touch.
#otherProfile: ${id('c')}

# An organization that duplicates may go to.
${worth('otherOrganization')}
#otherOrganization: ${id('f')}

# A version of workflows.completes that exists.
${worth('publishedVersion')}
#publishedVersion: 3

# The hard timeout of the agent that runs workflows.completes (max_timeout_mins).
${worth('agentHardTimeoutMins')}
#agentHardTimeoutMins: 60

# A temp file that is uploaded already and stays there: several starts use it.
${worth('tempFile')}
#tempFile:
#  id: ${id('10')}
#  name: input.csv

# An execution that exists. With allow: read, nothing else can be read.
#execution: ${id('a')}

# Headers that are sent with every request, for instance for a gateway.
#headers: {}

# PEM files of a client certificate, for a gateway that asks for one; paths are relative to this file.
#clientCertificate:
#  certificate: client.pem
#  key: client.key
#  passphrase: \${KEY_PASSPHRASE}

# How fast the suite may go. It also obeys 429 with Retry-After.
#pace:
#  requestsPerSecond: 50
#  concurrency: 8
# How long to wait for a state; by default ten times as long as runs were seen to take:
#  patienceSeconds: 600
# Slack on how long a synchronous call may take:
#  latencyGraceMs: 2000

# The most executions that a run may start. The report says which rules a small budget left untested.
#budget:
#  executions: 32
# How many copies of the profile may exist, those of earlier runs included. Without room for a new one, the rules about
# duplicating are untested.
#  copies: 5
# The most executions that may run at once, to leave capacity to others.
#  places: 3

# Commands for what the interface has no operation for. A shell runs them, with BASE_URL and the ids as environment
# variables. The first two run before, in place of pool and tempFile; the others after, once for each id.
#hooks:
# Prints the id of a new pool:
#  makePool: ./make-pool.sh
# Prints the id and the name of a new temp file:
#  makeTempFile: ./upload.sh input.csv
#  cancelExecution: ./cancel.sh "$EXECUTION_ID"
#  resumeExecution: ./resume.sh "$EXECUTION_ID"
#  deleteCopy: ./delete-profile.sh "$PROFILE_ID"
`;
