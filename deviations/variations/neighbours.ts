import { keys, profileIds, workflowIds } from '../../reference/fixtures.js';
import type { Service, Variation } from '../variation.js';

/** How somebody else's answers look for a profile that is in use. */
const inUse = (status: number) => Response.json({ code: status, message: 'The profile is in use.' }, { status });

const isUpdate = (request: Request): boolean =>
  request.method === 'PATCH' &&
  request.url.includes(profileIds.profile) &&
  request.headers.get('X-Service-Agents-Api-Key') === keys.full;

/** The profile is in use for two seconds, early in the run. */
const usedFor =
  (status: number): NonNullable<Extract<Variation, { gateway?: unknown }>['gateway']> =>
  (service, clock) => {
    const from = clock.now() + 1200;
    return (request) => {
      const at = clock.now() - from;
      return at > 0 && at < 2000 && isUpdate(request) ? Promise.resolve(inUse(status)) : service(request);
    };
  };

/** Somebody else asks for something every so often, in the same organization. */
const also =
  (everyMs: number, method: string, path: string, body: (n: number) => object) =>
  (service: Service, clock: { now(): number }): Service => {
    let next = clock.now() + everyMs;
    let count = 0;
    const headers = {
      'Content-Type': 'application/json',
      'X-Api-Key': keys.full,
      'X-Service-Agents-Api-Key': keys.full,
    };
    return async (request) => {
      if (clock.now() >= next) {
        next = clock.now() + everyMs;
        count += 1;
        const url = `${new URL(request.url).origin}/agents/v2${path}`;
        await service(new Request(url, { method, headers, body: JSON.stringify(body(count)) }));
      }
      return service(request);
    };
  };

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu'];

/** A note that is like no other: what was put back is one of them. */
function note(n: number): string {
  const name = [...`${n}`].map((digit) => syllables[Number(digit)]).join('');
  return `Signs in at ${name}ham, ${name}ford and ${name}wick`;
}

export const neighbourVariations: readonly Variation[] = [
  ...[400, 409, 423].map(
    (status): Variation => ({
      id: `profile-in-use-${status}`,
      says: `Somebody uses the profile for two seconds; it refuses all updates meanwhile, with ${status}.`,
      gateway: usedFor(status),
    }),
  ),
  {
    id: 'others-describe',
    says: 'Somebody else describes the profile otherwise every 0.7 s.',
    gateway: also(700, 'PATCH', `/agent-profiles/${profileIds.profile}`, (n) => ({ description: note(n) })),
  },
  {
    id: 'others-run',
    says: 'The organization may run six executions at a time, and somebody else starts one every 0.5 s.',
    options: { limits: { concurrency: 6 } },
    gateway: also(500, 'POST', `/workflows/${workflowIds.slow}/execute`, () => ({})),
  },
];
