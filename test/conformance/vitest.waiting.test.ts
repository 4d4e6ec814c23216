import { describe, expect, it, test, vi } from 'vitest';
import { type CheckOptions, check } from '../../conformance/check.js';
import { lockTarget } from '../../conformance/engine/send/known-copies.js';
import { stateFolder } from '../../conformance/engine/settings/file.js';
import { parseTarget } from '../../conformance/suite/target/read.js';
import { type ConformanceTests, testConformance } from '../../conformance/vitest.js';
import { temporaryFolder } from '../support/folder.js';

test('check() waits for another run that changes the same resources, too', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('XDG_STATE_HOME', folder);
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const profile = '00000000-0000-4000-8000-000000000001';
  const held = await lockTarget('http://127.0.0.1:1', [profile], {
    folder: stateFolder(process.env),
    signal: new AbortController().signal,
    say: () => {},
  });
  const target = parseTarget(
    'target',
    JSON.stringify({ baseUrl: 'http://127.0.0.1:1', apiKeys: { primary: 'any' }, profile, allow: 'write' }),
    {},
  );
  await expect(check({ target, maxTimeMs: 300 })).rejects.toThrow('another run still uses what this one would change');
  expect(warned.mock.calls.join()).toContain('waiting until it ends');
  await held();
  expect((await check({ target })).preflight).toMatchObject({ usable: false });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('an option that the types forbid is refused:', () => {
  it.each([
    [{ target: 'target.yaml', stirct: true }, 'testConformance: stirct is not an option; did you mean strict?'],
    [{}, 'testConformance: target is missing: give a target file or its content.'],
  ])('%j', (options, says) => {
    expect(() => testConformance('a service', options as unknown as ConformanceTests)).toThrow(says);
  });

  it.each([
    [{ target: 'target.yaml' }, 'check: target must come from readTarget, parseTarget or makeTarget.'],
    [{ maxTime: 5 }, 'check: maxTime is not an option; did you mean maxTimeMs?'],
    [{ maxTimeMs: Number.NaN }, 'check: maxTimeMs must be a number of milliseconds above 0, not NaN.'],
    [{ maxTimeMs: 0 }, 'check: maxTimeMs must be a number of milliseconds above 0, not 0.'],
  ])('in check(): %j', async (options, says) => {
    await expect(check(options as unknown as CheckOptions)).rejects.toThrow(says);
  });
});
