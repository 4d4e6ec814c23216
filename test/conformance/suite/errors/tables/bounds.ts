import type { Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import { standardError, started, step } from '../../../../support/sketches.js';
import { refusalRows } from '../../starts/tables/refusals.js';

const update = (sent: object, status = 200, body: object = {}): Sketch => ({
  operation: 'updateProfile',
  status,
  body,
  sent,
});
/** The refusal of a name that another profile has. */
const taken = (body: object): Sketch => ({
  ...update({ name: 'Shop' }, 400, body),
  mark: { probe: { rule: 'profile-name-is-unique', fault: "another profile's name", controls: [] } },
});
const text = (length: number) => 'n'.repeat(length);

/** Lengths that are refused, and the one that is taken. */
const lengths = (
  field: string,
  bound: number,
  ordinary: number,
  outside: readonly number[],
  taken: readonly Sketch[] = [],
): Table => {
  const at = (status: number) => step(`${field}-${bound}`, update({ [field]: text(bound) }, status));
  const beside = step(field, update({ [field]: text(ordinary) }));
  return {
    [`satisfied: ${bound} characters, taken at the second try`]: [at(409), at(200)],
    [`violated: ${bound} characters, refused where ${ordinary} are taken`]: {
      given: [at(400), beside, ...taken],
      says: [`a ${field} of ${bound} characters to be taken`, '400'],
    },
    [`inconclusive: ${bound} characters, refused as any other is`]: { given: [at(400)], says: 'for its own sake' },
    [`inconclusive: ${bound} characters, refused as ${ordinary} are`]: [
      at(400),
      step(field, update({ [field]: text(ordinary) }, 400)),
    ],
    [`inconclusive: ${bound} characters, beside an update of something else`]: [
      at(400),
      step('flags', update({ extensionIds: [] })),
    ],
    [`inconclusive: ${bound} characters, too long for what stands before the service`]: [
      { ...at(413), rawBody: { kind: 'not-json', text: '<html>', error: 'no JSON', bytes: 6 } },
      beside,
    ],
    [`violated: ${bound} characters, too long for the service itself`]: [{ ...at(413), body: standardError }, beside],
    ...all(
      outside.map((length) => ({
        [`violated: recorded: ${length} characters accepted`]: {
          given: [update({ [field]: text(length) })],
          says: `a ${field} of ${length} characters`,
        },
      })),
    ),
  };
};

const sync = (timeoutSeconds: unknown, status: number, sent: object = {}): Sketch => ({
  operation: 'executeSync',
  status,
  body: status < 400 ? started : standardError,
  sent: { ...sent, timeoutSeconds, inputs: { marker: Math.random() } },
});
const ours = (sketch: Sketch) => step('start', sketch);
const { timeoutSeconds: _, ...unbounded } = sync(0, 202).sent as { timeoutSeconds: number };
const hour = { facts: { agentHardTimeoutMins: 60 } };
/** A start with a soft timeout, or without one. */
const soft = (softTimeoutMins?: number, status = 202, more: object = {}): Sketch => ({
  operation: 'execute',
  status,
  body: status < 400 ? started : standardError,
  sent: { ...more, ...(softTimeoutMins !== undefined && { executionOptions: { softTimeoutMins } }) },
});
const withDefault: Sketch = { ...sync(0, 202), sent: unbounded };

export const bounds = {
  'profile-name-length': {
    ...refusalRows('profile-name-length', 'updateProfile'),
    ...lengths('name', 1, 7, [0, 256], [taken({ code: 400, message: 'The name Shop is taken.' })]),
    'inconclusive: 1 character, refused like a name in use': [
      step('name-1', update({ name: 'n' }, 400, { code: 400, message: 'The name "n" is taken.' })),
      step('name', update({ name: 'neither' })),
      taken({ code: 400, message: 'The name "Shop" is taken.' }),
    ],
    'inconclusive: 1 character, refused where the refusal of a name in use is unknown': [
      step('name-1', update({ name: 'n' }, 409)),
      step('name', update({ name: 'neither' })),
    ],
    ...lengths('name', 255, 7, []),
  },
  'profile-description-length': {
    ...refusalRows('profile-description-length', 'updateProfile'),
    ...lengths('description', 1000, 7, [1001]),
  },
  'soft-timeout-below-hard-timeout': {
    ...refusalRows('soft-timeout-below-hard-timeout'),
    'inconclusive: one below, refused in a start that asks for more': {
      given: [ours(soft(59, 400, { version: 9 })), ours(soft())],
      ...hour,
    },
  },
  'sync-timeout-range': {
    ...refusalRows('sync-timeout-range', 'executeSync'),
    'satisfied: 1 and 25, accepted': [ours(sync(1, 202)), ours(sync(25, 200))],
    'violated: 25, refused although the start is accepted without it': [
      ours(sync(25, 400, { version: 3 })),
      ours(sync(5, 202)),
      ours({ operation: 'execute', status: 202, body: started, sent: { version: 3 } }),
    ],
    'inconclusive: 25, refused where no other wait is accepted': [
      ours(sync(25, 400)),
      ours({ operation: 'execute', status: 202, body: started, sent: {} }),
    ],
    'violated: 25, refused although the same fields are accepted in another order': [
      ours(sync(25, 400, { version: 3, head: null })),
      ours(sync(5, 202, { head: null, version: 3 })),
    ],
    'inconclusive: 1, refused like the default': [
      ours(sync(1, 400)),
      ours({ ...withDefault, status: 400 }),
      ours(sync(5, 202, { version: 3 })),
    ],
    'violated: 5, refused although the start is accepted without it': {
      given: [ours(sync(5, 400)), ours(sync(7, 202)), ours(withDefault)],
      says: 'timeoutSeconds 5 to be taken',
    },
    'violated: recorded: 0 accepted': { given: [sync(0, 202)], says: 'timeoutSeconds 0' },
    'violated: recorded: 26 accepted': [sync(26, 202)],
    'ignored: a wrong key, which may be refused': [
      { ...sync(1, 401), mark: { credential: 'invalid' } },
      ours(withDefault),
    ],
  },
} satisfies Tables;
