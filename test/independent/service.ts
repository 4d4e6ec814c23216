import { type Complain, isUuid, Refused } from './checks.js';
import { fixtures, keys } from './fixtures.js';
import { type Entry, type Fault, faultless, type Hooks } from './hooks.js';
import { Profiles } from './profiles.js';
import { Starts, type Surroundings } from './starts.js';
import { type Answer, type Call, type Clock, type Fields, isFields, type Operation, type Value } from './state.js';
import { executionView, filesView, profileView } from './views.js';
import { type Problem, type Way, type WayId, ways } from './ways.js';

/**
 * A second service of the interface, written from the interface alone, by somebody who had not read the first: what
 * suite and reference share by mistake, it does not. In memory; its time is the clock's.
 */
export interface Independent {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly target: ReturnType<typeof fixtures>['target'];
  readonly close: () => void;
}

export interface IndependentOptions {
  readonly clock: Clock;
  readonly way: WayId;
  readonly fault?: Fault | undefined;
  readonly seed?: number;
  readonly latencyMs?: number;
}

const routes: readonly (readonly [method: string, path: RegExp, operation: Operation])[] = [
  ['POST', /^\/agents\/v2\/workflows\/([^/]+)\/execute$/, 'execute'],
  ['POST', /^\/agents\/v2\/workflows\/([^/]+)\/execute\/sync$/, 'executeSync'],
  ['GET', /^\/agents\/v2\/executions\/([^/]+)$/, 'getExecution'],
  ['GET', /^\/agents\/v2\/executions\/([^/]+)\/files$/, 'listExecutionFiles'],
  ['PATCH', /^\/agents\/v2\/agent-profiles\/([^/]+)$/, 'updateProfile'],
  ['POST', /^\/agents\/v2\/agent-profiles\/([^/]+)\/duplicate$/, 'duplicateProfile'],
  ['DELETE', /^\/agents\/v2\/agent-profile-pools\/([^/]+)$/, 'deletePool'],
];
const withXApiKey: readonly Operation[] = ['execute', 'executeSync', 'listExecutionFiles'];
const standardErrors: readonly Operation[] = ['execute', 'executeSync'];

const usual: Partial<Record<Problem, number>> = {
  'no-key': 401,
  forbidden: 403,
  'unknown-execution': 404,
  'unknown-profile': 404,
  'unknown-pool': 404,
  'unknown-workflow': 404,
  'unknown-organization': 404,
  'not-found': 404,
};
const titles: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

/** Ids that look random and are the same each time (mulberry32). */
function idMaker(seed: number, way: Way): () => string {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0).toString(16).padStart(8, '0');
  };
  return () => {
    const [a, b, c, d] = [next(), next(), next(), next()];
    return way.id(`${a}-${b.slice(0, 4)}-${way.uuidVersion}${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`);
  };
}

export function createIndependent(options: IndependentOptions): Independent {
  const { clock, way: wayId, fault, seed = 7, latencyMs = 20 } = options;
  const way = ways[wayId];
  const hooks: Hooks = { ...faultless, ...fault?.make() };
  const { state, target } = fixtures(wayId, way, clock.now());
  let open = true;
  const of: Surroundings = { way, hooks, state, clock, newId: idMaker(seed, way), open: () => open };
  const starts = new Starts(of);
  const profiles = new Profiles(of);
  const counts = new Map<Operation, number>();

  function entryOf(call: Call): Entry {
    const own = withXApiKey.includes(call.operation) ? 'X-Api-Key' : 'X-Service-Agents-Api-Key';
    const other = own === 'X-Api-Key' ? 'X-Service-Agents-Api-Key' : 'X-Api-Key';
    const key = call.headers.get(own) ?? (way.separateServiceKey ? null : call.headers.get(other));
    if (key === null || key === '') return 'missing';
    const service = way.separateServiceKey && own === 'X-Service-Agents-Api-Key';
    if (key === (service ? keys.service : keys.primary)) return 'ok';
    if (way.denied.length === 0 || key !== (service ? keys.restrictedService : keys.restricted)) return 'invalid';
    return way.denied.includes(call.operation) ? 'forbidden' : 'ok';
  }

  /** Lets the service go on where a fault does not mind the problem. */
  const complaining =
    (call: Call): Complain =>
    (problem, message, field) => {
      if (hooks.refuses(problem, call, field)) throw new Refused(problem, message, field);
    };

  const json = (status: number, body: Value): Answer => ({ status, body, headers: { 'content-type': way.jsonType } });

  async function perform(call: Call, text: string): Promise<Answer> {
    const complain = complaining(call);
    const entry = hooks.entry(entryOf(call), call);
    if (entry === 'missing') throw new Refused('no-key', 'There is no key.');
    if (entry === 'invalid') throw new Refused('no-key', 'The key is not known.');
    if (entry === 'forbidden') throw new Refused('forbidden', 'The key may not do this.');
    if (call.hasBody) read(call, text);
    const pathName = `${/(workflow|execution|profile|pool)/.exec(call.path)?.[1] ?? ''}Id`;
    if (!isUuid(call.id)) complain('malformed-id', `${pathName} is no uuid.`, pathName);
    const id = call.id.toLowerCase();
    if (call.operation === 'execute' || call.operation === 'executeSync') {
      if (!call.hasBody && way.needsBody) throw new Refused('no-body', 'There is no body.');
      const answer = await starts.answer(call, complain);
      return { ...answer, headers: { 'content-type': way.jsonType } };
    }
    if (call.operation === 'getExecution' || call.operation === 'listExecutionFiles') {
      const execution = state.executions.get(id);
      if (!execution) throw new Refused('unknown-execution', `The execution ${call.id} was not found.`, 'executionId');
      if (call.operation === 'listExecutionFiles') {
        const view = filesView(execution, way, clock.now());
        hooks.lists(view, execution, call);
        return json(200, view);
      }
      execution.reads += 1;
      const view = executionView(execution, way, state);
      hooks.shows(view, execution, call);
      return json(200, view);
    }
    if (call.operation === 'deletePool') {
      if (!state.groups.has(id)) throw new Refused('unknown-pool', 'There is no such pool.', 'poolId');
      if (hooks.deletes(call)) state.groups.delete(id);
      const [status, body] = way.poolAnswer;
      return body === undefined ? { status, headers: {} } : json(status, body);
    }
    const profile = state.profiles.get(id);
    if (!profile) throw new Refused('unknown-profile', 'There is no such profile.', 'profileId');
    const seen = call.operation === 'updateProfile' ? profile : profiles.duplicate(profile, call, complain);
    if (call.operation === 'updateProfile') profiles.update(profile, call, complain);
    const view = profileView(seen, way);
    hooks.profile(view, seen, call);
    return json(call.operation === 'updateProfile' ? 200 : way.copyStatus, view);
  }

  function refusal({ problem, message, field }: Refused, call: Call | undefined, path: string): Answer {
    const starts = call !== undefined && standardErrors.includes(call.operation);
    const status = (starts ? way.statuses : way.listed)[problem] ?? usual[problem] ?? 400;
    const standard = starts || (call?.operation === 'listExecutionFiles' && way.filesError === 'standard');
    const headers = { 'content-type': way.errorType, ...(status === 401 && { 'www-authenticate': 'ApiKey' }) };
    if (!standard) return { status, body: { code: status, message }, headers };
    const body: Fields = { code: way.codeOf(status), message };
    if (way.problem !== 'minimal') Object.assign(body, { detail: message, status, type: 'about:blank' });
    if (way.problem === 'full') {
      Object.assign(body, { instance: path, title: titles[status] ?? 'Request refused' });
      if (field.endsWith('Id') && path.includes('/execute')) {
        Object.assign(body, { errors: [{ parameter: field, detail: message }] });
      }
    }
    return { status, body, headers };
  }

  /** Which operation is asked for. */
  async function received(request: Request, path: string): Promise<[Call, text: string]> {
    for (const [method, pattern, operation] of routes) {
      const id = pattern.exec(path)?.[1];
      if (id === undefined || request.method !== method) continue;
      const n = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, n);
      const text = await request.text();
      const hasBody = text !== '' && method !== 'GET' && method !== 'DELETE';
      return [{ operation, n, path, id, headers: request.headers, body: {}, hasBody, state, now: clock.now() }, text];
    }
    throw new Refused('not-found', 'There is no such operation.');
  }

  function read(call: Call, text: string): void {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      complaining(call)('not-json', 'The body is no JSON.');
    }
    if (isFields(body)) call.body = hooks.reads(body, call);
    else complaining(call)('not-json', 'The body is no object.');
  }

  async function fetch(request: Request): Promise<Response> {
    const path = decodeURI(new URL(request.url).pathname);
    let call: Call | undefined;
    let answer: Answer;
    if (latencyMs > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, latencyMs));
    try {
      const [understood, text] = await received(request, path);
      call = understood;
      answer = await perform(understood, text);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer = refusal(error, call, path);
    }
    if (call) {
      hooks.answers(answer, call);
      const delay = hooks.delays(call);
      if (delay > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, delay));
    }
    const { status, body, headers } = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
  }

  return {
    fetch,
    target,
    close: () => {
      open = false;
    },
  };
}
