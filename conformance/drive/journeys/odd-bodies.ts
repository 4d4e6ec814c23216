import type { GapId } from '../../../generated/rules.js';
import type { Exchange } from '../../vocabulary.js';
import type { Ask } from '../ask.js';
import type { Driver } from '../driver.js';

const json = 'application/json';
/** More than many services take by default, and less than a report keeps whole. */
const large = 'x'.repeat(150_000);

/** Each cannot be taken: whoever takes it in part does nothing either. */
const mistakes = {
  execute: { head: true, version: 1, metadata: { count: 1 }, executionOptions: { softTimeoutMins: 0 } },
  executeSync: { head: true, version: 1, inputs: 'text', timeoutSeconds: 26 },
  updateProfile: { name: '', description: 5, cachePersistence: 'yes' },
  duplicateProfile: { organizationId: 'not-a-uuid' },
} as const;

/** Bodies of which only the refusal is judged, whatever it is given for: several mistakes at once, in several wrappings. */
export function oddBodies(driver: Driver, operation: keyof typeof mistakes, id: string): Promise<Exchange>[] {
  const text = JSON.stringify(mistakes[operation]);
  const odd = (slug: string, body: string, type = json, asks: readonly GapId[] = []): Promise<Exchange> => {
    const raw: Ask['raw'] = { text: body, type };
    return driver.send({
      step: `${slug}-${operation}`,
      operation,
      id,
      raw,
      odd: true,
      ...(asks.length > 0 && { asks }),
    });
  };
  return [
    odd('several-mistakes', text),
    odd('malformed-json', text.slice(0, -1)),
    odd('large', JSON.stringify({ ...mistakes[operation], large })),
    odd('unsupported-media-type', text, 'text/plain', ['unsupported-media-type']),
  ];
}
