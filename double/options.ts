import type * as service from '../deviations/index.js';
import { operationIds } from '../generated/operations.js';
import { Mistake, unknown } from '../reference/mistakes.js';

/** How a reference service is started; all are optional. */
export type ReferenceOptions = Omit<service.ReferenceOptions, 'front'>;

/** In words, as a message says it. */
const types = {
  anything: () => true,
  'a list': Array.isArray,
  'a number': (value: unknown) => typeof value === 'number',
  'a string': (value: unknown) => typeof value === 'string',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a function': (value: unknown) => typeof value === 'function',
  'an object': (value: unknown) => typeof value === 'object' && value !== null,
};
type Known<Options> = Readonly<Record<keyof Options, keyof typeof types>>;

const options: Known<ReferenceOptions> = {
  choices: 'anything',
  faults: 'a list',
  workflows: 'a list',
  denied: 'a list',
  limits: 'an object',
  port: 'a number',
  host: 'a string',
  basePath: 'a string',
  latencyMs: 'a number',
  speed: 'a number',
  seed: 'a number',
  cors: 'true or false',
  report: 'a function',
  clock: 'an object',
  replaceGlobals: 'true or false',
};

const limits: Known<NonNullable<ReferenceOptions['limits']>> = {
  concurrency: 'a number',
  queue: 'a number',
  ended: 'a number',
  endedBytes: 'a number',
  copies: 'a number',
  profileBytes: 'a number',
  bodyBytes: 'a number',
  bodyDepth: 'a number',
};

/** Throws for what the types forbid: from plain JavaScript, a misspelt option would else have no effect. */
export function checkReferenceOptions(given: ReferenceOptions): void {
  check('option', given, options);
  check('limit', given.limits ?? {}, limits);
  for (const operation of given.denied ?? [])
    if (!operationIds.includes(operation)) throw unknown('in denied the operation', operation, operationIds);
}

function check<Options extends object>(what: string, given: Options, known: Known<Options>): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) throw unknown(`the ${what}`, name, Object.keys(known));
    const type = known[name as keyof Options];
    if (value !== undefined && !types[type](value)) throw new Mistake(`${name} must be ${type}.`);
  }
}
