import { expect } from 'vitest';
import { judgeRecordings } from '../../conformance/engine/recording/pipeline.js';
import { keys } from '../../reference/index.js';
import { test } from '../support/browser.js';
import { recordInBrowser } from '../support/browser-recording.js';
import { source } from '../support/recordings.js';

test("a browser's recording of a session with the service is judged", async () => {
  const recording = await recordInBrowser();
  expect(recording).toContain(keys.full);
  const run = await judgeRecordings([source(recording)]);
  const of = (wanted: string) =>
    [...run.rules, ...run.callers].filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  expect(of('violated')).toEqual([]);
  expect(of('passed')).toEqual(
    expect.arrayContaining([
      'response-matches-schema',
      'inputs-are-recorded',
      'simple-error-code',
      'update-applies',
      'no-secrets-in-responses',
      'caller-sends-shown-header',
    ]),
  );
  expect(run).toMatchObject({ unrecorded: 0, executionsStarted: 2 });
  // The page itself, and its icon where the browser asks for one, are no requests of the interface.
  expect(run.foreign).toBeGreaterThanOrEqual(1);
  // Each call of the session once, however few readings it took to see an end.
  expect(run.requests).toBeGreaterThanOrEqual(8);
  expect(JSON.stringify(run)).not.toContain(keys.full);
});
