import { acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Driver, type Journey, together } from '../driver.js';
import { both, marked } from './requests.js';

/** Fills a profile group, asks for more than it has, and watches the queue empty. */
export const capacity: Journey = {
  id: 'capacity',
  effect: 'execute',
  needs: ['capacity'],
  async run(driver) {
    const { capacity: group, tempFile } = driver.facts;
    if (!group) return;
    const body = (step: string, more: Fields = {}): Fields => ({
      profileGroupId: group.profileGroup,
      ...marked(driver, step),
      ...more,
    });
    const begin = async (step: string, more?: Fields) =>
      acceptedExecutionId(
        await driver.start({ step, operation: 'execute', id: group.workflow, body: body(step, more) }),
      );

    const holding: (string | undefined)[] = [];
    for (let n = 1; n <= group.size; n += 1) holding.push(await begin(`hold-${n}`, { onCapacityLimit: 'reject' }));
    if (holding.includes(undefined)) return follow(driver, holding);
    // In turn: the order of the queue is the order of these two answers.
    const queued = [await ask(driver, 'queue-1', group.workflow, body('queue-1', { onCapacityLimit: 'queue' }))];
    queued.push(await ask(driver, 'queue-2', group.workflow, body('queue-2', { onCapacityLimit: 'queue' })));
    await together([
      follow(driver, [...holding, ...queued]),
      queueSync(
        driver,
        group.workflow,
        body('queue-sync', { onCapacityLimit: 'queue', timeoutSeconds: 1 }),
        group.size + queued.length + 1,
      ),
      ...both.flatMap((operation) => {
        const sync = operation === 'executeSync';
        const wait = sync ? { timeoutSeconds: 1 } : {};
        const name = (step: string) => (sync ? `${step}-sync` : step);
        const over = (step: string, fault: string, more: Fields) =>
          driver.probe('over-capacity-is-rejected', fault, ['capacity/hold-1'], {
            step: name(step),
            operation,
            id: group.workflow,
            body: body(name(step), { ...wait, ...more }),
            asks: ['over-capacity-status'],
            mayBeOverLimit: true,
          });
        return [
          over('over-default', 'every profile of the group in use', {}),
          over('over-reject', 'every profile of the group in use, onCapacityLimit reject', {
            onCapacityLimit: 'reject',
          }),
          ...(tempFile
            ? [
                driver.probe(
                  'temp-files-are-never-queued',
                  'temp files with onCapacityLimit queue, every profile in use',
                  ['capacity/queue-1'],
                  {
                    step: name('queue-temp-file'),
                    operation,
                    id: group.workflow,
                    body: body(name('queue-temp-file'), { ...wait, onCapacityLimit: 'queue', tempFiles: [tempFile] }),
                    asks: ['queue-with-temp-files'],
                    mayBeOverLimit: true,
                  },
                ),
              ]
            : []),
        ];
      }),
    ]);
  },
};

/** A synchronous start is queued as well; its answer comes when its wait is over. */
async function queueSync(driver: Driver, id: string, body: Fields, turns: number): Promise<void> {
  const asked = await driver.send({ step: 'queue-sync', operation: 'executeSync', id, body });
  const executionId = acceptedExecutionId(asked);
  if (executionId !== undefined) await driver.follow(executionId, 'its end', undefined, turns);
}

const ask = async (driver: Driver, step: string, id: string, body: Fields) =>
  acceptedExecutionId(await driver.send({ step, operation: 'execute', id, body }));

/** One after the other has its turn: the more stand before an execution, the longer it may wait. */
const follow = (driver: Driver, executions: readonly (string | undefined)[]): Promise<void> =>
  together(executions.map((id, place) => id !== undefined && driver.follow(id, 'its end', undefined, place + 1)));
