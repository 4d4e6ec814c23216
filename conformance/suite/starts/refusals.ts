import type { OperationId } from '../../../generated/operations.js';
import { accepted, type Fields, sent } from '../../engine/outcome/read.js';
import type { Ask } from '../../engine/send/ask.js';
import { type Driver, type Journey, together } from '../driver.js';
import { hardStarts, oddBodies } from '../errors/odd-bodies.js';
import { refusedStarts } from './refused-starts.js';
import { both, marked, richBody } from './requests.js';

/** Requests with one fault each, made from the start that was accepted. */
export const refusals: Journey = {
  id: 'refusals',
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start', 'start-sync'],
  stateless: true,
  async run(driver) {
    const id = driver.id(driver.facts.workflows.completes);
    await together([
      ...both.flatMap((operation) => oddBodies(driver, operation, id)),
      ...both.flatMap((operation) =>
        refusedStarts(driver, operation).map(({ rule, slug, fault, change, raw, alone: isAlone, asks, twins = [] }) => {
          const { twin, body } = baseOf(driver, operation, slug, change);
          return driver.probe(rule, fault, [twin, ...twins], {
            step: `refuse-${operation}-${slug}`,
            operation,
            id,
            ...(raw === undefined
              ? { body: { ...(!isAlone && { ...body, ...wait(operation) }), ...change } }
              : asJson(raw)),
            ...(asks && { asks }),
          });
        }),
      ),
    ]);
    // What is taken though it should be refused may have taken the room of others.
    if (!driver.isShort) await hardStarts(driver, id);
  },
};

/** The accepted start that a refused one is made from, and what it asks for. */
interface Base {
  readonly twin: string;
  readonly body: Fields;
}

/** What was accepted: what the one operation is asked with a profile, the other is asked with a group, and the other way round. */
const bases = {
  execute: ['start/combined', 'start/rich'],
  executeSync: ['start-sync/sync-combined', 'start-sync/sync-all'],
} as const;

/**
 * What is refused beside some fields may be taken beside others: both operations together ask beside all of them, each now
 * beside these, now beside those, as the seed tells; but for those that exclude one which is changed.
 */
function baseOf(driver: Driver, operation: (typeof both)[number], slug: string, change: Fields = {}): Base {
  const [first, other] = bases[operation];
  const isOther = driver.material(`base of ${slug}`).pick([true, false]);
  const marks = marked(driver, `refuse-${operation}-${slug}`);
  for (const twin of isOther ? [other, first] : [first, other]) {
    const [journey = '', step = ''] = twin.split('/');
    const heard = driver.lastAnswer(journey, step);
    if (!heard || !accepted(heard)) continue;
    const { timeoutSeconds: _, ...body } = { ...sent(heard), ...marks } as Fields;
    return { twin, body: withoutExcluded(body, change) };
  }
  const twin = operation === 'execute' ? 'start/rich' : 'start-sync/sync-rich';
  return { twin, body: withoutExcluded(richBody(driver, `refuse-${operation}-${slug}`), change) };
}

/** Fields of which one that is changed leaves no room for another. */
const excluding = [
  ['head', 'version'],
  ['profileId', 'profileGroupId', 'agentProfileId', 'agentProfilePoolId'],
  ['inputs', 'dynamicData'],
] as const;

function withoutExcluded(body: Fields, change: Fields): Fields {
  const excluded = excluding.filter((fields) => fields.some((field) => field in change)).flat();
  // To be queued excludes temp files, whichever of the two is changed.
  const isOfFiles = 'tempFiles' in change;
  const isQueued = change.onCapacityLimit === 'queue';
  return Object.fromEntries(
    Object.entries(body).filter(
      ([field, value]) =>
        !excluded.some((one) => one === field) &&
        !(isQueued && field === 'tempFiles') &&
        !(isOfFiles && field === 'onCapacityLimit' && value === 'queue'),
    ),
  );
}

const wait = (operation: OperationId): Fields => (operation === 'executeSync' ? { timeoutSeconds: 1 } : {});
const asJson = (text: string): Pick<Ask, 'raw'> => ({ raw: { text, type: 'application/json' } });
