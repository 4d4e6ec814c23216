/** Parts of gateways: pages, waits, random numbers, and requests of others. */
import { pathPrefix } from '../../../generated/sends.js';
import type { Clock } from '../../../reference/clock.js';
import { keys } from '../../../reference/fixtures.js';
import type { Service } from '../../variation.js';

/** An HTML page like that of a gateway. */
export const page = (status: number): Response =>
  new Response(`<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`, {
    status,
    headers: { 'Content-Type': 'text/html' },
  });

export const wait = (clock: Clock, ms: number): Promise<void> =>
  new Promise<void>((resolve) => clock.setTimeout(resolve, ms));

/** From one moment of a run to another, in milliseconds, something else answers. */
export const during =
  (fromMs: number, untilMs: number, answer: () => Response) =>
  (service: Service, clock: Clock): Service => {
    const begin = clock.now();
    return async (request) => {
      const at = clock.now() - begin;
      return at >= fromMs && at < untilMs ? answer() : service(request);
    };
  };

/** The key of a request, in whichever header. */
export const keyOf = ({ headers }: Request): string =>
  headers.get('X-Api-Key') ?? headers.get('X-Service-Agents-Api-Key') ?? '';

/** A sequence of numbers from 0 to 1, the same for each seed. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Sends another request to the service, at the address of this one. */
export const asking = (
  service: Service,
  { url }: Request,
  method: string,
  path: string,
  body: object,
): Promise<Response> =>
  service(
    new Request(`${new URL(url).origin}${pathPrefix}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': keys.full, 'X-Service-Agents-Api-Key': keys.full },
      body: JSON.stringify(body),
    }),
  );
