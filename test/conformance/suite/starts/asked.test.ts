import { expect, test } from 'vitest';
import { namesOnlyOtherFields } from '../../../../conformance/suite/starts/asked.js';
import { exchange } from '../../../support/evidence.js';
import { start } from '../../../support/runs.js';

const ofRoom = ['onCapacityLimit', 'profileGroupId'];
const sent = { profileGroupId: 'a group', onCapacityLimit: 'queue', executionOptions: { softTimeoutMins: 59 } };

test.each<[name: string, errors: unknown, status: number, blames: boolean]>([
  ['a field within another one', [{ parameter: 'executionOptions.softTimeoutMins' }], 422, true],
  ['the same as a pointer', [{ parameter: '/executionOptions/softTimeoutMins' }], 422, true],
  ['a field about capacity', [{ parameter: 'profileGroupId' }], 422, false],
  [
    'a field about capacity beside another one',
    [{ parameter: 'executionOptions' }, { parameter: 'onCapacityLimit' }],
    422,
    false,
  ],
  ['a field that was not sent', [{ parameter: 'capacity' }], 422, false],
  ['nothing', [], 422, false],
  ['no list', 'executionOptions', 422, false],
  ['another field, of a start that was accepted', [{ parameter: 'executionOptions' }], 202, false],
])(
  'a refusal names fields other than those about capacity only if each name is one of them: %s',
  (_, errors, status, blames) => {
    const refusal = exchange(start(sent, { status, body: { code: status, message: 'No.', errors } }));
    expect(namesOnlyOtherFields(refusal, ofRoom)).toBe(blames);
  },
);
