/** Gateways that lose requests or answers, in the process and on the clock of the test. */
import type { Service } from '../../deviations/index.js';

const page = (status: number) =>
  new Response(`<html><h1>${status}</h1></html>`, { status, headers: { 'Content-Type': 'text/html' } });
const breaks = () => Promise.reject(new Error('The connection broke (ECONNRESET).'));

/** Ways to lose a request before it reaches the service, or its answer after it took effect. */
export const losses = {
  'a page in its place': async () => page(502),
  'a page in place of its answer': async (request, service) => {
    await service(request);
    return page(504);
  },
  'a connection that breaks after it': async (request, service) => {
    await service(request);
    return breaks();
  },
} satisfies Readonly<Record<string, (request: Request, service: Service) => Promise<Response>>>;

/** Loses the first request for which `is` is true. */
export function losingOne(is: (request: Request, body: string) => boolean, how: keyof typeof losses) {
  let lost: string | undefined;
  const gateway =
    (service: Service): Service =>
    async (request) => {
      const body = await request.clone().text();
      if (lost !== undefined || !is(request, body)) return service(request);
      lost = `${request.method} ${new URL(request.url).pathname}`;
      return losses[how](request, service);
    };
  return { gateway, lost: () => lost };
}
