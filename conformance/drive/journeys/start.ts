import { acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Journey, type Talk, together } from '../journey.js';
import type { Ask } from '../session.js';
import { marked, richBody } from './requests.js';

/** Every way of starting an execution that a conformant service accepts, each followed to its end. */
export const start: Journey = {
  id: 'start',
  effect: 'execute',
  needs: ['workflows.completes'],
  stateless: true,
  // One after the other where a profile is shared: it may be in use by one execution at a time.
  run: (talk) => together([withProfile(talk), withoutProfile(talk), withGroup(talk), withTempFile(talk)]),
};

async function withProfile(talk: Talk): Promise<void> {
  const { profile } = talk.facts;
  const body = richBody(talk);
  const rich = await startAndFollow(talk, 'rich', body);
  if (rich !== undefined) await afterEnd(talk, rich);
  // It may have been refused for any of its fields.
  else
    for (const field of ['version', 'executionOptions'])
      if (body[field] !== undefined) await startAndFollow(talk, field, { [field]: body[field], ...marked(talk) });
  if (talk.has(profile))
    await startAndFollow(talk, 'deprecated-profile', {
      agentProfileId: talk.id(profile),
      dynamicData: marked(talk).inputs,
    });
}

const withoutProfile = (talk: Talk) => startAndFollow(talk, 'head', { head: true, ...marked(talk) });

async function withGroup(talk: Talk): Promise<void> {
  const { profileGroup } = talk.facts;
  if (!talk.has(profileGroup)) return;
  const group = talk.id(profileGroup);
  await startAndFollow(talk, 'group', { profileGroupId: group, ...marked(talk) });
  await startAndFollow(talk, 'deprecated-group', { agentProfilePoolId: group, ...marked(talk) });
}

async function withTempFile(talk: Talk): Promise<void> {
  const { tempFile } = talk.facts;
  if (!tempFile) return;
  await startAndFollow(talk, 'temp-file', { tempFiles: [tempFile], ...marked(talk) });
  // Whether it is refused while there is capacity is left open: either answer is one.
  const body = { tempFiles: [tempFile], onCapacityLimit: 'queue', ...marked(talk) };
  const queued = await talk.send({ ...ask(talk, 'queue-temp-file', body), asks: ['queue-with-temp-files'] });
  const executionId = acceptedExecutionId(queued);
  if (executionId !== undefined) await talk.follow(executionId, 'completed');
}

const ask = (talk: Talk, step: string, body: Fields): Ask & { operation: 'execute' } => ({
  step,
  operation: 'execute',
  id: talk.id(talk.facts.workflows.completes),
  body,
});

/** The id of an execution that was accepted and followed to its end. */
async function startAndFollow(talk: Talk, step: string, body: Fields): Promise<string | undefined> {
  const executionId = acceptedExecutionId(await talk.start(ask(talk, step, body)));
  return executionId !== undefined && (await talk.follow(executionId, 'completed')) ? executionId : undefined;
}

/** Reads on after the end, when nothing may change any more, and lists the files. */
export async function afterEnd(talk: Talk, executionId: string): Promise<void> {
  for (const pauseMs of [0, 150]) {
    await talk.pause(pauseMs);
    await talk.send({ step: 'read-after-end', operation: 'getExecution', id: executionId });
  }
  await talk.send({ step: 'list-after-end', operation: 'listExecutionFiles', id: executionId });
}
