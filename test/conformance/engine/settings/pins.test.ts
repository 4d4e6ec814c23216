import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareWithPins, pinText, readPins } from '../../../../conformance/engine/settings/baseline.js';
import { temporaryFolder } from '../../../support/folder.js';

const folder = temporaryFolder();

const file = (text: string) => {
  const path = join(folder, 'pins.json');
  writeFileSync(path, text);
  return path;
};

const observed = [
  { id: 'rate-limit-headers', observed: ['204'] },
  { id: 'exclusivity-status', observed: ['execute: 422', 'execute: 400'] },
  { id: 'trigger-sources', observed: [] },
] as const;

describe('a pin file', () => {
  it('is the same for any order of observations, and omits gaps without one', () => {
    const text = pinText(observed);
    expect(pinText(observed.toReversed())).toBe(text);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      gaps: { 'exclusivity-status': ['execute: 400', 'execute: 422'], 'rate-limit-headers': ['204'] },
    });
  });

  it('is read as it was written', () => {
    expect(compareWithPins(observed, readPins(file(pinText(observed))))).toEqual({ differences: [], remarks: [] });
  });

  it('may have a gap that was closed since', () => {
    expect(readPins(file('{"version": 1, "gaps": {"closed": ["x"]}}'))).toEqual({});
  });

  it.each(['{}', '[]', '{"version": 2, "gaps": {}}', '{"version": 1, "gaps": {"trigger-sources": "api"}}'])(
    'is not %s',
    (text) => {
      expect(() => readPins(file(text))).toThrow(/pins\.json:1:1: this is not a pin file; --pin writes one\./);
    },
  );
});

describe('compared with pins', () => {
  it.each([
    ['the same', ['204'], ['204'], {}],
    ['the same in another order', ['200', '204'], ['204', '200'], {}],
    ['another answer', ['204'], ['200'], { differences: 'rate-limit-headers was pinned as 204, and is now 200' }],
    ['one more answer', ['204'], ['200', '204'], { differences: 'was pinned as 204, and is now 200, 204' }],
    ['one answer less', ['200', '204'], ['204'], { remarks: 'not observed this time: rate-limit-headers (200)' }],
    ['no answer', ['204'], [], { remarks: 'not observed this time: rate-limit-headers (204)' }],
    ['a first answer', undefined, ['204'], { remarks: 'not pinned: rate-limit-headers (204)' }],
  ])('%s: pinned %j, now %j', (_, pinned, now, want: { differences?: string; remarks?: string }) => {
    const pins = pinned ? { 'rate-limit-headers': pinned } : {};
    const { differences, remarks } = compareWithPins([{ id: 'rate-limit-headers', observed: now }], pins);
    expect(differences).toEqual(want.differences ? [expect.stringContaining(want.differences)] : []);
    expect(remarks).toEqual(want.remarks ? [expect.stringContaining(want.remarks)] : []);
  });
});

describe('an observation that depends on the time of polling', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'states that were passed or not seen',
      ['starting → running', 'running → completed', 'running → paused', 'paused → running'],
      ['starting → completed', 'starting → paused', 'paused → completed'],
    ],
    ['only states that pass', ['starting → running'], []],
  ])('is not pinned: %s', (_, one, other) => {
    const of = (observed: readonly string[]) => [{ id: 'other-transitions', observed }] as const;
    const paused = (text: string) => JSON.parse(text).gaps['other-transitions'];
    if (other.length > 0) expect(paused(pinText(of(one)))).toEqual(['paused → …', '… → completed', '… → paused']);
    expect(pinText(of(one))).toBe(pinText(of(other)));
    expect(compareWithPins(of(one), { 'other-transitions': other })).toEqual({ differences: [], remarks: [] });
  });
});
