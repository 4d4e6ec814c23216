import { describe, expect, test } from 'vitest';
import { fieldNames, requestFields, usesOldName } from '../../../../conformance/engine/outcome/read.js';
import { exchange, ids } from '../../../support/evidence.js';

const start = (sent: unknown) => exchange({ operation: 'execute', sent, status: 202, body: {} });

describe('the field of a start', () => {
  test.each<[string, unknown, object]>([
    ['under its present name', { profileId: ids.profile, head: true }, { profileId: ids.profile, head: true }],
    ['under the new names of old ones', { agentProfileId: ids.profile }, { profileId: ids.profile }],
    ['by the present name when both exist', { dynamicData: { a: 1 }, inputs: { b: 2 } }, { inputs: { b: 2 } }],
    ['by the old name when the present one is null', { dynamicData: { a: 1 }, inputs: null }, { inputs: { a: 1 } }],
    ['not at all, if the body is not an object', ['a'], {}],
  ])('is read %s', (_, sent, want) => {
    expect(requestFields(start(sent))).toEqual(want);
  });

  test('is found by each of its names', () => {
    expect(fieldNames({ operation: 'execute' }, 'inputs')).toEqual(['inputs', 'dynamicData']);
    expect(fieldNames({ operation: 'execute' }, 'tempFiles')).toEqual(['tempFiles']);
    expect(fieldNames({ operation: null }, 'inputs')).toEqual(['inputs']);
  });

  test.each([
    [{ inputs: {} }, false],
    [{ dynamicData: {} }, true],
  ])('of %j has an old name: %s', (sent, want) => {
    expect(usesOldName(start(sent), 'inputs')).toBe(want);
  });
});
