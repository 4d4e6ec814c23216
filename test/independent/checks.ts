import { type Fields, isFields, type Value } from './state.js';
import type { Problem } from './ways.js';

/** Why a request is not done. */
export class Refused extends Error {
  readonly problem: Problem;
  readonly field: string;

  constructor(problem: Problem, message: string, field = '') {
    super(message);
    this.problem = problem;
    this.field = field;
  }
}

export type Complain = (problem: Problem, message: string, field?: string) => void;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (value: Value | undefined): value is string => typeof value === 'string' && uuid.test(value);

type Test = (value: Value) => boolean;
const string: Test = (value) => typeof value === 'string';
const boolean: Test = (value) => typeof value === 'boolean';
const integer: Test = (value) => Number.isInteger(value);
const object: Test = isFields;
const listOf =
  (each: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(each);
const objectOf =
  (required: Record<string, Test>, optional: Record<string, Test> = {}): Test =>
  (value) =>
    isFields(value) &&
    Object.entries(required).every(([name, test]) => value[name] !== undefined && test(value[name])) &&
    Object.entries(optional).every(([name, test]) => value[name] === undefined || test(value[name]));

const start: Record<string, Test> = {
  version: integer,
  head: boolean,
  inputs: object,
  metadata: (value) => isFields(value) && Object.values(value).every((each) => typeof each === 'string'),
  executionOptions: objectOf({}, { softTimeoutMins: integer, variantKey: string }),
  profileId: isUuid,
  profileGroupId: isUuid,
  onCapacityLimit: (value) => value === 'reject' || value === 'queue',
  tempFiles: listOf(objectOf({ id: isUuid, name: string })),
  agentProfileId: isUuid,
  agentProfilePoolId: isUuid,
  dynamicData: object,
};

/** A date and a time, of a day that there is. */
const dateTime: Test = (value) => {
  const [, day] = (typeof value === 'string' && /^(\d{4}-\d\d-\d\d)T\d\d:\d\d/i.exec(value)) || [];
  if (day === undefined || Number.isNaN(Date.parse(String(value)))) return false;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
};

export const flags = [
  'adblockActive',
  'allow3rdCookies',
  'cachePersistence',
  'captchaSolverActive',
  'extraStealth',
  'forcePopupsAsTabsActive',
  'mediaBlockerActive',
  'pdfViewerActive',
  'popupBlockerActive',
  'tracingEnabled',
];

const update: Record<string, Test> = {
  name: string,
  description: string,
  ...Object.fromEntries(flags.map((flag) => [flag, boolean])),
  extensionIds: listOf(isUuid),
  inboxEmailPrefix: string,
  proxyType: (value) => value === 'basic',
  proxyGatewayPresetId: isUuid,
  cookiesToAdd: listOf(
    objectOf(
      { domain: string, httpOnly: boolean, key: string, name: string, secure: boolean, value: string },
      { expiry: dateTime },
    ),
  ),
  cookiesToDelete: listOf(isUuid),
  credentialsToAdd: listOf(objectOf({ data: string, name: string })),
  credentialsToDelete: listOf(isUuid),
  credentialsToUpdate: listOf(objectOf({ data: string, name: string })),
  customProxy: object,
};

/** Holds a body to the types of its fields, and leaves out what has a wrong one but was let through. */
function typed(body: Fields, tests: Record<string, Test>, strict: boolean, complain: Complain): Fields {
  const kept: Fields = {};
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
    if (!test) {
      if (strict) complain('unknown-field', `There is no field ${name}.`, name);
    } else if (!test(value)) {
      complain('wrong-type', `The field ${name} has a wrong type.`, name);
      continue;
    }
    kept[name] = value;
  }
  return kept;
}

export const typedStart = (body: Fields, sync: boolean, strict: boolean, complain: Complain): Fields =>
  typed(body, sync ? { ...start, timeoutSeconds: integer } : start, strict, complain);

export const typedUpdate = (body: Fields, more: readonly string[], strict: boolean, complain: Complain): Fields =>
  typed(body, { ...update, ...Object.fromEntries(more.map((name) => [name, string])) }, strict, complain);
