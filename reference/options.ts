import { UserError } from '../common/user-error.js';
import { operationIds } from '../generated/operations.js';
import type { AppOptions } from './app.js';
import type { Deviation } from './deviation.js';
import { unknown } from './mistakes.js';
import { optionValues } from './option-values.js';
import type { ServiceOptions } from './service.js';

/** The options of a reference service, all optional. */
export interface ReferenceOptions extends Omit<ServiceOptions, 'deviations'>, AppOptions {
  /** Faults to apply: ids, or deviations of your own. */
  readonly faults?: readonly (string | Deviation)[];
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /**
   * Whether to replace the global Request and Response by others that make it about twice as fast. Default: false,
   * because it affects the whole process.
   */
  readonly replaceGlobals?: boolean;
}

type Known<Options> = Readonly<Record<keyof Options, keyof typeof optionValues>>;

const options: Known<ReferenceOptions> = {
  choices: 'a string or an object',
  faults: 'a list',
  replicas: 'a whole number from 1',
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
  front: 'a function',
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
  requests: 'a whole number from 0',
};

/** Throws a UserError for options that are unknown or out of bounds: they would have no effect, or a strange one. */
export function checkReferenceOptions(given: ReferenceOptions): void {
  if (Object(given) !== given) throw new UserError('the options must be an object.');
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
