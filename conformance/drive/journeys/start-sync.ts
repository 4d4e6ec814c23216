import { accepted, acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Journey, type Talk, together } from '../journey.js';
import { marked, richBody } from './requests.js';

/** interface: Limits. */
const longest = 25;

/** The synchronous starts of a run that completes. They use the profile and the group of `start`, so they come after it. */
export const startSync: Journey = {
  id: 'start-sync',
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start'],
  stateless: true,
  // One after the other where a profile is shared: it may be in use by one execution at a time.
  run: (talk) => together([withProfile(talk), withoutProfile(talk)]),
};

async function withProfile(talk: Talk): Promise<void> {
  const { profile, workflows } = talk.facts;
  const equal = { ...richBody(talk), timeoutSeconds: longest };
  const starts: [step: string, body: Fields][] = [
    ['sync-rich', equal],
    ['sync-again', equal],
  ];
  if (talk.has(profile))
    starts.push(['sync-deprecated', { agentProfileId: talk.id(profile), dynamicData: marked(talk).inputs }]);
  for (const [step, body] of starts) await startSyncAndFollow(talk, step, workflows.completes, body);
}

/** What the asynchronous starts ask for one by one, all at once: it is the same request body. */
async function withoutProfile(talk: Talk): Promise<void> {
  const { profileGroup, tempFile, workflows } = talk.facts;
  const group = talk.has(profileGroup) ? talk.id(profileGroup) : undefined;
  const asked: Fields = {
    head: true,
    ...(group !== undefined && { profileGroupId: group }),
    ...(tempFile && { tempFiles: [tempFile] }),
    executionOptions: { softTimeoutMins: 1 },
  };
  const begin = (step: string, body: Fields) =>
    startSyncAndFollow(talk, step, workflows.completes, { ...body, ...marked(talk), timeoutSeconds: longest });
  // It may have been refused for any of its fields.
  if (!(await begin('sync-all', asked)))
    for (const field of Object.keys(asked)) await begin(`sync-${field}`, { [field]: asked[field] });
  if (group !== undefined) await begin('sync-deprecated-group', { agentProfilePoolId: group });
}

/** The waits of the synchronous call, on a run that takes more than one second. */
export const syncWaits: Journey = {
  id: 'sync-waits',
  effect: 'execute',
  needs: ['workflows.slow'],
  stateless: true,
  async run(talk) {
    const { slow } = talk.facts.workflows;
    await together([
      startSyncAndFollow(talk, 'sync-one-second', slow, { ...marked(talk), timeoutSeconds: 1 }),
      startSyncAndFollow(talk, 'sync-default', slow, marked(talk)),
    ]);
  },
};

/** Whether it was accepted. */
async function startSyncAndFollow(
  talk: Talk,
  step: string,
  workflow: string | undefined,
  body: Fields,
): Promise<boolean> {
  const started = await talk.start({ step, operation: 'executeSync', id: talk.id(workflow), body });
  const executionId = acceptedExecutionId(started);
  if (executionId !== undefined) await talk.follow(executionId, 'completed');
  return accepted(started);
}
