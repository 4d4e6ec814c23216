import fc from 'fast-check';
import { couplings, idSettings, openFlags, plainFlags, words } from '../../generated/flags.js';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { idSource } from '../../reference/ids.js';
import { type Choices, choices, createReference, keys } from '../../reference/index.js';
import type { Ask } from './world.js';

/** Requests of every kind: in order, nearly in order, and nothing of the sort. */

const { fixtures: target } = createReference();
const fixtures = [
  ...Object.values(target.workflows),
  target.capacity.workflow,
  target.capacity.profileGroup,
  target.execution,
  target.profile,
  target.otherProfile,
  target.profileGroup,
  target.pool,
  target.otherOrganization,
  target.tempFile.id,
];

// With the seed of the tests' world, these are the first ids that it gives: some of them executions, some duplicates.
const newId = idSource(1);
const given = Array.from({ length: 12 }, newId);
const executions = [target.execution, target.execution, target.execution, ...given];
const profiles = [target.profile, target.profile, target.otherProfile, ...given.slice(0, 2)];
const workflows = [...Object.values(target.workflows), target.capacity.workflow];
const idsBy: Readonly<Record<string, readonly string[]>> = {
  workflow: workflows,
  execution: executions,
  profile: profiles,
  pool: [target.pool, target.profileGroup, target.capacity.profileGroup],
};
const idsOf = (operation: OperationId): readonly string[] => {
  const { subject } = operations[operation];
  return (subject && idsBy[subject]) ?? fixtures;
};

export const anyChoices: fc.Arbitrary<Partial<Choices>> = fc.record(
  Object.fromEntries(Object.entries(choices).map(([id, { values }]) => [id, fc.constantFrom(...Object.keys(values))])),
  { requiredKeys: [] },
);

const oddString = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '__proto__', 'constructor', '\u0000', '\ud800', '../..', '%E0%A4%A', 'x'.repeat(300), 'null'),
);
const anyJson = fc.jsonValue({ maxDepth: 3 });
const someId = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fixtures) }, fc.uuid());
const dictionary = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.oneof(fc.string(), oddString), value, { maxKeys: 4 });
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });

const tempFile = fc.oneof(fc.constant(target.tempFile), fc.record({ id: someId, name: oddString }));
const start = {
  version: fc.integer({ min: -1, max: 5 }),
  head: fc.boolean(),
  inputs: dictionary(anyJson),
  metadata: dictionary(oddString),
  executionOptions: fc.record(
    { softTimeoutMins: fc.integer({ min: -1, max: 70 }), variantKey: oddString },
    { requiredKeys: [] },
  ),
  profileId: someId,
  profileGroupId: someId,
  onCapacityLimit: fc.constantFrom('reject', 'queue'),
  tempFiles: some(tempFile),
  agentProfileId: someId,
  agentProfilePoolId: someId,
  dynamicData: dictionary(anyJson),
};
const flag = fc.boolean();
const cookie = fc.record(
  {
    domain: oddString,
    httpOnly: flag,
    key: oddString,
    name: oddString,
    secure: flag,
    value: oddString,
    id: fc.uuid(),
    expiry: fc.constantFrom('2030-01-01T00:00:00Z', '2030-02-30T00:00:00Z'),
  },
  { requiredKeys: ['domain', 'httpOnly', 'key', 'name', 'secure', 'value'] },
);
const credential = fc.record({ name: fc.oneof(oddString, fc.constant('Portal-Login')), data: oddString });
const itemId = fc.oneof(
  fc.uuid(),
  fc.constantFrom('30000001-0000-4000-8000-000000000000', '40000001-0000-4000-8000-000000000000'),
);
const coupled = couplings.flatMap((one) => [one.flag, one.needs]);
const all = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  Object.fromEntries(names.map((name) => [name, value]));
const update = {
  name: fc.oneof(oddString, fc.constantFrom('Nordwind portal', 'Südwind portal')),
  description: oddString,
  ...all([...coupled, ...openFlags.map((one) => one.flag), ...plainFlags], flag),
  extensionIds: some(fc.uuid()),
  inboxEmailPrefix: oddString,
  ...Object.fromEntries(words.map(({ field, word }) => [field, fc.constantFrom(word, 'other')])),
  ...all(idSettings, fc.uuid()),
  proxyMode: fc.constantFrom('none', 'managed', 'custom', 'gateway', 'other'),
  customProxy: dictionary(anyJson),
  cookiesToAdd: some(cookie),
  cookiesToDelete: some(itemId),
  credentialsToAdd: some(credential),
  credentialsToDelete: some(itemId),
  credentialsToUpdate: some(credential),
};

/** A few of the fields, and now and then one whose value is anything. */
const body = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> => {
  const names = Object.keys(fields);
  const right = fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 4 })
    .chain((picked) => fc.record(Object.fromEntries(picked.map((name) => [name, fields[name] ?? anyJson]))));
  const wrong = fc
    .tuple(right, fc.oneof(fc.constantFrom(...names), oddString), anyJson)
    .map(([object, name, value]) => ({ ...object, [name]: value }));
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 2, arbitrary: wrong }, anyJson);
};

const bodies: Partial<Record<OperationId, fc.Arbitrary<unknown>>> = {
  execute: body(start),
  executeSync: body({ ...start, timeoutSeconds: fc.integer({ min: -1, max: 27 }) }),
  updateProfile: body(update),
  duplicateProfile: body({ organizationId: someId }),
};

const noJson: fc.Arbitrary<Pick<Ask, 'raw'>> = fc.oneof(
  fc.string({ unit: 'binary' }).map((raw) => ({ raw })),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => ({ raw: new Uint8Array(bytes) })),
  fc.integer({ min: 1, max: 400 }).map((depth) => ({ raw: '[{"a":'.repeat(depth) })),
  fc
    .integer({ min: 1, max: 400 })
    .map((depth) => ({ raw: `{"inputs":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}` })),
  fc.constant({ raw: '{"head":true,"head":false,"inputs":{"a":1,"a":2}}' }),
);

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constant(keys.full) },
  fc.constantFrom(keys.restricted, keys.admin, keys.otherOrganization, 'wrong', null),
);
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/json; charset=utf-16' },
    { 'Content-Length': '0' },
    { 'Content-Length': '99999999' },
    { 'X-Api-Key': keys.full },
    { 'X-Service-Agents-Api-Key': 'wrong' },
    { Accept: 'text/html' },
  ),
);

export interface Generated {
  readonly operation: OperationId;
  readonly id: string;
  readonly ask: Ask;
}

export const anyRequest: fc.Arbitrary<Generated> = fc.constantFrom(...operationIds).chain((operation) => {
  const content = bodies[operation]?.map((value): Pick<Ask, 'body'> => ({ body: value }));
  return fc.record({
    operation: fc.constant(operation),
    id: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...idsOf(operation)) },
      { weight: 2, arbitrary: someId },
      oddString.map(encodeLoosely),
    ),
    ask: fc
      .tuple(content ? fc.oneof({ weight: 6, arbitrary: content }, noJson) : fc.constant({}), key, headers)
      .map(([what, who, how]) => ({ ...what, key: who, headers: how })),
  });
});

/** As a careless client puts it into a path: what would end the path is encoded, malformed encoding stays. */
function encodeLoosely(text: string): string {
  const encoded = text.replaceAll(/\p{Cs}/gu, '').replaceAll(/[/?#\\\s\p{C}]/gu, encodeURIComponent);
  return /^\.*$/.test(encoded) ? '%00' : encoded;
}

/** A method and path that may or may not exist. */
export const anyTarget = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
  path: fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'agents',
          'v2',
          'executions',
          'workflows',
          'execute',
          'sync',
          'agent-profiles',
          'files',
          '..',
          '',
        ),
        someId,
        oddString.map(encodeLoosely),
      ),
      { maxLength: 6 },
    )
    .map((parts) => `/${parts.join('/')}`),
});
