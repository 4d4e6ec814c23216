import { expect, test } from 'vitest';
import { withScripts } from '../../../../conformance/engine/report/sequence.js';
import { findFault } from '../../../../deviations/index.js';
import { hasShell, runOn } from '../../../support/shell.js';
import { usualRun } from '../../../support/usual-run.js';

test.skipIf(!hasShell).each<[fault: string, rule: string, missing: RegExp]>([
  ['ends-are-read-late', 'status-is-current', /how long something takes/],
  ['metadata-is-shown-after-the-queue', 'metadata-is-shown', /no status or plain field/],
  ['recording-while-running', 'recording-only-when-terminal', /no status or plain field/],
])('the script of %s for %s says what is missing where it cannot tell', async (fault, rule, missing) => {
  const { rules, evidence } = await usualRun({ allow: 'execute' }, fault);
  const [{ again = '' } = {}] = withScripts(rules, evidence.exchanges).find(({ id }) => id === rule)?.violations ?? [];
  const { code, output } = await runOn(again, [findFault(fault)]);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringMatching(missing) });
  expect((await runOn(again, [])).code).not.toBe(0);
});

test.skipIf(!hasShell).each<[fault: string, rule: string]>([
  ['refused-names-are-stored', 'profile-name-is-unique'],
  ['copies-block-popups-without-adblock', 'popup-blocker-requires-adblock'],
  ['updates-drop-inboxEmailPrefix', 'inbox-custom-prefix'],
  ['errors-are-html', 'simple-error-shape'],
])('the script of %s for %s does not deny the fault, nor see it where it is not', async (fault, rule) => {
  const { rules, evidence } = await usualRun({}, fault);
  const [{ again = '' } = {}] = withScripts(rules, evidence.exchanges)
    .filter(({ id }) => id === rule)
    .flatMap(({ violations }) => violations.filter((violation) => violation.again));
  expect(again).not.toBe('');
  expect((await runOn(again, [findFault(fault)])).code).not.toBe(1);
  expect((await runOn(again, [])).code).not.toBe(0);
});
