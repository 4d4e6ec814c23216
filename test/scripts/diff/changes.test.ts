import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { changesBetween } from '../../../scripts/diff/changes.js';
import { bundle } from '../../../scripts/generate/bundle.js';
import type { Document } from '../../../scripts/generate/document.js';

/** What changed, where, and what stands there now: nothing when it is gone. */
type Case = [name: string, place: string, value?: unknown];

const path = (name: string) => `paths/~1agents~1v2~1${name.replaceAll('/', '~1')}`;
const execution = path('executions/{executionId}');
const base = await bundle(fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url)));
const at = (place: string) => placeOf(base, place).parent[placeOf(base, place).last];

/** Each in a place of its own, so that one comparison finds them all. */
const breaking: Case[] = [
  ['a field that excludes another', 'schemas/ExecuteRequest/allOf/0/anyOf/1/properties/profileId', false],
  [
    'a further exclusivity',
    'schemas/ExecuteRequest/allOf/2',
    { anyOf: [{ properties: { inputs: false } }, { properties: { metadata: false } }] },
  ],
  ['a field required beside another', 'schemas/AgentProfileUpdate/dependentRequired', { name: ['description'] }],
  ['a field that an answer loses', 'schemas/Execution/properties/parentExecutionId'],
  ['another terminal state', 'schemas/ExecutionStatus/x-lifecycle/terminal', ['completed']],
  ['a field that only terminal executions had', 'schemas/Execution/else/properties/duration'],
  ['a field, of requests and answers, that may be missing', 'schemas/Cookie/required', ['domain']],
  ['an error status that is told no more', `${execution}/get/responses/404`],
  ['another key header', 'securitySchemes/serviceAgentsApiKey/name', 'Authorization'],
];

const compatible: Case[] = [
  ['a description', 'schemas/Execution/description', 'Reworded.'],
  ['an exclusivity that is given up', 'schemas/ExecuteRequest/allOf/1'],
  ['a gap that is closed', 'schemas/Cookie/properties/id/x-gap'],
  ['a gap that is opened', 'schemas/Comment/properties/content/x-gap', 'text-length-unit'],
  ['a gap of a key header', 'securitySchemes/apiKey/x-gap', ['key-in-both-headers']],
  ['a state of another kind, which is no end', 'schemas/ExecutionStatus/x-lifecycle/active', ['running', 'paused']],
  [
    'a transition that is shown',
    'schemas/ExecutionStatus/x-lifecycle/transitions/3',
    { from: 'starting', to: 'running', when: 'soon' },
  ],
  ['an example', 'examples/duplicate-request-other-organization/value', { organizationId: '1' }],
  ['a link', `${execution}/get/responses/200/links`, { files: { operationId: 'listExecutionFiles' } }],
  ['the label of the interface', 'info/version', 'v2'],
];

const copied = (place: string, change: (value: never) => unknown): unknown =>
  change(structuredClone(at(place)) as never);

/** The same in other words. */
const same: Case[] = [
  [
    'a reference within allOf',
    'schemas/ExecuteRequest/properties/executionOptions',
    { allOf: [{ $ref: '#/components/schemas/ExecutionOptions' }] },
  ],
  [
    'what is referred to, in its place',
    'schemas/Execution/properties/executionOptions',
    at('schemas/RecordedExecutionOptions'),
  ],
  [
    'a field moved into allOf',
    'schemas/DuplicateProfileRequest',
    copied('schemas/DuplicateProfileRequest', ({ properties, ...rest }: { properties: object }) => ({
      ...rest,
      allOf: [{ properties }],
    })),
  ],
  ['an enumeration in another order', 'schemas/TerminalExecutionStatus/enum', ['failed', 'cancelled', 'completed']],
  [
    'required fields in another order',
    'schemas/Cookie/required',
    ['value', 'secure', 'name', 'key', 'httpOnly', 'domain'],
  ],
  [
    'options in another order',
    'schemas/ExecuteRequest/allOf',
    copied('schemas/ExecuteRequest/allOf', (all: { anyOf: unknown[] }[]) =>
      all.map(({ anyOf }) => ({ anyOf: anyOf.reverse() })).reverse(),
    ),
  ],
];

/** The places of the changes that a comparison finds, and of the breaking ones among them. */
function compare(cases: readonly Case[]) {
  const revision = structuredClone(base);
  for (const [, place, value] of cases) put(revision, place, value);
  const changes = changesBetween({ document: base, register: undefined }, { document: revision, register: undefined });
  const places = (found: typeof changes) => found.map(({ pointer }) => pointer.replace(/^#\/(components\/)?/, ''));
  return { all: places(changes), breaking: places(changes.filter((change) => change.breaking)), changes };
}

function placeOf(document: Document, place: string): { parent: Record<string, unknown>; last: string } {
  const keys = place.split('/').map((key) => key.replaceAll('~1', '/'));
  const last = keys.pop() ?? '';
  const within = ['paths', 'info'].includes(keys[0] ?? '') ? document : document.components;
  return { parent: keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], within) as never, last };
}

function put(document: Document, place: string, value: unknown): void {
  const { parent, last } = placeOf(document, place);
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (value === undefined) delete parent[last];
  else parent[last] = value;
}

/** A change is told at what says so: the place that was changed, one within it, or the list that it is in. */
const missing = (cases: readonly Case[], found: readonly string[]) =>
  cases.flatMap(([name, place]) =>
    found.some((one) => one.startsWith(place) || place.startsWith(one.replace(/\/[^/]+$/, '/'))) ? [] : [name],
  );

it('a change that breaks callers is breaking, in requests and in answers', () => {
  expect(missing(breaking, compare(breaking).breaking)).toEqual([]);
  // By itself: with it go the schemas of its answers.
  const gone: Case[] = [['an operation that is gone', `${execution}/get`]];
  expect(missing(gone, compare(gone).breaking)).toEqual([]);
});

it('a change that breaks no caller is found, and is not breaking', () => {
  const found = compare(compatible);
  expect(found.breaking).toEqual([]);
  expect(missing(compatible, found.all)).toEqual([]);
});

it('the same contract in other words is no change', () => {
  expect(compare(same).changes).toEqual([]);
});

it('another name for the same key is no change', () => {
  const again = { type: 'apiKey', in: 'header', name: 'X-Service-Agents-Api-Key' };
  const cases: Case[] = [
    ['', 'securitySchemes/again', again],
    ['', `${execution}/get/security`, [{ again: [] }]],
  ];
  expect(compare(cases).changes).toEqual([]);
});
