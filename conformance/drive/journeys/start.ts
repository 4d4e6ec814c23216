import type { GapId } from '../../../generated/rules.js';
import { acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Journey, type Talk, together } from '../journey.js';
import { marked, richBody } from './requests.js';

/** Every way of starting an execution that a conformant service accepts, each followed to its end. */
export const start: Journey = {
  id: 'start',
  effect: 'execute',
  needs: ['workflows.completes'],
  stateless: true,
  async run(talk) {
    const { profile, profileGroup, tempFile } = talk.facts;
    const inTurn = async (...starts: [step: string, body: Fields, asks?: GapId[]][]) => {
      for (const [step, body, asks] of starts) await startAndFollow(talk, step, body, asks);
    };
    // One after the other where a profile is shared: it may be in use by one execution at a time.
    await together([
      inTurn(
        ['rich', richBody(talk)],
        ...(talk.has(profile)
          ? (
              [['deprecated-profile', { agentProfileId: talk.id(profile), dynamicData: marked(talk).inputs }]] as const
            ).map(([step, body]): [string, Fields] => [step, body])
          : []),
      ),
      inTurn(['head', { head: true, ...marked(talk) }]),
      ...(talk.has(profileGroup)
        ? [
            inTurn(
              ['group', { profileGroupId: talk.id(profileGroup), ...marked(talk) }],
              ['deprecated-group', { agentProfilePoolId: talk.id(profileGroup), ...marked(talk) }],
            ),
          ]
        : []),
      ...(tempFile
        ? [
            inTurn(
              ['temp-file', { tempFiles: [tempFile], ...marked(talk) }],
              [
                'queue-temp-file',
                { tempFiles: [tempFile], onCapacityLimit: 'queue', ...marked(talk) },
                ['queue-with-temp-files'],
              ],
            ),
          ]
        : []),
    ]);
  },
};

async function startAndFollow(talk: Talk, step: string, body: Fields, asks: GapId[] = []): Promise<void> {
  const id = talk.id(talk.facts.workflows.completes);
  const answer = await talk.start({ step, operation: 'execute', id, body, asks });
  const executionId = acceptedExecutionId(answer);
  if (executionId === undefined || !(await talk.follow(executionId, 'completed'))) return;
  if (step === 'rich') await afterEnd(talk, executionId);
}

/** Reads on after the end, when nothing may change any more, and lists the files. */
export async function afterEnd(talk: Talk, executionId: string): Promise<void> {
  for (const pauseMs of [0, 150]) {
    await talk.pause(pauseMs);
    await talk.send({ step: 'read-after-end', operation: 'getExecution', id: executionId });
  }
  await talk.send({ step: 'list', operation: 'listExecutionFiles', id: executionId });
}
