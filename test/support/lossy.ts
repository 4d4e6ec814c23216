/** Gateways that lose requests or answers, in the process and on the clock of the test. */
import { seeded } from '../../conformance/engine/send/seeded.js';
import type { Service } from '../../deviations/index.js';

const page = (status: number) =>
  new Response(`<html><h1>${status}</h1></html>`, { status, headers: { 'Content-Type': 'text/html' } });
const breaks = () => Promise.reject(new Error('The connection broke (ECONNRESET).'));

/** Ways to lose a request before it reaches the service, or its answer after it took effect. */
export const losses = {
  'a page in its place': async () => page(502),
  'a firewall': async () => page(403),
  'a connection that breaks before it': breaks,
  'a page in place of its answer': async (request, service) => {
    await service(request);
    return page(504);
  },
  'a connection that breaks after it': async (request, service) => {
    await service(request);
    return breaks();
  },
} satisfies Readonly<Record<string, (request: Request, service: Service) => Promise<Response>>>;

/** Loses the first request for which `is` is true. `place` counts from 1. */
export function losingOne(
  is: (request: Request, sent: { readonly place: number; readonly body: string }) => boolean,
  how: keyof typeof losses,
) {
  let sent = 0;
  let lost: string | undefined;
  const gateway =
    (service: Service): Service =>
    async (request) => {
      sent += 1;
      const place = sent;
      const body = await request.clone().text();
      if (lost !== undefined || !is(request, { place, body })) return service(request);
      lost = `${request.method} ${new URL(request.url).pathname}`;
      return losses[how](request, service);
    };
  return { gateway, lost: () => lost };
}

/** Loses this many of a hundred requests, in varying ways. */
export function losingSome(ofHundred: number, seed: number) {
  const random = seeded(seed);
  const ways = Object.values(losses);
  return (service: Service): Service =>
    async (request) => {
      const way = random() * 100 < ofHundred ? ways[Math.floor(random() * ways.length)] : undefined;
      return way ? way(request, service) : service(request);
    };
}
