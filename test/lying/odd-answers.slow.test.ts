import { expect, test } from 'vitest';
import type { Transport } from '../../conformance/engine/http/transport.js';
import { assemble } from '../../conformance/engine/report/assemble.js';
import { reportFormats } from '../../conformance/engine/report/formats.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { conclude } from '../../conformance/engine/rule/conclude.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { type Declared, startsAlone, usualFile, usualTarget } from '../support/usual-run.js';

const { completes, slow } = usualFile.workflows;

/** Each where it is asked for: a run that may do all takes longer. */
const declared: Readonly<Record<string, Declared>> = {
  status: { ...startsAlone, workflows: { completes, slow } },
  executionId: { ...startsAlone, workflows: { completes, slow } },
  name: profileAlone,
  message: { allow: 'execute', workflows: { completes, slow } },
};

/** What JSON can say, and nobody expects. Of what has a `toString` of its own no language makes a text. */
const odd: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  'half a pair: \ud800',
  JSON.parse('{"__proto__":{"status":"completed"},"constructor":1}'),
  JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`),
];

/** Puts a value in the place of each field of a name, wherever the field stands, in every other answer that has one. */
const answering = (name: string, value: unknown) => {
  let count = 0;
  return (service: Transport): Transport =>
    async (request) => {
      const response = await service(request);
      const text = new TextDecoder().decode(response.bytes);
      if (!text.includes(`"${name}":`) || ++count % 2 === 0) return response;
      const changed = JSON.stringify(JSON.parse(text), (key, one) => (key === name ? value : one));
      return { ...response, bytes: new TextEncoder().encode(changed) };
    };
};

test.each(Object.keys(declared).map((name, turn) => [name, odd[turn % odd.length]] as const))(
  'an odd %s ends no run before its end',
  async (name, value) => {
    const target = usualTarget(declared[name]);
    const run = await checkInProcess({}, { target }, answering(name, value));
    const conclusion = conclude(run, { today: '2026-01-01' });
    expect(conclusion.exitCode).toBe(1);
    for (const format of reportFormats)
      expect(writeReport(format, assemble(run, conclusion, target.facts))).not.toBe('');
  },
);
