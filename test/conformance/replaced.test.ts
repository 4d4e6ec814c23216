import { expect, it } from 'vitest';
import { runCase } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';

type Service = (request: Request) => Promise<Response>;

/** One of four instances has answers of its own to such requests. */
const oneOfFour =
  (isItsOwn: (request: Request) => boolean, change: (answer: Response) => Promise<Response>) =>
  (service: Service): Service => {
    let count = 0;
    return async (request) => {
      const answer = await service(request);
      count += isItsOwn(request) ? 1 : 0;
      return isItsOwn(request) && count % 4 === 0 ? change(answer) : answer;
    };
  };
const reads = ({ method, url }: Request) => method === 'GET' && /executions\/[^/]+$/.test(url);
const page = async () => new Response('<html>Hello</html>', { headers: { 'Content-Type': 'text/html' } });
const violated = async (gateway: (service: Service) => Service) => {
  const { rules, remarks } = await checkInProcess({ gateway, latencyMs: 20 });
  return { rules: rules.filter(({ verdict }) => verdict === 'violated'), remarks };
};

it('an instance with its own error pages violates the contract, although each repeated request gets a proper answer', async () => {
  const { rules } = await violated(oneOfFour(reads, page));
  // A malformed id may be answered with such a page too.
  const ids = rules.map(({ id }) => id).filter((id) => id !== 'malformed-id-is-refused');
  expect(ids).toEqual(['responses-are-json', 'response-matches-schema']);
  const { count = 0 } = rules[0]?.violations[0] ?? {};
  const { observations = 0 } = rules[0]?.operations.getExecution ?? {};
  expect(count / observations).toBeGreaterThan(0.15);
  expect(count / observations).toBeLessThan(0.3);
});

it('the same pages on every operation come from a gateway, and a note counts them', async () => {
  const { rules, remarks } = await violated(oneOfFour(() => true, page));
  expect(rules).toEqual([]);
  expect(remarks.join('\n')).toMatch(
    /\d+ of \d+ answers of \d operations were outside the contract \(200, the first is/,
  );
});

it('an instance that does not find a profile at times violates the rule on updates, with how often', async () => {
  const notFound = async () => Response.json({ code: 404, message: 'The profile was not found.' }, { status: 404 });
  const { rules, remarks } = await violated(oneOfFour(({ method }) => method === 'PATCH', notFound));
  expect(rules.map(({ id }) => id)).toContain('update-applies');
  expect(remarks.join('\n')).toMatch(/\d+ of \d+ answers of updateProfile were not found, though it was there before/);
});

it('a service whose ended executions are gone is judged after a disturbance, and not called unreachable', async () => {
  const { unusable, rules } = await runCase({ fault: 'ended-executions-are-gone', behind: 'page-of-maintenance' });
  expect(unusable).toBeUndefined();
  expect(rules.find(({ id }) => id === 'accepted-execution-is-readable')?.verdict).toBe('violated');
});
