import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/operations.js';
import { requests, responses, responseValidator, schemas } from '../../generated/validators.js';
import { examples } from './document.js';

const id = '3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab';
const example = <T>(operation: OperationId, name: string) =>
  examples.find((candidate) => candidate.operation === operation && candidate.name === name)?.value as T;

test('the validators import nothing', () => {
  const code = readFileSync(new URL('../../generated/validators.js', import.meta.url), 'utf8');
  const outsideStrings = code.replaceAll(/(['"`]).*?\1/g, '');
  expect(outsideStrings).not.toMatch(/\brequire\(|^import\b|\bimport\(/m);
});

test.each([
  [true, '3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab', 'lower case'],
  [true, '3F0C9F0E-1A2B-4C3D-8E5F-0123456789AB', 'upper case'],
  [true, '00000000-0000-0000-0000-000000000000', 'nil'],
  [false, 'urn:uuid:3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab', 'a URN'],
  [false, '{3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab}', 'in braces'],
  [false, '3f0c9f0e1a2b4c3d8e5f0123456789ab', 'without hyphens'],
  [false, '3f0c9f0e-1a2b-4c3d-8e5f-0123456789a', 'one digit short'],
  [false, '3f0c9f0e-1a2b-4c3d-8e5f-0123456789ag', 'a letter that is no digit'],
  [false, ' 3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab', 'a space before'],
  [false, '3f0c9f0e-1a2b-4c3d-8e5f-0123456789ab\n', 'a line feed after'],
  [false, '', 'empty'],
])('uuid: %s for %j (%s)', (want, profileId) => {
  expect(requests.execute({ profileId })).toBe(want);
});

test.each([
  [true, '2026-03-02T09:00:00Z', 'UTC'],
  [true, '2026-03-02T09:00:00.1Z', 'one digit of a second'],
  [true, '2026-03-02T09:00:00.123456789012Z', 'twelve digits of a second'],
  [true, '2026-03-02T09:00:00+05:30', 'an offset'],
  [true, '2026-03-02t09:00:00z', 'lower case, as RFC 3339 allows'],
  [true, '2024-02-29T00:00:00Z', 'a leap day'],
  [true, '2000-02-29T00:00:00Z', 'a leap day in a year divisible by 400'],
  [true, '2016-12-31T23:59:60Z', 'a leap second'],
  [true, '2016-12-31T18:59:60-05:00', 'a leap second elsewhere'],
  [true, '2017-01-01T05:29:60+05:30', 'a leap second in the next year elsewhere'],
  [false, '2016-12-31T18:58:60Z', 'a 60th second within an hour'],
  [false, '2026-03-02 09:00:00Z', 'a space for the T'],
  [true, '2026-03-02T09:00:00', 'no offset'],
  [false, '2026-03-02T09:00:00.Z', 'no digit after the point'],
  [false, '2026-02-30T09:00:00Z', '30 February'],
  [false, '2025-02-29T09:00:00Z', 'a leap day in a common year'],
  [false, '1900-02-29T09:00:00Z', 'a leap day in 1900'],
  [false, '2026-04-31T09:00:00Z', '31 April'],
  [false, '2026-00-02T09:00:00Z', 'month 0'],
  [false, '2026-13-02T09:00:00Z', 'month 13'],
  [false, '2026-03-00T09:00:00Z', 'day 0'],
  [true, '2026-03-02T24:00:00Z', 'the end of a day'],
  [false, '2026-03-02T24:01:00Z', 'after the end of a day'],
  [false, '2026-03-02T25:00:00Z', 'hour 25'],
  [false, '2026-03-02T09:60:00Z', 'minute 60'],
  [false, '2026-03-02T09:00:61Z', 'second 61'],
  [false, '2026-03-02T09:00:00+24:00', 'offset of 24 hours'],
  [true, '2026-03-02T09:00:00+0530', 'an offset without a colon'],
  [true, '2026-03-02T09:00:00+05', 'an offset of hours'],
  [true, '2026-03-02T09:00:00,5Z', 'a comma before the fraction'],
  [true, '2026-03-02T09:00Z', 'no seconds'],
  [true, '20260302T090000Z', 'no separators'],
  [true, '2026-W10-1T09:00:00Z', 'a week date'],
  [true, '2026W101T0900Z', 'a week date without separators'],
  [true, '2026-W53-5T09:00:00Z', 'week 53 of a year that has it'],
  [false, '2025-W53-5T09:00:00Z', 'week 53 of a year that has 52'],
  [true, '2024-366T09:00:00Z', 'the last day of a leap year'],
  [false, '2025-366T09:00:00Z', 'day 366 of a common year'],
  [false, '2026-03T09:00:00Z', 'a month'],
  [false, '2026-W10-8T09:00:00Z', 'day 8 of a week'],
  [false, '2026-03-02TZ', 'no time'],
  [false, 'Mon, 02 Mar 2026 09:00:00 GMT', 'the notation of HTTP'],
  [false, '2026-03-02', 'a date'],
  [false, '1772442000000', 'milliseconds'],
])('date-time: %s for %s (%s)', (want, occurredAt) => {
  expect(schemas.ScriptFailure({ occurredAt })).toBe(want);
});

test.each([
  [true, 0],
  [true, 2147483647],
  [true, -2147483648],
  [false, 2147483648],
  [false, -2147483649],
  [false, 1.5],
  [false, '400'],
])('int32: %s for %j', (want, code) => {
  expect(schemas.StandardError({ code, message: 'm' })).toBe(want);
});

describe('an execution', () => {
  const running = example<object>('getExecution', 'running');
  const completed = example<object>('getExecution', 'completed');
  test.each([
    ['duration', 5],
    ['terminalAt', '2026-03-02T09:00:00Z'],
  ])('has no %s before it is terminal', (field, value) => {
    expect(schemas.Execution({ ...running, [field]: value })).toBe(false);
    expect(schemas.Execution({ ...completed, [field]: value })).toBe(true);
  });

  test.each(['liveViewUrl', 'recordingUrl'])('may have %s at any time: that it is missing is implied', (field) => {
    for (const one of [running, completed])
      expect(schemas.Execution({ ...one, [field]: 'https://example.com/l' })).toBe(true);
  });

  test('omits scriptFailures when there are none', () => {
    expect(schemas.Execution({ ...completed, scriptFailures: [] })).toBe(false);
  });

  test.each([
    [true, { source: 'api', apiKey: { id, name: 'k' } }],
    [true, { source: 'api' }],
    [true, { source: 'schedule' }],
    [false, { source: 1 }],
  ])('trigger context: %s for %j', (want, triggerContext) => {
    expect(schemas.Execution({ ...completed, triggerContext })).toBe(want);
  });
});

test('free-form JSON may be nested ten thousand levels deep', () => {
  let inputs: object = {};
  for (let level = 0; level < 10_000; level++) inputs = { inputs };
  expect(requests.execute({ inputs })).toBe(true);
});

test('every violation is reported with its place', () => {
  expect(requests.updateProfile({ name: '', description: 1 })).toBe(false);
  expect(requests.updateProfile.errors?.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
    ['/name', 'minLength'],
    ['/description', 'type'],
  ]);
});

test.each([
  ['the exact status', 'execute', 202, responses.execute['202']],
  ['its range', 'execute', 422, responses.execute['4XX']],
  ['the exact status before its range', 'execute', 401, responses.execute['401']],
  ['nothing', 'execute', 302, undefined],
  ['nothing beside exact statuses', 'getExecution', 418, undefined],
] as const)('the validator of a response is that of %s', (_, operation, status, want) => {
  expect(responseValidator(operation, status)).toBe(want);
});
