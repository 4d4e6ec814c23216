import { expect, test } from 'vitest';
import { compare } from '../../conformance/engine/report/compare.js';
import { assemble } from '../../conformance/engine/report/json.js';
import { junit } from '../../conformance/engine/report/junit.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { baselineText, parseBaseline } from '../../conformance/engine/settings/baseline.js';
import { findFault } from '../../deviations/index.js';
import { type Declared, oneWorkflow, runFor, usualTarget } from '../support/usual-run.js';

const rule = 'response-matches-schema';
const declared: Declared = { ...oneWorkflow, allow: 'write' };
const { facts } = usualTarget(declared);
const today = '2026-01-01';

const run = (...faults: readonly string[]) => runFor(rule, declared, { faults: faults.map(findFault) });
const reportOf = (found: Awaited<ReturnType<typeof run>>, baseline = '') => {
  const conclusion = conclude(found, { today, baseline: parseBaseline('baseline.yaml', baseline) });
  return { conclusion, report: assemble(found, conclusion, facts) };
};

test('three faults of one rule are three violations, and a known one does not hide the others', async () => {
  const one = await run('trigger-key-is-a-text');
  const three = await run('trigger-key-is-a-text', 'script-failures-are-empty', 'cookies-lack-the-key');
  const first = reportOf(one);
  const known = baselineText(first.report);
  expect(reportOf(one, known).conclusion).toMatchObject({ verdict: 'conformant', exitCode: 0 });

  const { conclusion, report } = reportOf(three, known);
  expect(conclusion).toMatchObject({ verdict: 'nonconformant', exitCode: 1 });
  const violations = report.rules.find(({ id }) => id === rule)?.violations ?? [];
  const named = violations.map(({ operation, signature, known: isKnown }) => `${operation} ${signature} ${isKnown}`);
  expect(named).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^getExecution .*\/triggerContext\/apiKey type true$/),
      expect.stringMatching(/^getExecution .*\/scriptFailures minItems undefined$/),
      expect.stringMatching(/^updateProfile .*\/key missing undefined$/),
    ]),
  );

  const told = compare(first.report, report);
  const of = (changes: typeof told.still) => changes.flatMap(({ signature = [] }) => signature).join();
  expect(of(told.still)).toMatch(/apiKey/);
  expect(of(told.broken)).toMatch(/scriptFailures/);
  expect(of(told.broken)).not.toMatch(/apiKey/);

  // The known one is not among what fails.
  const [failure = ''] = /<failure message="[^"]*"/.exec(junit(report)) ?? [];
  expect(failure).toContain('scriptFailures');
  expect(failure).toContain('/key missing');
  expect(failure).not.toContain('apiKey');
});
