import { acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Journey, type Talk, together } from '../journey.js';
import { marked, richBody } from './requests.js';

/** The synchronous starts of a run that completes. They share the profile with `start`, so they come after it. */
export const startSync: Journey = {
  id: 'start-sync',
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start'],
  stateless: true,
  async run(talk) {
    const { profile, workflows } = talk.facts;
    const equal = { ...richBody(talk), timeoutSeconds: 25 };
    const starts: [step: string, body: Fields][] = [
      ['sync-rich', equal],
      ['sync-again', equal],
    ];
    if (talk.has(profile))
      starts.push(['sync-deprecated', { agentProfileId: talk.id(profile), dynamicData: marked(talk).inputs }]);
    for (const [step, body] of starts) await startSyncAndFollow(talk, step, workflows.completes, body);
  },
};

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

async function startSyncAndFollow(talk: Talk, step: string, workflow: string | undefined, body: Fields): Promise<void> {
  const executionId = acceptedExecutionId(
    await talk.start({ step, operation: 'executeSync', id: talk.id(workflow), body }),
  );
  if (executionId !== undefined) await talk.follow(executionId, 'completed');
}
