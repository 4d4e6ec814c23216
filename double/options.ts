import { UserError } from '../common/user-error.js';
import type * as service from '../deviations/index.js';
import { operationIds } from '../generated/operations.js';
import { unknown } from '../reference/mistakes.js';
import { optionValues } from '../reference/option-values.js';

/** The options of a reference service, all optional. */
export type ReferenceOptions = Omit<service.ReferenceOptions, 'front'>;

type Known<Options> = Readonly<Record<keyof Options, keyof typeof optionValues>>;

const options: Known<ReferenceOptions> = {
  choices: 'a string or an object',
  faults: 'a list',
  disturbances: 'a list',
  workflows: 'a list',
  denied: 'a list',
  limits: 'an object',
  port: 'a port from 0 to 65535',
  host: 'a string',
  basePath: 'a path such as /gateway',
  latencyMs: 'milliseconds from 0 to a day',
  speed: 'a number above 0',
  seed: 'a whole number',
  cors: 'true or false',
  report: 'a function',
  clock: 'a clock with now, setTimeout and clearTimeout',
  replaceGlobals: 'true or false',
};

const limits: Known<NonNullable<ReferenceOptions['limits']>> = {
  concurrency: 'a whole number from 1',
  queue: 'a whole number from 0',
  ended: 'a whole number from 0',
  endedBytes: 'a whole number from 0',
  copies: 'a whole number from 0',
  profileBytes: 'a whole number from 0',
  bodyBytes: 'a whole number from 0',
  bodyDepth: 'a whole number from 0',
};

/** Throws a UserError for options that are unknown or out of bounds: they would have no effect, or a strange one. */
export function checkReferenceOptions(given: ReferenceOptions): void {
  if (typeof given !== 'object' || given === null) throw new UserError('the options must be an object.');
  check('option', '', given, options);
  check('limit', 'limits.', given.limits ?? {}, limits);
  for (const operation of given.denied ?? [])
    if (!operationIds.includes(operation)) throw unknown('in denied the operation', operation, operationIds);
}

function check<Options extends object>(what: string, where: string, given: Options, known: Known<Options>): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) throw unknown(`the ${what}`, name, Object.keys(known));
    const words = known[name as keyof Options];
    if (value !== undefined && !optionValues[words](value)) throw new UserError(`${where}${name} must be ${words}.`);
  }
}
