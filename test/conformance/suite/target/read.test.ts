import { describe, expect, it } from 'vitest';
import {
  checkedTarget,
  makeTarget,
  parseTarget,
  readTarget,
  type TargetOptions,
} from '../../../../conformance/suite/target/read.js';
import type { TargetFile } from '../../../../conformance/suite/target/target.js';
import { createReference } from '../../../../reference/index.js';
import { ids } from '../../../support/evidence.js';

const env = {
  WORKFLOW_API_KEY: 'key-of-the-environment',
  RESTRICTED_KEY: 'restricted-secret',
  ID: ids.profile,
  LOGIN: 'login-secret',
  EMPTY: '',
};
/** `${NAME}`, as a target file names a variable. */
const variable = (name: string) => `\${${name}}`;
const remote = 'https://staging.example.com';

const target = (text: string, options?: TargetOptions) => parseTarget('target.yaml', text, env, options);

const put = (line: string) => `baseUrl: ${remote}\n${line}`;

function refusal(text: string, options?: TargetOptions): string {
  try {
    target(text, options);
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 2 });
    return (error as Error).message;
  }
  return 'accepted';
}

describe('a target file', () => {
  it('with only a base URL has the defaults of the design', () => {
    expect(target(`baseUrl: ${remote}`)).toEqual({
      facts: {
        baseUrl: remote,
        stateful: true,
        allow: 'read',
        workflows: {},
        pace: { requestsPerSecond: 50, concurrency: 8, latencyGraceMs: 2000 },
        budget: { executions: 32, copies: 5 },
      },
      keys: { primary: env.WORKFLOW_API_KEY },
      headers: {},
      secrets: [],
    });
  });

  it('is read with all its declarations, with keys apart from facts', () => {
    const read = target(`
baseUrl: ${remote}/gateway/
stateful: false
allow: write
apiKeys:
  primary: \${WORKFLOW_API_KEY}
  restricted: {key: "\${RESTRICTED_KEY}", denied: [execute]}
headers: {X-Environment: staging}
workflows: {completes: ${ids.workflow}}
profile: \${ID}
tempFile: {id: ${ids.pool}, name: "in.csv"}
pace: {patienceSeconds: 5}
budget: {executions: 3}
`);
    expect(read).toMatchObject({
      facts: {
        baseUrl: `${remote}/gateway`,
        stateful: false,
        allow: 'write',
        restricted: { denied: ['execute'] },
        workflows: { completes: ids.workflow },
        profile: ids.profile,
        tempFile: { id: ids.pool, name: 'in.csv' },
        pace: { patienceSeconds: 5, requestsPerSecond: 50 },
        budget: { executions: 3, copies: 5 },
      },
      keys: { primary: env.WORKFLOW_API_KEY, restricted: { primary: 'restricted-secret' } },
      headers: { 'X-Environment': 'staging' },
    });
    expect(JSON.stringify(read.facts)).not.toContain('apiKeys');
  });

  it('declares for a workflow the inputs, duration and cost of its executions, by their effect', () => {
    const { facts, secrets } = target(
      put(`workflows:
  completes: {id: ${ids.workflow}, inputs: {user: robot, secret: "${variable('LOGIN')}", list: [{a: "${variable('ID')}"}]}, takes: 1m30s, cost: 0.4}
  fails: {id: ${ids.pool}}
  slow: ${ids.execution}`),
    );
    expect(facts).toMatchObject({
      workflows: { completes: ids.workflow, fails: ids.pool, slow: ids.execution },
      inputs: { completes: { user: 'robot', secret: 'login-secret', list: [{ a: ids.profile }] } },
      takes: { completes: 90_000 },
      cost: { completes: 0.4 },
    });
    expect(secrets).toEqual(['login-secret', ids.profile]);
    expect(Object.keys(facts)).not.toContain('hooks');
  });

  it('may limit the places of a run', () => {
    expect(target(put('budget: {places: 2}')).facts.budget).toEqual({ executions: 32, copies: 5, places: 2 });
  });

  it('leaves the variables of a command to the shell', () => {
    const command = `cancel "${variable('EXECUTION_ID')}" -k "${variable('ADMIN_KEY')}"`;
    expect(target(put(`hooks:\n  cancelExecution: '${command}'`)).hooks).toEqual({ cancelExecution: command });
  });

  it('may be JSON, and name its schema', () => {
    const { facts } = target(JSON.stringify({ $schema: './target.schema.json', baseUrl: remote }, null, 2));
    expect(facts.baseUrl).toBe(remote);
    expect(facts).not.toHaveProperty('$schema');
  });

  it('gives way to the base URL and the allowed effects of the command line', () => {
    const { facts } = target('baseUrl: not used\nallow: delete', { baseUrl: remote, allow: 'read' });
    expect(facts).toMatchObject({ baseUrl: remote, allow: 'read' });
    expect(target('stateful: false', { baseUrl: remote }).facts.baseUrl).toBe(remote);
  });

  it('has no unknown name, even where the value is a variable that need not be set', () => {
    expect(() => target(put(`apiKeys:\n  primery: ${variable('NONE')}`), { sendsNothing: true })).toThrow(
      'apiKeys.primery is unknown; did you mean apiKeys.primary?',
    );
  });

  it('needs no key if the environment has none either', () => {
    expect(parseTarget('target.yaml', `baseUrl: ${remote}`, {}).keys).toEqual({});
  });
});

describe('an error in a target file is reported with its place and the way out:', () => {
  it.each<[string, string]>([
    [put('workflow: {complets: x}'), 'target.yaml:2:1: workflow is unknown; did you mean workflows?'],
    [put('profile: 12'), 'target.yaml:2:1: profile must be a UUID.'],
    [put(`profile: ${variable('NONE')}`), 'target.yaml:2:1: the environment variable NONE is not set.'],
    [
      put(`profile: ${variable('EMPTY:-x')}`),
      `target.yaml:2:1: ${variable('EMPTY:-x')} holds more than the name of an environment variable; there are no defaults`,
    ],
    [put(`profile: ${variable(' EMPTY ')}`), 'holds more than the name of an environment variable'],
    [put(`profile: ${variable('EMPTY')}`), 'target.yaml:2:1: the environment variable EMPTY is empty.'],
    [put(`profile: ${variable('RESTRICTED_KEY')}`), 'target.yaml:2:1: profile must be a UUID.'],
    [
      put(`apiKeys: {restricted: {key: "${variable('RESTRICTED_KEY')}"}}`),
      'target.yaml:2:11: apiKeys.restricted.denied is missing.',
    ],
    [
      put(`workflows: {completes: {id: ${ids.workflow}, input: {}}}`),
      'target.yaml:2:67: workflows.completes.input is unknown; did you mean workflows.completes.inputs?',
    ],
    [put('workflows: {slow: {takes: 3m}}'), 'target.yaml:2:13: workflows.slow.id is missing.'],
    [
      put(`workflows: {slow: {id: ${ids.workflow}, takes: 3 minutes}}`),
      'target.yaml:2:62: workflows.slow.takes must be a duration such as 90s, 3m or 1h30m.',
    ],
    [put(`workflows: {slow: {id: ${ids.workflow}, takes: 180}}`), 'takes must be a duration such as 90s, 3m or 1h30m.'],
    [put(`workflows: {slow: {id: ${ids.workflow}, takes: 0s}}`), 'workflows.slow.takes must be more than 0.'],
    [put(`workflows: {slow: {id: ${ids.workflow}, cost: -1}}`), 'workflows.slow.cost must be at least 0.'],
    [put('workflows: {slow: 12}'), 'target.yaml:2:13: workflows.slow must be a UUID.'],
    [put('workflows: {slow: [12]}'), 'target.yaml:2:13: workflows.slow must be a UUID.'],
    [
      put(`workflows: {completes: {id: ${ids.workflow}, cost: 1}, slow: {id: ${ids.workflow}, cost: 2}}`),
      'workflows.slow.cost differs from workflows.completes.cost, for the same workflow; declare it once.',
    ],
    [put('budget: {places: 0}'), 'budget.places must be at least 1.'],
    [put('hooks: {cancelExecutions: x}'), 'hooks.cancelExecutions is unknown; did you mean hooks.cancelExecution?'],
    [put('hook: {makePol: x}'), 'target.yaml:2:1: hook is unknown; did you mean hooks?'],
    [put('hooks: {deleteCopy: ""}'), 'hooks.deleteCopy must not be empty.'],
    [put('agentHardTimeoutMins: 1'), 'target.yaml:2:1: agentHardTimeoutMins must be at least 2.'],
    [put('headers: {X-api-key: a}'), 'target.yaml:2:11: headers.X-api-key carries an API key; keys go under apiKeys.'],
    [put('headers: {"a b": c}'), 'target.yaml:2:11: headers.a b is not a valid header name.'],
    [put('headers: {a: "b\\n"}'), 'headers.a has a character that a header cannot carry'],
    [
      put(`profile: ${ids.profile}\notherProfile: ${ids.profile}`),
      'target.yaml:3:1: otherProfile is another profile, and must differ from profile, which is a profile.',
    ],
    [
      put(`profileGroup: ${ids.pool}\npool: ${ids.pool}`),
      'target.yaml:3:1: pool is a group that will be deleted, and must differ from profileGroup',
    ],
    [
      put(`profileGroup: ${ids.pool}\ncapacity: {profileGroup: ${ids.pool}, size: 1, workflow: ${ids.workflow}}`),
      'target.yaml:3:12: capacity.profileGroup is a group that will be full, and must differ from profileGroup',
    ],
    // One group in other letters is the same one.
    [put(`profileGroup: ${ids.pool}\npool: ${ids.pool.toUpperCase()}`), 'pool is a group that will be deleted'],
    [put(`profile: ${ids.profile}\nworkflows: {fails: ${ids.profile}}`), 'profile is a profile, and must differ from'],
    [
      put(`workflows: {completes: ${ids.workflow}, variantMode: ${ids.workflow}}`),
      'target.yaml:2:62: workflows.variantMode is a workflow for variantMode, and must differ from workflows.completes',
    ],
    [
      put(
        `apiKeys: {primary: "${variable('RESTRICTED_KEY')}", restricted: {key: "${variable('RESTRICTED_KEY')}", denied: [execute]}}`,
      ),
      'apiKeys.restricted.key is the same key as apiKeys.primary: requests that must be refused would be carried out.',
    ],
    ...(
      [
        ['key: a', 'key', 'serviceAgents', 'primary: b, serviceAgents: a'],
        ['key: c, serviceAgents: a', 'serviceAgents', 'primary', 'primary: a'],
        ['key: c, serviceAgents: a', 'serviceAgents', 'serviceAgents', 'primary: b, serviceAgents: a'],
      ] as const
    ).map(([theirs, name, full, own]): [string, string] => [
      put(`apiKeys: {${own}, restricted: {${theirs}, denied: [execute]}}`),
      `apiKeys.restricted.${name} is the same key as apiKeys.${full}: requests that must be refused would be carried out.`,
    ]),
    ['stateful: true', 'target.yaml:1:1: baseUrl is missing.'],
    ['', 'target.yaml:1:1: the file is empty'],
    ['baseUrl: staging', 'target.yaml:1:1: baseUrl must be a URL such as https://staging.example.com.'],
    ['baseUrl: ftp://a.example', 'baseUrl must begin with http:// or https://.'],
    ['baseUrl: https://me:secret@a.example', 'baseUrl must hold no user name and no password'],
    ['baseUrl: https://a.example/?x=1', 'baseUrl must end before any ? or #.'],
    ['baseUrl: "https://a.example/#x"', 'baseUrl must end before any ? or #.'],
    ['baseUrl: https://a.example/agents/v2/', 'baseUrl must end before /agents/v2'],
    ['baseUrl: https://a.example/gateway/agents/v2/workflows', 'baseUrl must end before /agents/v2'],
  ])('%j: %s', (text, message) => {
    const told = refusal(text);
    expect(told).toContain(message);
    expect(told).not.toContain('secret');
  });

  it('once if the text lacks a part', () => {
    expect(refusal(put(`profile: ${variable('NONE')}`))).not.toContain('\n');
    expect(refusal(put("apiKeys: {primary: ''}"))).toBe('target.yaml:2:11: apiKeys.primary must not be empty.');
  });

  it('together with all the others', () => {
    const told = refusal(`baseUrl: 1\nprofile: ${variable('NONE')}\nnonsense: 1\nallow: all`);
    expect(told.split('\n')).toHaveLength(5);
    expect(told).toMatch(/^target\.yaml has 4 mistakes:\n/);
  });

  it('not in a base URL that another one replaces', () => {
    expect(refusal('baseUrl: https://me:secret@a.example', { baseUrl: remote })).toBe('accepted');
  });
});

describe('a key', () => {
  const file = (baseUrl: string) => `baseUrl: ${baseUrl}\napiKeys: {primary: in-clear}`;

  it.each([
    [remote, /^target\.yaml:2:11: apiKeys\.primary holds a key; .*environment variable/],
    ['http://127.0.0.1:4010', /^accepted$/],
    ['http://localhost:4010', /^accepted$/],
    ['http://[::1]:4010', /^accepted$/],
  ])('in clear in the file of %s is refused or not', (baseUrl, want) => {
    expect(refusal(file(baseUrl))).toMatch(want);
  });

  it('in clear is refused when the command line names another machine', () => {
    expect(refusal(file('http://127.0.0.1:4010'), { baseUrl: remote })).toContain('holds a key');
  });

  it('is never printed', () => {
    expect(refusal(file(remote))).not.toContain('in-clear');
  });

  it.each([
    ['http://staging.example.com', {}, true],
    ['http://staging.example.com', { insecureHttp: true }, false],
    ['http://127.0.0.1.example.com', {}, true],
    ['http://127.8.8.8', {}, false],
    ['http://my.localhost', {}, false],
    ['https://staging.example.com', {}, false],
  ])('to %s with %j is refused: %s', (baseUrl, options, refused) => {
    const make = () => makeTarget(baseUrl, env, options);
    if (refused) expect(make).toThrow(/plain HTTP.*--insecure-http/);
    else expect(make().keys.primary).toBe(env.WORKFLOW_API_KEY);
  });

  it('that cannot be in a header is refused', () => {
    const make = () => makeTarget(remote, { WORKFLOW_API_KEY: 'secret\n' });
    expect(make).toThrow('cannot carry');
    expect(make).not.toThrow('secret');
  });
});

describe('a base URL alone', () => {
  it('is a target to read', () => {
    expect(makeTarget(`${remote}/`, {})).toMatchObject({ facts: { baseUrl: remote, allow: 'read' }, keys: {} });
    expect(makeTarget(remote, {}, { allow: 'execute' }).facts.allow).toBe('execute');
  });

  it('is refused when it is invalid', () => {
    expect(() => makeTarget('staging', {})).toThrow('the base URL must be a URL such as');
  });
});

describe('a target in a program', () => {
  it('is accepted with its keys in clear', () => {
    expect(checkedTarget({ baseUrl: remote, apiKeys: { primary: 'in-clear' } })).toMatchObject({
      facts: { baseUrl: remote },
      keys: { primary: 'in-clear' },
    });
    expect(() => checkedTarget({ ...createReference().fixtures, baseUrl: remote })).not.toThrow();
  });

  it.each<[object, string]>([
    [{ baseUrl: remote, profile: 'mine', allow: 'all' }, 'the target has 2 mistakes:'],
    [{ baseUrl: remote, workflow: { completes: ids.workflow } }, 'did you mean workflows?'],
    [{ baseUrl: `${remote}/agents/v2` }, 'baseUrl must end before /agents/v2'],
    [{ baseUrl: remote, pool: ids.pool, profileGroup: ids.pool }, 'pool is a group that will be deleted'],
    [{ baseUrl: 'http://staging.example.com', apiKeys: { primary: 'in-clear' } }, 'insecureHttp in a program'],
  ])('is refused like its file: %j', (file, message) => {
    const make = () => checkedTarget(file as TargetFile);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(make).not.toThrow('in-clear');
  });

  it('may send its key over plain HTTP with insecureHttp', () => {
    const file = { baseUrl: 'http://staging.example.com', apiKeys: { primary: 'in-clear' } };
    expect(checkedTarget(file, { insecureHttp: true }).keys).toEqual({ primary: 'in-clear' });
  });
});

it('cannot come from a target file that does not exist', () => {
  expect(() => readTarget('/nonesuch/target.yaml', env)).toThrow('/nonesuch/target.yaml does not exist.');
});

it.each(['example.com', '127.0.0.1:4010', '', 'http://', '/x', 'not used', 'file:///etc', '::'])(
  'an invalid base URL beside a key in clear is refused without the key: %j',
  (baseUrl) => {
    const text = JSON.stringify({ baseUrl, apiKeys: { primary: 'abcdefghijkl' } });
    expect(() => target(text)).toThrow(/baseUrl/);
    expect(() => target(text)).not.toThrow('abcdefghijkl');
  },
);

describe('options that make a run smaller than its target file', () => {
  const text = 'baseUrl: http://127.0.0.1:1\nallow: write\nbudget: {executions: 12}';
  it.each<[string, TargetOptions, readonly string[] | undefined]>([
    ['fewer effects are allowed', { allow: 'execute' }, ['--allow execute (the file has write)']],
    ['it is gentle', { gentle: true }, ['--gentle']],
    ['fewer executions and places', { budget: { executions: 3, places: 1 } }, ['--max-executions 3', '--places 1']],
    ['as much or more', { allow: 'delete', budget: { executions: 12 } }, undefined],
  ])('are named: %s', (_, options, smaller) => {
    expect(parseTarget('target.yaml', text, {}, { sendsNothing: true, ...options }).facts.smaller).toEqual(smaller);
  });
});
