import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { faults as all } from '../../../deviations/faults/index.js';
import { type Operation, operationIds, operations } from '../../../generated/operations.js';
import { changesBetween } from '../../../scripts/diff/changes.js';
import { consequencesOf } from '../../../scripts/diff/consequences.js';
import { contractAt } from '../../../scripts/diff/contract.js';
import type { Document, OperationObject } from '../../../scripts/generate/document.js';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const contract = await contractAt(`${project}openapi/openapi.yaml`, project, project);

type Edited = Record<string, Record<string, Record<string, never>>>;

/** What speaks of what an edit of the contract takes away, by what it is. */
async function consequences(edit: (document: Document) => void): Promise<Record<string, readonly string[]>> {
  const after = structuredClone(contract);
  edit(after.document);
  const found = await consequencesOf(changesBetween(contract, after), contract, after, project);
  return Object.fromEntries(found.map(({ of, names }) => [of, names]));
}

const remove = (from: unknown, ...path: string[]) => {
  const last = path.pop() ?? '';
  delete path.reduce<Edited>((node, key) => node[key] as never, from as Edited)[last];
};

it('for a removed field, everything that mentions it is listed', async () => {
  const found = await consequences(({ components, paths }) => {
    remove(components.schemas.ExecuteSyncRequest, 'allOf', '1', 'properties', 'timeoutSeconds');
    for (const { get } of Object.values(paths))
      if (get?.parameters?.some(({ name }) => name === 'timeoutSeconds')) delete get.parameters;
  });
  expect(found).toMatchObject({
    'statements that speak of it': expect.arrayContaining(['sync-waits', 'sync-timeout-bounds']),
    'rules that rest on it': expect.arrayContaining(['sync-timeout-range', 'sync-wait-is-bounded']),
    examples: ['the example execute-sync-request-wait of the request of executeSync (timeoutSeconds)'],
    flows: ['the step startSynchronously.start (timeoutSeconds)'],
    faults: expect.arrayContaining(['sync-ignores-the-timeout']),
    files: expect.arrayContaining(['docs/client.md']),
  });
  expect(found['rules that rest on it']).not.toContain('terminal-is-final');
});

it('for a field that other schemas have too, only mentions of the removed one are listed', async () => {
  const found = await consequences(({ components }) => remove(components.schemas.Comment, 'properties', 'createdAt'));
  expect(found.examples).toEqual(expect.arrayContaining([expect.stringContaining('(comments.createdAt)')]));
  expect(found.files).toBeUndefined();
});

it('for a changed bound and for changed path prefixes, the lines with the old value are listed', async () => {
  const found = await consequences(({ paths, components }) => {
    const { allOf = [] } = components.schemas.ExecuteSyncRequest as never as { allOf: Edited[] };
    Object.assign(allOf[1]?.properties?.timeoutSeconds ?? {}, { maximum: 60 });
    for (const [path, item] of Object.entries(paths)) {
      delete paths[path];
      paths[path.replace('/v2/', '/v3/')] = item;
    }
  });
  expect(found['files with a line that says what was']).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/client.md',
      'openapi/arazzo/flows.arazzo.yaml',
      'openapi/statements.yaml',
    ]),
  );
});

it('for a single moved path, no line is listed as a mention of its prefix', async () => {
  const found = await consequences(({ paths }) => {
    const path = '/agents/v2/executions/{executionId}';
    paths[`${path}/details`] = paths[path] as never;
    delete paths[path];
  });
  expect(found).not.toHaveProperty('files with a line that says what was');
});

it('for null as a new value, only the type is listed', async () => {
  const found = await consequences(({ components: { schemas } }) =>
    Object.assign((schemas.AgentProfile as never as Edited).properties?.proxyType ?? {}, {
      type: ['string', 'null'],
      enum: ['basic', null],
    }),
  );
  expect(found).not.toHaveProperty('new, and named by no file of reference/');
  expect(found['files that name what has another type now']).toContain('test/independent/profiles.ts');
});

it('for a failure with a new status of its own, the rules about the failure are listed', async () => {
  const found = await consequences(({ paths }) => {
    const { delete: operation } = paths['/agents/v2/agent-profile-pools/{poolId}'] as never as { delete: Edited };
    Object.assign(operation.responses ?? {}, { 410: operation.responses?.['404'] });
  });
  expect(found['rules about error answers that changed']).toContain('deleted-pool-is-gone');
});

it('for a removed operation, its rules and faults are listed', async () => {
  const found = await consequences(({ paths }) => remove(paths, '/agents/v2/executions/{executionId}'));
  expect(found).toMatchObject({
    'statements that speak of it': expect.arrayContaining(['get-all-details']),
    'rules whose only operation was removed': expect.arrayContaining(['terminal-is-final', 'status-is-current']),
    'rules that are on others as well': expect.arrayContaining(['simple-error-shape']),
    faults: expect.arrayContaining(['results-are-dropped']),
  });
});

it('for a removed operation, the gap about its success is listed', async () => {
  for (const id of operationIds) {
    const { openSuccess }: Operation = operations[id];
    if (openSuccess === null) continue;
    const found = await consequences(({ paths }) => {
      for (const item of Object.values(paths))
        for (const [method, one] of Object.entries(item as Record<string, OperationObject>))
          if (one.operationId === id || (one['x-operation'] as { is?: string } | undefined)?.is === id)
            remove(item, method);
    });
    expect(found['gaps that are marked nowhere now, or ask about it']).toContain(openSuccess);
  }
});

it('for a removed operation, no fault of another operation is listed, nor an id within a fault', async () => {
  const { faults = [] } = await consequences(({ paths }) =>
    remove(paths, '/agents/v2/executions/{executionId}/files', 'get'),
  );
  expect(faults).toContain('files-are-never-listed');
  expect(faults.filter((name) => !all.some(({ id }) => id === name))).toEqual([]);
  expect(faults).not.toContain('organizations-are-those-of-executions');
});

it('for a new status and for a field that is no longer required, the statements about them are listed', async () => {
  const statuses = await consequences(({ components }) => {
    const { enum: words } = components.schemas.ExecutionStatus as { enum?: string[] };
    words?.push('expired');
  });
  expect(statuses['statements of what has changed']).toEqual(['status-words']);
  const fields = await consequences(({ components }) => {
    const { required } = components.schemas.Execution as { required?: string[] };
    required?.pop();
  });
  expect(fields['statements of what has changed']).toContain('execution-required-fields');
});

it('for a new operation, the rules on all operations are listed', async () => {
  const found = await consequences(({ paths }) => {
    const { post } = paths['/agents/v2/workflows/{workflowId}/execute'] as { post: object };
    Object.assign(paths['/agents/v2/executions/{executionId}'] as object, { post: { ...post, operationId: 'cancel' } });
  });
  expect(found).toEqual({
    'rules on all operations, and so on cancel': expect.arrayContaining(['missing-key-is-401', 'caller-sends-a-key']),
  });
});

it('for a field with another meaning, the statements of the old one are listed', async () => {
  const found = await consequences(({ components }) => {
    const { duration } = (components.schemas.Execution as Edited).properties ?? {};
    Object.assign(duration as object, { description: 'How long the execution took, in milliseconds.' });
  });
  expect(found).toMatchObject({
    'statements of what has changed': expect.arrayContaining(['duration-seconds']),
    'rules that rest on these statements': expect.arrayContaining(['duration-is-in-seconds']),
  });
});

it.each<[string, (result: Edited) => unknown]>([
  ['itself', (result) => Object.assign(result, { reasoning: { type: 'integer' } })],
  ['in one of several forms', (result) => Object.assign(result, { reasoning: { oneOf: forms } })],
  ['in its items', (result) => Object.assign(result, { reasoning: { type: 'array', items: { type: 'integer' } } })],
])(
  'for a field with another type, the files that name it and the statements about it are listed: %s',
  async (_, change) => {
    const found = await consequences(({ components }) => {
      const { properties } = components.schemas.ExecutionResult as unknown as { properties: Edited };
      change(properties);
    });
    expect(found).toMatchObject({
      'files that name what has another type now': expect.arrayContaining(['reference/scenarios.ts']),
    });
  },
);
const forms = ['text', 'steps'].map((kind) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: [kind] } },
}));

it.each<[string, (post: Edited) => unknown, string, string]>([
  ['an answer', ({ responses }) => responses?.['200'], 'sync-200-within-wait', 'sync-200-means-terminal'],
  ['an operation', (post) => post, 'sync-not-idempotent', 'sync-is-not-idempotent'],
])('for %s with another description, the statements of the old one are listed', async (_, of, statement, rule) => {
  const found = await consequences(({ paths }) => {
    const { post } = paths['/agents/v2/workflows/{workflowId}/execute/sync'] as unknown as { post: Edited };
    Object.assign(of(post) as object, { description: 'In other words.' });
  });
  expect(found).toMatchObject({
    'statements of what has changed': expect.arrayContaining([statement]),
    'rules that rest on these statements': expect.arrayContaining([rule]),
  });
});

it('new fields and parameters of requests and answers are listed if the reference service and the suite do not use them', async () => {
  const found = await consequences(({ components, paths }) => {
    const { properties } = components.schemas.DuplicateProfileRequest as Edited;
    Object.assign(properties as object, { zonedFor: { type: 'string' }, name: { type: 'string' } });
    const { get } = paths['/agents/v2/executions/{executionId}'] as { get: object };
    Object.assign(get, { parameters: [{ name: 'zoneSeconds', in: 'query', schema: { type: 'integer' } }] });
  });
  expect(found).toEqual({
    'new, and named by no file of reference/': ['`zoneSeconds`', '`zonedFor`'],
    'new, and named by no file of conformance/': ['`zoneSeconds`', '`zonedFor`'],
  });
  const given = await consequences(({ components }) => {
    const { Execution, ExecutionStatus } = components.schemas as Record<string, Edited & { enum?: string[] }>;
    Object.assign(Execution?.properties as object, { zonedFor: { type: 'string' } });
    // A method has the same name.
    ExecutionStatus?.enum?.push('zoned_out', 'replace');
  });
  expect(given).toMatchObject({
    'new, and named by no file of reference/': expect.arrayContaining(['`zonedFor`', '`zoned_out`', '`replace`']),
  });
});

it('for a gap that closes, the files that mention it are listed', async () => {
  const found = await consequences(({ components }) => {
    remove(components.schemas.AgentProfile, 'properties', 'inboxEmailPrefix', 'x-gap');
  });
  expect(found).toMatchObject({
    'gaps that are marked nowhere now, or ask about it': ['duplicate-inbox-prefix'],
    files: expect.arrayContaining(['reference/choices.ts', 'conformance/suite/profiles/gaps.ts']),
  });
});

it('for a field that becomes deprecated, the files that name it are listed', async () => {
  const found = await consequences(({ components }) => {
    const { inputs } = (components.schemas.ExecuteRequest as Edited).properties ?? {};
    Object.assign(inputs as object, { deprecated: true });
  });
  expect(found['files that name what is deprecated now']).toEqual(
    expect.arrayContaining([
      'client/requests.ts',
      'deviations/faults/starts/bodies.ts',
      'openapi/examples/execute-request-published.yaml',
      'openapi/rules.yaml',
    ]),
  );
});

it('nothing is listed if no file mentions the change', async () => {
  expect(await consequences(({ info }) => Object.assign(info, { summary: 'Other.' }))).toEqual({});
});

it('for an operation that succeeds in another way, its own rules are listed, because later readings may break them', async () => {
  const found = await consequences(({ paths }) => {
    const { responses = {} } = paths['/agents/v2/executions/{executionId}']?.get ?? {};
    Object.assign(responses, { '202': { description: 'It will be there a little later.' } });
    remove(responses, '200');
  });
  expect(found['rules on what succeeds otherwise now']).toEqual(
    expect.arrayContaining(['terminal-is-final', 'status-is-current']),
  );
});
