import { accepted, acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Driver, type Journey, together } from '../driver.js';
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
  run: (driver) => together([withProfile(driver), withoutProfile(driver)]),
};

async function withProfile(driver: Driver): Promise<void> {
  const { profile, workflows } = driver.facts;
  const equal = { ...richBody(driver), timeoutSeconds: longest };
  const starts: [step: string, body: Fields][] = [
    ['sync-rich', equal],
    ['sync-again', equal],
  ];
  if (driver.has(profile))
    starts.push(['sync-deprecated', { agentProfileId: driver.id(profile), dynamicData: marked(driver).inputs }]);
  for (const [step, body] of starts) await startSyncAndFollow(driver, step, workflows.completes, body);
}

/** What the asynchronous starts ask for one by one, all at once: it is the same request body. */
async function withoutProfile(driver: Driver): Promise<void> {
  const { profileGroup, tempFile, workflows } = driver.facts;
  const group = driver.has(profileGroup) ? driver.id(profileGroup) : undefined;
  const asked: Fields = {
    head: true,
    ...(group !== undefined && { profileGroupId: group }),
    ...(tempFile && { tempFiles: [tempFile] }),
    executionOptions: { softTimeoutMins: 1 },
  };
  const begin = (step: string, body: Fields) =>
    startSyncAndFollow(driver, step, workflows.completes, { ...body, ...marked(driver), timeoutSeconds: longest });
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
  async run(driver) {
    const { slow } = driver.facts.workflows;
    await together([
      startSyncAndFollow(driver, 'sync-one-second', slow, { ...marked(driver), timeoutSeconds: 1 }),
      startSyncAndFollow(driver, 'sync-default', slow, marked(driver)),
    ]);
  },
};

/** Whether it was accepted. */
async function startSyncAndFollow(
  driver: Driver,
  step: string,
  workflow: string | undefined,
  body: Fields,
): Promise<boolean> {
  const started = await driver.start({ step, operation: 'executeSync', id: driver.id(workflow), body });
  const executionId = acceptedExecutionId(started);
  if (executionId !== undefined) await driver.follow(executionId, 'completed');
  return accepted(started);
}
