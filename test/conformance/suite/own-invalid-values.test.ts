import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { answerBody, requestBody } from '../../../conformance/engine/outcome/read.js';
import {
  fieldsNotAllowed,
  ownInvalidValuesRemarks,
  withoutOwnInvalidValues,
} from '../../../conformance/suite/own-invalid-values.js';
import { inOrder, type Sketch } from '../../support/evidence.js';
import { baseline, cookie, known, update } from '../../support/profiles.js';
import { reading, start } from '../../support/runs.js';
import { probe } from '../../support/sketches.js';

const typed = (sketch: Sketch): Sketch => probe('update-body-is-typed', sketch);
const wrongCookie = cookie('wrong', { expiry: 5 });
const [own, wrong] = [known(cookie('own'), '1'), known(wrongCookie, '2')];

/** What the last answer shows of a field. */
function shows(field: string, given: readonly Sketch[]): unknown {
  const last = withoutOwnInvalidValues(inOrder(given)).at(-1);
  return last && answerBody(last)?.[field];
}

test.each<[string, object, string[]]>([
  ['an optional field', { reason: 'late', note: 5 }, ['note']],
  ['the required field', { reason: 5, note: 'text' }, ['reason']],
  ['both', { reason: 5, note: 5 }, ['reason', 'note']],
  ['neither, in a body without the required field', { note: 'text' }, []],
])('a request with a required field is wrong in %s', (_, body, want) => {
  const isValid = new Ajv2020().compile({
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string' }, note: { type: 'string' } },
  });
  expect(fieldsNotAllowed({ ...body }, { reason: 'text' }, isValid)).toEqual(want);
});

describe('a wrong value that a service stores', () => {
  test.each<[string, string, Sketch[], unknown]>([
    [
      'an item is removed from later readings',
      'cookies',
      [
        baseline({ cookies: [own] }),
        typed(update({ cookiesToAdd: [wrongCookie] }, { cookies: [own, wrong] })),
        baseline({ cookies: [own, wrong] }),
      ],
      [own],
    ],
    [
      'a setting keeps its earlier value',
      'description',
      [baseline(), typed(update({ description: 5 }, { description: 5 })), baseline({ description: 5 })],
      'Signs in.',
    ],
    [
      'a setting after two wrong values keeps the value before both',
      'description',
      [
        baseline(),
        typed(update({ description: 5 }, { description: 5 })),
        typed(update({ description: [] }, { description: [] })),
      ],
      'Signs in.',
    ],
    [
      'a value of a start is removed from its execution',
      'metadata',
      [probe('execute-body-is-typed', start({ metadata: { a: 1 } })), reading('completed', { metadata: { a: 1 } })],
      undefined,
    ],
    [
      'a value of a start under an old name is removed under the present one',
      'inputs',
      [probe('execute-body-is-typed', start({ dynamicData: ['a'] })), reading('completed', { inputs: ['a'] })],
      undefined,
    ],
    [
      'a value of a start is removed under the old name too, if an execution has it',
      'agentProfileId',
      [
        probe('execute-body-is-typed', start({ profileId: 'nobody' })),
        reading('completed', { agentProfileId: 'nobody' }),
      ],
      undefined,
    ],
    [
      'valid values beside it stay',
      'description',
      [baseline(), typed(update({ description: 'B', name: 5 }, { description: 'B', name: 5 }))],
      'B',
    ],
    [
      'a refused value hides no other',
      'cookies',
      [
        typed(update({ cookiesToAdd: [wrongCookie] }, {}, { status: 400, body: { code: 400, message: 'No.' } })),
        baseline({ cookies: [own, wrong] }),
      ],
      [own, wrong],
    ],
    [
      'a value that was not sent as wrong is evidence',
      'cookies',
      [update({ cookiesToAdd: [wrongCookie] }, { cookies: [wrong] }), baseline({ cookies: [wrong] })],
      [wrong],
    ],
  ])('%s', (_, field, given, want) => expect(shows(field, given)).toEqual(want));

  test('an update with a wrong list requires none of its items', () => {
    const [one] = withoutOwnInvalidValues(
      inOrder([typed(update({ cookiesToAdd: [wrongCookie], name: 'B' }, { name: 'B' }))]),
    );
    expect(one && requestBody(one)).toEqual({ cookiesToAdd: [], name: 'B' });
  });

  test('is the same object each time, so that caches of it stay valid', () => {
    const all = inOrder([typed(update({ cookiesToAdd: [wrongCookie] }, { cookies: [wrong] })), baseline()]);
    expect(withoutOwnInvalidValues(all)).toEqual(withoutOwnInvalidValues(all));
    for (const [place, one] of withoutOwnInvalidValues(all).entries())
      expect(withoutOwnInvalidValues(all)[place]).toBe(one);
  });

  test('is reported, with the fields and the rule', () => {
    const all = inOrder([typed(update({ cookiesToAdd: [wrongCookie] }, { cookies: [wrong] }))]);
    expect(ownInvalidValuesRemarks(all).join()).toMatch(/cookiesToAdd.*is reported under update-body-is-typed/);
    expect(ownInvalidValuesRemarks(inOrder([baseline()]))).toEqual([]);
  });
});
