// What a full check takes: its time, compared with the longest unavoidable sequence of waits, and what it spends.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../conformance/check.js';
import { longestWait } from '../conformance/engine/scenario/schedule.js';
import { noKnownCopies } from '../conformance/engine/send/known-copies.js';
import { scenariosFor } from '../conformance/suite/scenarios.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { startReference } from '../reference/index.js';
import { mustRunNode, type Section, show, spread } from './measure.js';

const limit = 1.5;
/** How many times as long a check may take against a service 100 ms away as against one without latency. */
const farLimit = 2;
const startMs = 1000;

interface Checked {
  readonly wallMs: number;
  readonly chainMs: number;
  readonly requests: number;
  readonly executionsStarted: number;
}

const rounds = 5;
const near = 'in a process that runs, no latency';
const far = 'with 100 ms latency';

export async function bench(): Promise<Section> {
  const kinds = {
    'the command, from start to exit': { measure: command, graceMs: startMs, says: 'plus one second' },
    [near]: { measure: () => inProcess(0), graceMs: startMs, says: 'plus one second' },
    [far]: { measure: () => inProcess(100), graceMs: startMs, says: undefined },
  };
  const measured = Object.entries(kinds).map(([name, kind]) => ({ name, ...kind, checks: [] as Checked[] }));
  for (let round = 0; round < rounds; round += 1)
    for (const { measure, checks } of measured) checks.push(await measure());
  const seconds = (checks: readonly Checked[], key: 'wallMs' | 'chainMs') =>
    show(spread(checks.map((checked) => checked[key] / 1000)));
  const count = (checks: readonly Checked[], key: 'requests' | 'executionsStarted') =>
    show(spread(checks.map((checked) => checked[key])), 0);
  const shares = measured.map(({ checks, graceMs }) =>
    spread(checks.map(({ wallMs, chainMs }) => wallMs / (limit * chainMs + graceMs))),
  );
  const checksOf = (name: string) => measured.find((one) => one.name === name)?.checks ?? [];
  const times = spread(
    checksOf(far).map(({ wallMs }, round) => wallMs / (checksOf(near)[round]?.wallMs ?? Number.NaN)),
  );
  return {
    title: 'A full check',
    how:
      `The reference service checked with everything allowed, ${rounds} times. The chain is the longest sequence of ` +
      'waits for states that cannot overlap. The command starts the service too.',
    columns: ['', 'seconds', 'longest sequence of waits, seconds', 'requests', 'executions', 'time / what is aimed at'],
    rows: measured.map(({ name, checks }, index) => [
      name,
      seconds(checks, 'wallMs'),
      seconds(checks, 'chainMs'),
      count(checks, 'requests'),
      count(checks, 'executionsStarted'),
      show(shares[index] ?? spread([])),
    ]),
    aims: [
      ...measured.flatMap(({ name, says }, index) =>
        says === undefined
          ? []
          : {
              says: `${name}: at most ${limit} times the longest sequence of waits ${says}`,
              was: `${(shares[index]?.median ?? Number.NaN).toFixed(2)} of that`,
              met: (shares[index]?.median ?? Number.NaN) <= 1,
            },
      ),
      {
        says: `${far}: at most ${farLimit} times as long as without latency`,
        was: `${times.median.toFixed(2)} times`,
        met: times.median <= farLimit,
      },
    ],
  };
}

async function command(): Promise<Checked> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-check-'));
  try {
    const file = join(folder, 'report.json');
    const { ms } = await mustRunNode([
      '--import',
      'tsx',
      'cli/main.ts',
      'check',
      '--quiet',
      '--report',
      `json=${file}`,
    ]);
    const { longestWaitMs, requests, executionsStarted } = JSON.parse(await readFile(file, 'utf8'));
    return { wallMs: ms, chainMs: longestWaitMs, requests, executionsStarted };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function inProcess(latencyMs: number): Promise<Checked> {
  const reference = await startReference({ latencyMs, report: () => {} });
  try {
    const begun = performance.now();
    const run = await check({ target: toTarget(reference.fixtures), knownCopies: noKnownCopies });
    const { requests, executionsStarted } = run;
    const chainMs = longestWait(scenariosFor({}), run.scenarios);
    return { wallMs: performance.now() - begun, chainMs, requests, executionsStarted };
  } finally {
    await reference.close();
  }
}
