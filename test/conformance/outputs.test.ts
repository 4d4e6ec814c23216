import { expect, test } from 'vitest';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { consoleReport } from '../../conformance/engine/report/console.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { assemble } from '../../conformance/engine/report/json.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { findFault } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualTarget } from '../support/usual-run.js';

const rules = ['simple-error-shape', 'queue-is-oldest-first', 'sync-timeout-range', 'variant-key-is-required'];
const command = 'npx workflow-execution-contract check --target target.yaml';

/** A page without its style, and without the list of exchanges. */
const page = (html: string): string =>
  html
    .replace(/(<style>)[\s\S]*?(<\/style>)/, '$1$2')
    .replace(/sha256-[^']+/, '')
    .replace(/(id="exchanges">)[\s\S]*(<\/main>)/, '$1$2');

test.each<[string, string | undefined]>([
  ['conformant', undefined],
  ['error-shape', 'simple-errors-lack-the-code'],
  ['queue', 'long-queues-are-newest-first'],
  ['unusable', undefined],
])('the reports of a run that is %s equal those in their files', async (name, fault) => {
  const target = usualTarget();
  const run = await checkInProcess(
    { faults: fault ? [findFault(fault)] : [] },
    { target, selected: ({ id }) => rules.includes(id) },
    (service) =>
      name === 'unusable'
        ? async () => {
            throw new TransportError('unreachable', 'Nothing listens there.');
          }
        : service,
  );
  const report = assemble(run, conclude(run, { today: '2026-01-01' }), target.facts, { command });
  const folder = '../fixtures/outputs';
  await expect(consoleReport(report, { width: 100 })).toMatchFileSnapshot(`${folder}/${name}.txt`);
  for (const [format, end] of [
    ['junit', 'xml'],
    ['markdown', 'md'],
  ] as const)
    await expect(writeReport(format, report)).toMatchFileSnapshot(`${folder}/${name}.${end}`);
  await expect(page(writeReport('html', report))).toMatchFileSnapshot(`${folder}/${name}.html`);
});
