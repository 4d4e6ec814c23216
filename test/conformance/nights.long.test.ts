import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { type Transport, TransportError } from '../../conformance/engine/http/transport.js';
import { changesSummary, compare } from '../../conformance/engine/report/compare.js';
import { consoleReport } from '../../conformance/engine/report/console.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { assemble, readReport } from '../../conformance/engine/report/json.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import { seeded } from '../../conformance/engine/send/seeded.js';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { withOverrides } from '../../conformance/suite/target/read.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { findFault } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualFile } from '../support/usual-run.js';

const nights = Array.from({ length: 20 }, (_, index) => index + 1);
const [outage, interrupted, gentle, deployment] = [[5, 6], 9, 12, 15];

type Between = (service: Transport, night: number) => Transport;
const untouched: Between = (service) => service;

const down: Transport = async () => {
  throw new TransportError('unreachable', 'Nothing listens there.');
};

/** Checks a service at night; `fault` is in it up to the deployment. */
async function runAt(night: number, fault: string | undefined, between: Between): Promise<Report> {
  const stop = new AbortController();
  let requests = 0;
  const target = toTarget(withOverrides(usualFile, night === gentle ? { gentle: true } : {}));
  const faults = fault !== undefined && night < deployment ? [findFault(fault)] : [];
  const run: Run = await checkInProcess(
    { faults },
    { target, seed: night * 7919, signal: stop.signal },
    (service) => async (request) => {
      requests += 1;
      if (night === interrupted && requests === 60) stop.abort();
      return (outage.includes(night) ? down : between(service, night))(request);
    },
  );
  const report = assemble(run, conclude(run, { today: '2026-01-01' }), target.facts);
  return { ...report, startedAt: new Date(Date.UTC(2026, 0, night)).toISOString() };
}

/** What each night's report says, with the report of the night before read from its file. */
async function reported(fault: string | undefined, between = untouched) {
  const told: { night: number; changed: boolean; text: string; line: string }[] = [];
  let before: Report | undefined;
  for (const night of nights) {
    const now = await runAt(night, fault, between);
    const report: Report = before ? { ...now, changes: compare(before, now) } : now;
    const { changes } = report;
    if (changes)
      told.push({ night, changed: changes.changed, text: consoleReport(report), line: changesSummary(changes) });
    before = readReport(writeReport('json', report), 'report.json');
  }
  return {
    told,
    changed: told.filter(({ changed }) => changed).map(({ night, line }) => `${night} ${line.slice(24)}`),
  };
}

const alarms = ['5 no longer usable', '7 usable again'];

test('in twenty nights of a conformant service, only an outage and its end are changes', async () => {
  expect((await reported(undefined)).changed).toEqual(alarms);
});

test.each([
  ['simple-errors-lack-the-code', /^15 \d+ rules? fixed/],
  ['long-queues-are-newest-first', /^15 \d+ rules? fixed/],
])('in twenty nights of a service with %s, the deployment that mends it is also a change', async (fault, fixed) => {
  const { changed } = await reported(fault);
  expect(changed).toEqual([...alarms, expect.stringMatching(fixed)]);
});

const withoutName = (text: string) => text.replace(/"agentName":"[^"]*",?/, '');
const spoiling =
  (isSpoilt: (night: number) => boolean): Between =>
  (service, night) =>
  async (request) => {
    const answer = await service(request);
    const text = new TextDecoder().decode(answer.bytes);
    return text.includes('agentName') && night > 2 && isSpoilt(night)
      ? { ...answer, bytes: new TextEncoder().encode(withoutName(text)) }
      : answer;
  };

test('a fault in one answer of five hundred is intermittent and newly broken once', async () => {
  const random = seeded(3);
  const { told, changed } = await reported(
    undefined,
    spoiling(() => random() < 1 / 500),
  );
  expect(changed.filter((line) => line.includes('newly broken'))).toHaveLength(1);
  expect(told.filter(({ text }) => text.includes('(intermittent)'))).not.toEqual([]);
});
