import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changesBetween } from '../../../scripts/diff/changes.js';
import { bundle } from '../../../scripts/generate/bundle.js';
import type { Document } from '../../../scripts/generate/document.js';

/** What changed, where, and what stands there now: nothing when it is gone. */
type Case = [name: string, place: string, value?: unknown];

const path = (name: string) => `paths/~1agents~1v2~1${name.replaceAll('/', '~1')}`;
const execution = path('executions/{executionId}');
const duplicate = path('agent-profiles/{profileId}/duplicate');
const timeoutSeconds = 'schemas/ExecuteSyncRequest/allOf/1/properties/timeoutSeconds';

/** Each in a place of its own, so that one comparison finds them all. */
const breaking: Case[] = [
  ['a field that excludes another', 'schemas/ExecuteRequest/allOf/0/anyOf/1/properties/profileId', false],
  ['a further exclusivity', 'schemas/ExecuteRequest/allOf/2', { anyOf: [{ properties: { inputs: false } }] }],
  ['a field required beside another', 'schemas/TempFileReference/dependentRequired', { name: ['id'] }],
  ['a newly required field of a request', 'schemas/CredentialUpdate/required', ['data', 'name', 'kind']],
  ['a narrowed enumeration of a request', 'schemas/ExecuteRequest/properties/onCapacityLimit/enum', ['reject']],
  ['a lowered maximum', `${timeoutSeconds}/maximum`, 20],
  ['another default', `${timeoutSeconds}/default`, 20],
  ['a field that a request loses', 'schemas/AgentProfileUpdate/properties/inboxEmailPrefix'],
  ['a field that an answer loses', 'schemas/Execution/properties/parentExecutionId'],
  ['a field of an answer that may be missing', 'schemas/Comment/required', ['id']],
  ['a status that callers do not know', 'schemas/ExecutionStatus/enum/9', 'archived'],
  ['another terminal state', 'schemas/ExecutionStatus/x-lifecycle/terminal', ['completed']],
  ['a list that may now be empty', 'schemas/Execution/properties/scriptFailures/minItems'],
  ['a field that only terminal executions had', 'schemas/Execution/else/properties/duration'],
  ['a field, of requests and answers, that may be missing', 'schemas/Cookie/required', ['domain']],
  ['another type', 'schemas/ExecutionFile/properties/fileSize/type', 'string'],
  ['an error status that is told no more', `${execution}/get/responses/404`],
  ['a success status that is told no more', `${duplicate}/post/responses/2XX`],
  ['another key header', 'securitySchemes/serviceAgentsApiKey/name', 'Authorization'],
  ['an operation that is gone', `${path('agent-profile-pools/{poolId}')}/delete`],
];

const compatible: Case[] = [
  ['a description', 'schemas/Execution/description', 'Reworded.'],
  ['a further field of an answer', 'schemas/HumanLabel/properties/shade', { type: 'string' }],
  ['a further field of a request', 'schemas/AgentProfileUpdate/properties/nickname', { type: 'string' }],
  [
    'a further word in a request',
    'schemas/ExecuteRequest/properties/onCapacityLimit/enum',
    ['reject', 'queue', 'wait'],
  ],
  ['a raised maximum', `${timeoutSeconds}/maximum`, 60],
  ['an exclusivity that is given up', 'schemas/ExecuteRequest/allOf/1'],
  ['a field of an answer that is always there now', 'schemas/Execution/required/10', 'inputs'],
  ['a deprecation', 'schemas/ExecuteRequest/properties/tempFiles/deprecated', true],
  ['a further error status', `${execution}/get/responses/409`, { description: 'Refused.' }],
];

let scratch: string;
let base: Document;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'diff-test-'));
  base = await bundle(fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url)));
});
afterAll(() => rm(scratch, { recursive: true }));

/** The places of the changes that a comparison finds, and of the breaking ones among them. */
async function compare(cases: readonly Case[]) {
  const revision = structuredClone(base);
  for (const [, place, value] of cases) put(revision, place, value);
  const changes = await changesBetween(base, revision, scratch);
  const places = (found: typeof changes) => found.map(({ pointer }) => pointer.replace(/^#\/(components\/)?/, ''));
  return { all: places(changes), breaking: places(changes.filter((change) => change.breaking)) };
}

function put(document: Document, place: string, value: unknown): void {
  const keys = place.split('/').map((key) => key.replaceAll('~1', '/'));
  const last = keys.pop() ?? '';
  const within = keys[0] === 'paths' ? document : document.components;
  const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], within);
  if (value === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (value === undefined) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
}

/** Redocly points at a list, not at the item that it gained. */
const missing = (cases: readonly Case[], found: readonly string[]) =>
  cases.filter(([, place]) => !found.includes(place) && !found.includes(place.replace(/\/\d+$/, '')));

it('a change that breaks callers is found breaking, whether they send or receive what changed', async () => {
  expect(missing(breaking, (await compare(breaking)).breaking)).toEqual([]);
});

it('a change that breaks nobody is found, and is not breaking', async () => {
  const found = await compare(compatible);
  expect(found.breaking).toEqual([]);
  expect(missing(compatible, found.all)).toEqual([]);
});

it('nothing is found between a contract and itself', async () => {
  expect((await compare([])).all).toEqual([]);
});
