import { expect, test } from 'vitest';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { assemble } from '../../conformance/engine/report/json.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { reportFormats } from '../../conformance/engine/vocabulary/report.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { type Declared, startsAlone, usualFile, usualTarget } from '../support/usual-run.js';

const { completes, slow } = usualFile.workflows;

/** What JSON can say, and nobody expects. Of what has a `toString` of its own no language makes a text. */
const odd: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  'half a pair: \ud800',
  JSON.parse('{"__proto__":{"status":"completed"},"constructor":1}'),
  JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`),
];

/** Puts values in the place of each field of these names, wherever the field stands, in every other answer that has one. */
const answering = (values: Readonly<Record<string, unknown>>) => {
  const counts: Record<string, number> = {};
  return (service: Transport): Transport =>
    async (request) => {
      const response = await service(request);
      const text = new TextDecoder().decode(response.bytes);
      const changed = Object.keys(values).filter((name) => {
        if (!text.includes(`"${name}":`)) return false;
        counts[name] = (counts[name] ?? 0) + 1;
        return counts[name] % 2 === 1;
      });
      if (changed.length === 0) return response;
      const odd = JSON.stringify(JSON.parse(text), (key, one) => (changed.includes(key) ? values[key] : one));
      return { ...response, bytes: new TextEncoder().encode(odd) };
    };
};

// Each where it is asked for: a run that may do all takes longer.
test.each<[fields: string, Readonly<Record<string, unknown>>, Declared]>([
  [
    'status and executionId',
    { status: odd[0], executionId: odd[1] },
    { ...startsAlone, workflows: { completes, slow } },
  ],
  ['name and message', { name: odd[2], message: odd[3] }, profileAlone],
])('an odd %s does not end a run early', async (_, values, declared) => {
  const target = usualTarget(declared);
  const run = await checkInProcess({}, { target }, answering(values));
  const conclusion = conclude(run, { today: '2026-01-01' });
  expect(conclusion.exitCode).toBe(1);
  for (const format of reportFormats) expect(writeReport(format, assemble(run, conclusion, target.facts))).not.toBe('');
});
