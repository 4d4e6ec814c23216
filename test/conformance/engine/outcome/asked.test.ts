import { describe, expect, test } from 'vitest';
import { asked, fieldNames, usesOldName } from '../../../../conformance/engine/outcome/read.js';
import { exchange, ids } from '../../../support/evidence.js';

const start = (sent: unknown) => exchange({ operation: 'execute', sent, status: 202, body: {} });

describe('what a start asks for', () => {
  test.each<[string, unknown, object]>([
    ['as it is, under present names', { profileId: ids.profile, head: true }, { profileId: ids.profile, head: true }],
    ['under the names that replace old ones', { agentProfileId: ids.profile }, { profileId: ids.profile }],
    ['by the present name where both are given', { dynamicData: { a: 1 }, inputs: { b: 2 } }, { inputs: { b: 2 } }],
    ['by the old name where the present one is null', { dynamicData: { a: 1 }, inputs: null }, { inputs: { a: 1 } }],
    ['nothing, if its body is no object', ['a'], {}],
  ])('is told %s', (_, sent, want) => {
    expect(asked(start(sent))).toEqual(want);
  });

  test('has a field by each of its names', () => {
    expect(fieldNames({ operation: 'execute' }, 'inputs')).toEqual(['inputs', 'dynamicData']);
    expect(fieldNames({ operation: 'execute' }, 'tempFiles')).toEqual(['tempFiles']);
    expect(fieldNames({ operation: null }, 'inputs')).toEqual(['inputs']);
  });

  test.each([
    [{ inputs: {} }, false],
    [{ dynamicData: {} }, true],
  ])('of %j is under an old name: %s', (sent, want) => {
    expect(usesOldName(start(sent), 'inputs')).toBe(want);
  });
});
