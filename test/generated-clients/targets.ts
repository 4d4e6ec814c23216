/** What a caller is run against, and what is wrong with what came of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Reference, startReference } from '../../certify/double.js';
import type { CallerVerdict } from '../../certify/verdict.js';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { startMock } from '../../mock/index.js';
import { workflowIds } from '../../reference/fixtures.js';
import { root } from './tools.js';

export interface CallerTarget {
  readonly id: string;
  /** One line for each fault of the caller or of the target; none where both did what they should. */
  readonly faultsOf: (command: readonly string[], folder: string) => Promise<readonly string[]>;
}

const unknownId = '00000000-0000-4000-8000-00000000ffff';

/** What is asked of a caller, in the words of certify, and what it says in the end. */
const jobs = [
  { job: 'async', request: { inputs: { month: '2026-02' } }, says: /^ended completed$/ },
  { job: 'sync', request: { timeoutSeconds: 1 }, says: /^ended completed$/ },
  { job: 'profile', request: {}, says: /^copied \S/ },
  { job: 'missing', request: {}, says: /^refused 404 \S/ },
] as const;

type Job = (typeof jobs)[number];

const ids = {
  WORKFLOW_ID: workflowIds.completes,
  PROFILE_ID: 'b0000001-0000-4000-8000-000000000000',
  POOL_ID: 'c0000003-0000-4000-8000-000000000000',
};

async function faultsOfJobs(
  wanted: readonly Job[],
  [program = '', ...args]: readonly string[],
  url: string,
  key: string,
) {
  const faults: string[] = [];
  for (const { job, request, says } of wanted) {
    const env = {
      ...process.env,
      ...ids,
      BASE_URL: url,
      WORKFLOW_API_KEY: key,
      CERTIFY_JOB: job,
      CERTIFY_REQUEST: JSON.stringify(request),
      CERTIFY_EXECUTION_ID: unknownId,
      NO_PROXY: '*',
    };
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (code !== 0 || !says.test(said.trim()))
      faults.push(`${job}: it ended with ${code} and said ${JSON.stringify(`${said}${complaint}`.trim().slice(-600))}`);
  }
  return faults;
}

const serving = async <T>(use: (reference: Reference) => Promise<T>): Promise<T> => {
  const reference = await startReference({ speed: 5 });
  try {
    return await use(reference);
  } finally {
    await reference.close();
  }
};

const command = (...args: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', join(root, 'cli/main.ts'), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** What is violated, as a SHOULD as well, or could not be found out. */
const told = (
  verdicts: readonly { id: string; verdict: string }[],
  why: (id: string) => string,
  allowed: readonly string[],
) =>
  verdicts.filter(({ verdict }) => !allowed.includes(verdict)).map(({ id, verdict }) => `${id} ${verdict}: ${why(id)}`);

export const callerTargets: readonly CallerTarget[] = [
  {
    id: 'serve',
    faultsOf: (caller) =>
      serving(async ({ url, keys, judgeCallers }) => {
        const faults = await faultsOfJobs(jobs, caller, url, keys.full);
        const { broken } = await judgeCallers();
        return [
          ...faults,
          ...broken.map(({ rule, expected, actual }) => `${rule}: expected ${expected}; actual ${actual}`),
        ];
      }),
  },
  {
    id: 'mock',
    async faultsOf(caller) {
      const mock = await startMock();
      try {
        // It has an answer for every id.
        return await faultsOfJobs(
          jobs.filter(({ job }) => job !== 'missing'),
          caller,
          mock.url,
          'any',
        );
      } finally {
        await mock.close();
      }
    },
  },
  {
    id: 'certify',
    async faultsOf(caller, folder) {
      const file = join(folder, 'certify.json');
      const child = command('certify', '--quiet', '--json', file, '--', ...caller);
      const [, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      if (code === 2 || code === 70) return [complaint.slice(-600)];
      const { callers } = JSON.parse(await readFile(file, 'utf8')) as { callers: readonly CallerVerdict[] };
      return told(callers, (wanted) => callers.find(({ id }) => id === wanted)?.why.join(' | ') ?? '', ['passed']);
    },
  },
  {
    id: 'proxy',
    faultsOf: (caller, folder) =>
      serving(async ({ url, keys }) => {
        const file = join(folder, 'proxy.json');
        const proxy = command('proxy', '--upstream', url, '--listen', '0', '--report', `json=${file}`);
        let said = '';
        const address = new Promise<string>((resolve, reject) => {
          proxy.stdout.on('data', (piece) => {
            said += piece;
            const [, found] = /listens on (\S+)/.exec(said) ?? [];
            if (found) resolve(found);
          });
          proxy.once('exit', () => reject(new Error('The proxy did not start.')));
        });
        const ended = once(proxy, 'exit');
        const faults = await faultsOfJobs(jobs, caller, await address, keys.full);
        proxy.kill('SIGINT');
        await ended;
        const { rules, callers } = JSON.parse(await readFile(file, 'utf8')) as Report;
        const broken = [...rules, ...callers].filter(({ verdict }) => verdict === 'violated');
        return [...faults, ...broken.map(({ id, violations }) => `${id}: ${JSON.stringify(violations[0])}`)];
      }),
  },
];
