/** What stands before a service, or befalls it, for a whole run. */
import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { conclude } from '../../conformance/engine/rule/conclude.js';
import { mostExecutions } from '../../conformance/engine/settings/needs.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { isFields } from '../../deviations/change.js';
import { createReference, type Deviation, type Service, variations } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import type { VirtualClock } from '../../proof/virtual-clock.js';
import { Refusal } from '../../reference/errors.js';
import { keys } from '../../reference/index.js';
import { isHeldBack } from '../support/usual-run.js';

const { target } = createReference();
const isStart = ({ url }: Request) => /\/execute(\/sync)?$/.test(url);
const isCopying = ({ url }: Request) => url.endsWith('/duplicate');
const page = (status: number, headers: Record<string, string> = {}) =>
  new Response(`<html><h1>${status}</h1></html>`, { status, headers: { 'Content-Type': 'text/html', ...headers } });
const error = (code: number, message: string) => Response.json({ code, message }, { status: code });
const of = ({ rules }: Run, wanted: string) =>
  rules.flatMap(({ id, verdict, why }) => (verdict === wanted ? `${id}: ${why}` : []));

/** What only repeats is sent as well. */
const everything = { target: toTarget({ ...target, budget: { executions: 60 } }) };

/** Counts what the service made, whether or not anybody heard of it. */
function counting(is: (request: Request) => boolean) {
  const made: string[] = [];
  const counted =
    (service: Service): Service =>
    async (request) => {
      const response = await service(request);
      const told = is(request) && response.ok ? ((await response.clone().json()) as Record<string, string>) : {};
      const id = told.executionId ?? told.id;
      if (id !== undefined) made.push(id);
      return response;
    };
  return { made, counted };
}

const losing: Readonly<Record<string, () => Promise<Response>>> = {
  'a page of its gateway': async () => page(504),
  'a timeout in the words of the contract': async () => error(504, 'Timed out.'),
  'a request timeout': async () => page(408),
  'a connection that ends': () => Promise.reject(new Error('The connection broke (ECONNRESET).')),
  'no answer at all': () => new Promise(() => {}),
  'a 2xx without a body': async () => new Response(null, { status: 202 }),
};

test.for([
  ['start', isStart, 'executions', 'execution'],
  ['duplication', isCopying, 'copies', 'profile'],
] as const)(
  'no more is made than the budget allows where the answer to each %s is lost, and all of it is told of',
  async ([, is, budget, kind]) => {
    for (const [what, lose] of Object.entries(losing)) {
      const { made, counted } = counting(is);
      const run = await checkInProcess({
        gateway: (service) => async (request) => {
          const response = await counted(service)(request);
          return is(request) && response.ok ? lose() : response;
        },
      });
      expect(made.length, what).toBeGreaterThan(1);
      expect(made.length, what).toBeLessThanOrEqual(toTarget(target).facts.budget[budget] ?? mostExecutions);
      const unknown = run.leftBehind.filter((one) => one.kind === kind && one.id.startsWith('unknown'));
      expect(unknown.length, what).toBeGreaterThanOrEqual(made.length);
      // Nor is a service conformant of which nobody heard what it was asked for.
      expect(conclude(run, { today: '2026-01-01' }).exitCode, what).toBeOneOf([1, 3, 4]);
    }
  },
);

test.each(['execute', 'updateProfile', 'listExecutionFiles'])(
  'where every %s is redirected the report says so, and calls nothing of it broken',
  async (operation) => {
    const path = { execute: /\/execute$/, updateProfile: /agent-profiles\/[^/]+$/, listExecutionFiles: /\/files$/ };
    const run = await checkInProcess({
      gateway: (service) => async (request) =>
        path[operation as keyof typeof path].test(request.url)
          ? page(308, { Location: `${request.url}/` })
          : service(request),
    });
    expect(of(run, 'violated')).toEqual([]);
    expect(run.remarks.join('\n')).toContain(`Every ${operation} was redirected (308) to http`);
    expect(conclude(run, { today: '2026-01-01' })).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
  },
);

test.each([
  ['401 by the service', () => error(401, 'The key is not known.')],
  ['401 in other words', () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
  ['402', () => error(402, 'Pay first.')],
  ['403', () => error(403, 'The quota of today is used up.')],
])('a key that is refused from the middle of a run on ends it soon, and breaks no rule: %s', async (_, refuse) => {
  let from: number | undefined;
  const run = await checkInProcess({
    speed: 0.3,
    gateway: (service, clock) => {
      from ??= clock.now() + 1500;
      return async (request) => (clock.now() > (from ?? 0) ? refuse() : service(request));
    },
  });
  expect(run.preflight).toMatchObject({ usable: false, reason: expect.stringMatching(/The key was good before/) });
  expect(of(run, 'violated')).toEqual([]);
  // Once for the service to come back, and once to put the profile back.
  expect(run.durationMs).toBeLessThan(120_000);
});

test('where no new connection comes about for some seconds, what goes over one waits, and nothing is left in doubt', async () => {
  let refused = 0;
  const run = await checkInProcess({ speed: 0.3 }, {}, (service, clock) => {
    const from = clock.now() + 1500;
    return async (request) => {
      const isAway = clock.now() > from && clock.now() < from + 5000;
      if (!request.newConnection || !isAway) return service(request);
      refused += 1;
      throw new TransportError('unreachable', 'The host name does not resolve (EAI_AGAIN).');
    };
  });
  expect(refused).toBeGreaterThan(2);
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

const foundLater =
  (made: (request: Request) => boolean, path: RegExp, ms: number) =>
  (service: Service, clock: Pick<VirtualClock, 'now'>): Service => {
    const since = new Map<string, number>();
    return async (request) => {
      const [, id = ''] = path.exec(request.url) ?? [];
      if (clock.now() - (since.get(id) ?? 0) < ms) return error(404, 'The execution was not found.');
      const response = await service(request);
      if (made(request) && response.ok)
        since.set(((await response.clone().json()) as { executionId: string }).executionId, clock.now());
      return response;
    };
  };

test('files that a replica finds most of a second after the start are no broken rule', async () => {
  const run = await checkInProcess({ speed: 0.3, gateway: foundLater(isStart, /executions\/([^/]+)\/files/, 800) });
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

test.each([
  ['is answered like the first', () => new Response(null, { status: 204 })],
  ['is told that it lasts', () => error(409, 'It is being deleted.')],
])('a deletion that takes a moment, in which a second one %s, is no broken rule', async (_, meanwhile) => {
  const run = await checkInProcess({
    gateway: (service, clock) => {
      let deletedAt = Number.NEGATIVE_INFINITY;
      return async (request) => {
        const isAllowed = request.headers.get('x-service-agents-api-key') === keys.full;
        if (request.method === 'DELETE' && isAllowed && clock.now() - deletedAt < 1500) return meanwhile();
        const response = await service(request);
        if (request.method === 'DELETE' && response.ok) deletedAt = clock.now();
        return response;
      };
    },
  });
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

test.each([
  ['set forward', 'clock-is-set'],
  ['set back', 'clock-is-set-back'],
  ['several', 'clocks-far-apart'],
])('the clock of a service that is %s in the middle of a run breaks no rule, and the report tells', async (_, id) => {
  const faults = variations.filter((one) => one.id === id && 'behaviour' in one) as Deviation[];
  const run = await checkInProcess({ faults });
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
  expect(run.remarks.join('\n')).toMatch(/The clock of the service was changed .* 30 s apart/);
});

test('of a service as any other the report only remarks what was not started', async () => {
  expect((await checkInProcess({})).remarks.map(isHeldBack)).toEqual([true]);
});

test('where each update needs a description, the report tells which was refused, and breaks no rule', async () => {
  const isFull = (body: unknown) => JSON.stringify(body)?.includes('"description"');
  const needsAll: Deviation = {
    id: 'test-only',
    says: 'An update without a description is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        operation === 'updateProfile' && !isFull(body)
          ? [{ kind: 'value', parameter: 'description', detail: 'is required' }]
          : base.violations(operation, body),
    }),
  };
  const run = await checkInProcess({ faults: [needsAll] });
  expect(of(run, 'violated')).toEqual([]);
  expect(of(run, 'inconclusive').join('\n')).toContain(
    'is refused; one with only name got 400. It may lack a required field',
  );
});

const blockPage = (status: number) =>
  new Response(`<html><h1>Request Rejected</h1>Incident ${Math.random()}</html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });
const ownJson = (status: number) => Response.json({ message: 'Forbidden', incident: Math.random() }, { status });

const rejects =
  (isBad: RegExp, status: number, answer = blockPage) =>
  (service: Service) =>
  async (request: Request) =>
    request.body && isBad.test(await request.clone().text()) ? answer(status) : service(request);

test.each([
  [
    'a page and 200, for letters beyond ASCII and markup',
    /[<\u0080-\uffff]|\\u/,
    200,
    blockPage,
    'one page of HTML',
    2,
  ],
  [
    'a page and 403, for descriptions, also of who may set none',
    /"description":"/,
    403,
    blockPage,
    'one page of HTML',
    0,
  ],
  ['JSON and 403, for descriptions', /"description":"/, 403, ownJson, 'JSON that is not in the contract', 0],
])(
  'a firewall that has its own answer to some bodies breaks no rule, and the report tells: %s',
  async (_, isBad, status, answer, told, copies) => {
    const run = await checkInProcess({ gateway: rejects(isBad, status, answer) });
    expect(of(run, 'violated')).toEqual([]);
    expect(run.remarks.join('\n')).toContain(`answered ${status} with ${told}`);
    // The key may not change those in the other organization.
    const full = run.leftBehind.filter(({ note }) => note.includes('with its cookies and credentials'));
    expect(full).toHaveLength(copies);
  },
);

test('a service that answers the starts of one operation with a page, and not those of another, breaks rules', async () => {
  const run = await checkInProcess(
    {
      gateway: (service) => (request) =>
        request.url.endsWith('/execute') ? rejects(/Müller/, 200)(service)(request) : service(request),
    },
    everything,
  );
  expect(of(run, 'violated').join('\n')).toContain('responses-are-json');
});

test('the report tells where a restricted key may be none that the service knows', async () => {
  const restricted = { key: 'a-key-that-expired-long-ago', denied: target.apiKeys.restricted.denied };
  const apiKeys = { ...target.apiKeys, restricted };
  const run = await checkInProcess({}, { target: toTarget({ ...target, apiKeys }) });
  expect(of(run, 'violated')).toEqual([expect.stringContaining('insufficient-permission-is-403')]);
  expect(run.remarks.filter((one) => !isHeldBack(one))).toEqual([
    expect.stringMatching(
      /^All \d+ requests with the restricted key got 401, .* apiKeys\.restricted in the target file/,
    ),
  ]);
});

test('the report tells that starts were refused for what was in their free fields', async () => {
  const faults = variations.filter((one) => one.id === 'texts-of-the-basic-plane' && 'behaviour' in one) as Deviation[];
  const run = await checkInProcess({ faults });
  expect(run.remarks.join('\n')).toMatch(
    /Starts with values in their free-form fields were refused \(400 in exchange #\d+\)/,
  );
});

test('a service of which everything is not found for some seconds is waited for', async () => {
  const run = await checkInProcess({
    speed: 0.3,
    gateway: (service, clock) => {
      const from = clock.now() + 1500;
      return (request) =>
        clock.now() > from && clock.now() < from + 8000 ? Promise.resolve(error(404, 'Not found.')) : service(request);
    },
  });
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

test('a service that answers 400 to a start for a full group, and to texts that it does not take, breaks no rule', async () => {
  const full: Deviation = {
    id: 'full-is-400',
    says: 'A start for a full group is refused with 400.',
    behaviour: () => ({ overCapacity: () => new Refusal(400, 'There is no room.') }),
  };
  const faults = variations.filter((one) => one.id === 'texts-of-the-basic-plane' && 'behaviour' in one) as Deviation[];
  const run = await checkInProcess({ faults: [full, ...faults] });
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

test('equal calls of which one is lost each time are sent until two are answered', async () => {
  const sent = new Set<string>();
  let lost = 0;
  const run = await checkInProcess(
    {
      gateway: (service) => async (request) => {
        const body = request.url.endsWith('/sync') ? await request.clone().text() : '';
        const response = await service(request);
        const isSecond = body !== '' && response.ok && sent.has(body);
        if (body !== '' && response.ok) sent.add(body);
        if (!isSecond || lost === 2) return response;
        lost += 1;
        return page(502);
      },
    },
    everything,
  );
  expect(lost).toBe(2);
  expect([...of(run, 'violated'), ...of(run, 'inconclusive')]).toEqual([]);
});

test('a pool that one instance of several does not find is asked for again, and breaks no rule', async () => {
  let missed = 0;
  const run = await checkInProcess({
    gateway: (service) => async (request) => {
      const isRight = [...request.headers.values()].includes(keys.full) && request.url.endsWith(`/${target.pool}`);
      if (request.method !== 'DELETE' || !isRight || missed > 0) return service(request);
      missed += 1;
      return error(404, 'Not found.');
    },
  });
  expect(missed).toBe(1);
  expect(of(run, 'violated')).toEqual([]);
});

const keyOf = ({ headers }: Request) => headers.get('X-Api-Key') ?? headers.get('X-Service-Agents-Api-Key');

test('answers that are all empty for some seconds, of a service with a limit, break no rule', async () => {
  let empty = 0;
  const run = await checkInProcess({
    speed: 0.3,
    latencyMs: 20,
    gateway: (service, clock) => {
      const from = clock.now() + 1500;
      let [left, at] = [10, clock.now()];
      return async (request) => {
        const now = clock.now();
        if (now > from && now < from + 4000) {
          empty += 1;
          return new Response(null);
        }
        [left, at] = [Math.min(10, left + (now - at) / 100), now];
        if (left < 1) return Response.json({ message: 'Slow down.' }, { status: 429, headers: { 'Retry-After': '1' } });
        left -= 1;
        return service(request);
      };
    },
  });
  expect(empty).toBeGreaterThan(10);
  expect(of(run, 'violated')).toEqual([]);
});

test('a start that is refused for its inputs is soon known, and a key of a system for tests is left in doubt', async () => {
  let refused = 0;
  const run = await checkInProcess(
    {
      gateway: (service) => async (request) => {
        if (isStart(request) && /"supplier":/.test(await request.clone().text())) {
          refused += 1;
          return error(400, 'Inputs have to be numbers.');
        }
        const known = new Request(request);
        for (const name of ['X-Api-Key', 'X-Service-Agents-Api-Key'])
          if (keyOf(request) === 'test' && request.headers.has(name)) known.headers.set(name, keys.full);
        return service(known);
      },
    },
    everything,
  );
  expect(refused).toBeLessThan(10);
  expect(of(run, 'violated').join('\n')).toMatch(/execute-is-accepted/);
  expect(of(run, 'violated').join('\n')).not.toMatch(/invalid-key-is-401/);
  expect(of(run, 'inconclusive').join('\n')).toMatch(/invalid-key-is-401: .* may be a real key of this system/);
});

test('what answers malformed ids before it asks for a key leaves rules in doubt, and a service that does after it breaks them', async () => {
  const run = await checkInProcess({
    gateway: (service) => async (request) => {
      if (request.url.includes('not-a-uuid')) return Response.json({ message: 'No route.' }, { status: 400 });
      const text = await request.clone().text();
      const response = await service(request);
      return isStart(request) && response.status === 400 && text.startsWith('{') && !text.endsWith('}')
        ? Response.json({ error: 'Unexpected token' }, { status: 400 })
        : response;
    },
  });
  expect(of(run, 'violated').join('\n')).toMatch(/^standard-error-shape: [^\n]*lacks code$/);
  const asked = run.rules.find(({ id }) => id === 'standard-error-shape')?.violations.flatMap((one) => one.exchanges);
  const about = run.evidence.exchanges.filter(({ id }) => asked?.includes(id));
  expect(about.map(({ request }) => request.body.kind)).toEqual(about.map(() => 'not-json'));
  expect(of(run, 'inconclusive').join('\n')).toMatch(/simple-error-shape: A gateway may have answered/);
});

test.each([
  [/^[a-z][a-z0-9]{2,19}$/, true],
  [/^$/, false],
])('where only the prefix %s is taken nothing is broken, and what is not judged says why', async (taken, isEnough) => {
  const shaped: Deviation = {
    id: 'test-only',
    says: 'takes prefixes of one shape',
    behaviour: (base) => ({
      checkName: (organization, profile) =>
        profile.inboxEmailPrefix === undefined || taken.test(profile.inboxEmailPrefix)
          ? base.checkName(organization, profile)
          : new Refusal(400, 'That is no prefix.'),
    }),
  };
  const run = await checkInProcess({ faults: [shaped] });
  const refused = /^inbox-custom-prefix: Each inboxEmailPrefix was refused, the last one with 400: "\d+"/;
  expect(of(run, 'violated')).toEqual([]);
  expect(of(run, 'inconclusive')).toEqual(isEnough ? [] : [expect.stringMatching(refused)]);
});

const knownInputs: Deviation = {
  id: 'inputs-are-known',
  says: 'Inputs that the workflow has no use for are refused.',
  behaviour: (base) => ({
    violations: (operation, body) =>
      isFields(body) && Object.keys({ ...Object(body.inputs), ...Object(body.dynamicData) }).length > 0
        ? [{ kind: 'value', parameter: 'inputs', detail: 'has an input that is not known' }]
        : base.violations(operation, body),
  }),
};

test('where no input is known that the suite sends, nothing else of a start is called wrong for it', async () => {
  const run = await checkInProcess({ faults: [knownInputs] });
  expect(of(run, 'violated')).toEqual([]);
  expect(of(run, 'inconclusive').length).toBeGreaterThan(10);
});

/** What comes after so many is refused. */
const quotaOf = (is: (request: Request) => boolean, most: number) => (service: Service) => {
  let count = 0;
  return async (request: Request) => {
    const isOurs = [request.headers.get('X-Api-Key'), request.headers.get('X-Service-Agents-Api-Key')].includes(
      keys.full,
    );
    count += is(request) && isOurs ? 1 : 0;
    return is(request) && isOurs && count > most ? error(403, 'The quota of today is used up.') : service(request);
  };
};

test('a quota of executions that is used up in the middle breaks no rule', async () => {
  const run = await checkInProcess({ gateway: quotaOf(isStart, 20) });
  expect(of(run, 'violated')).toEqual([]);
  expect(run.remarks.join()).not.toContain('and another answer when sent again');
});

test('a quota of copies that is used up breaks no rule, and is no mistake of the target file', async () => {
  const run = await checkInProcess({ gateway: quotaOf(isCopying, 2) });
  expect(of(run, 'violated')).toEqual([]);
  expect(run.remarks.map(isHeldBack)).toEqual([true]);
});

test('an outage while a group is being filled leaves no advice about the workflow that fills it', async () => {
  let from = Number.POSITIVE_INFINITY;
  const run = await checkInProcess({}, {}, (service, clock) => async (request) => {
    const isFilling = request.mark.journey === 'capacity' && request.mark.step === 'hold-1';
    if (isFilling) from = Math.min(from, clock.now());
    const since = clock.now() - from;
    if (since > 0 && since < 7000) throw new TransportError('broken', 'The connection broke (ECONNRESET).');
    return service(request);
  });
  expect(of(run, 'untested').filter((one) => one.includes('capacity.workflow'))).toEqual([]);
  expect(of(run, 'violated')).toEqual([]);
  // What was asked for first when the service was back took the place of the run that had ended. The next ones met a full group.
  expect(of(run, 'passed').some((one) => one.includes('over-capacity-is-rejected'))).toBe(true);
});

/** Lets two requests a second through, and asks the others to come back. */
const limited = (service: Service, clock: { now(): number }): Service => {
  let free = clock.now();
  return async (request) => {
    const now = clock.now();
    if (now < free)
      return Response.json({ code: 429, message: 'slow down' }, { status: 429, headers: { 'retry-after': '1' } });
    free = now + 500;
    return service(request);
  };
};

test('a rate limit is obeyed: nothing is called wrong, and nothing the limit refused is judged', async () => {
  const patient = toTarget({ ...target, allow: 'execute', pace: { ...target.pace, patienceSeconds: 600 } });
  // Runs are slow here, so that states last longer than the limit makes the suite wait.
  const run = await checkInProcess({ speed: 0.005, gateway: limited }, { target: patient });
  expect(of(run, 'violated')).toEqual([]);
  const { exchanges } = run.evidence;
  const refused = exchanges.filter(({ mark }) => mark?.excluded);
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.length).toBeLessThan(exchanges.length / 5);
  const judged = exchanges.filter(({ response, mark }) => response?.status === 429 && !mark?.excluded);
  expect(judged.filter(({ mark }) => mark?.journey !== 'capacity')).toEqual([]);
});
