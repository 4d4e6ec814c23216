/** The sample report of the site, from real runs against the reference service. */

import { assemble } from '../../conformance/engine/report/assemble.js';
import { compare } from '../../conformance/engine/report/compare.js';
import { writeReport } from '../../conformance/engine/report/index.js';
import { conclude } from '../../conformance/engine/rule/conclude.js';
import type { Report } from '../../conformance/engine/vocabulary.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { type Choices, createReference, findFault } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';

interface Week {
  /** The time of an earlier run, which is only compared with. */
  readonly startedAt?: string;
  /** The faults of the service. */
  readonly faults: readonly string[];
  /** How the service fills the gaps of the interface. */
  readonly choices?: 'default' | `${keyof Choices}=${string}`;
}

/** A made-up service a week earlier. */
const earlier: Week = {
  startedAt: '2025-12-25T00:00:00.000Z',
  faults: ['completed-runs-run-again', 'simple-codes-are-words', 'sync-answers-202-always', 'names-may-repeat'],
};
const latest: Week = {
  faults: [
    'completed-runs-run-again',
    'simple-codes-are-words',
    'names-may-repeat',
    'results-name-another-execution',
    'duration-in-milliseconds',
  ],
  choices: 'rate-limit-headers=x-ratelimit',
};

/** Runs the suite against the reference service with a few faults. The result is always the same. */
async function run({ startedAt, faults, choices = 'default' }: Week, before?: Report): Promise<Report> {
  const { pool: _, otherOrganization: __, ...file } = createReference().target;
  const target = toTarget({ ...file, baseUrl: 'https://staging.example.com', allow: 'write' });
  const found = await checkInProcess({ faults: faults.map(findFault), choices, latencyMs: 14 }, { target });
  const pins = before && Object.fromEntries(before.gaps.map(({ id, observed }) => [id, observed]));
  const conclusion = conclude(found, { today: found.startedAt.slice(0, 10), ...(pins && { pins }) });
  return { ...assemble(found, conclusion, target.facts), ...(startedAt && { startedAt }) };
}

/** The page of a run after another one: what is broken, what was fixed, and what is untested. */
export async function samplePage(): Promise<string> {
  const before = await run(earlier);
  const report = await run(latest, before);
  return writeReport('html', { ...report, changes: compare(before, report) });
}
