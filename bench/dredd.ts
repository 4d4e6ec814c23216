// Compares the suite with Dredd on the same faulty services: faults found, requests and seconds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { check } from '../conformance/check.js';
import { noJournal } from '../conformance/engine/send/journal/journal.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { findFault, keys, type Reference, startReference } from '../deviations/index.js';
import { adapted } from './dredd-document.js';
import { Unavailable, withoutIt, withPackages } from './install.js';
import { root, type Scale, type Section, show, spread } from './measure.js';

const dredd = '14.1.0';
const title = 'Faults found beside Dredd';

/** From faults that one answer shows to faults that only several answers show together. */
const faultIds = [
  'execute-answers-200',
  'execute-gives-no-id',
  'standard-errors-lack-the-code',
  'missing-key-is-403',
  'empty-directories-are-left-out',
  'updates-are-not-stored',
  'refused-updates-are-done-in-part',
  'completed-runs-run-again',
  'sync-does-not-wait',
  'queue-is-newest-first',
];

interface Outcome {
  /** Its complaints, as texts. */
  readonly findings: ReadonlySet<string>;
  readonly requests: number;
  readonly seconds: number;
}

export async function bench({ quick }: Scale): Promise<Section> {
  try {
    if (quick) throw new Unavailable('Dredd is left out of a quick run');
    return await withPackages([`dredd@${dredd}`], compare);
  } catch (error) {
    return withoutIt(title, error);
  }
}

async function compare(folder: string): Promise<Section> {
  const sides = { suite: bySuite, dredd: byDredd(folder) };
  const on = async (side: (service: Reference) => Promise<Outcome>, fault?: string) => {
    const faults = fault === undefined ? [] : [findFault(fault)];
    const service = await startReference({ faults, report: () => {} });
    try {
      return await side(service);
    } finally {
      await service.close();
    }
  };
  const kept = { suite: await on(sides.suite), dredd: await on(sides.dredd) };
  const trials: { fault: string; suite: Outcome; dredd: Outcome }[] = [];
  for (const fault of faultIds)
    trials.push({ fault, suite: await on(sides.suite, fault), dredd: await on(sides.dredd, fault) });
  const foundBy = (side: keyof typeof sides, { [side]: outcome }: (typeof trials)[number]) =>
    [...outcome.findings].some((finding) => !kept[side].findings.has(finding));
  const summary = (side: keyof typeof sides) => {
    const all = [kept[side], ...trials.map(({ [side]: outcome }) => outcome)];
    return {
      found: trials.filter((trial) => foundBy(side, trial)).length,
      wrong: kept[side].findings.size,
      requests: show(spread(all.map(({ requests }) => requests)), 0),
      seconds: show(spread(all.map(({ seconds }) => seconds)), 1),
    };
  };
  const [suite, other] = [summary('suite'), summary('dredd')];
  return {
    title,
    how:
      'The reference service without a fault, and with each of ten: some show in one answer, some only in how answers ' +
      'go together. Dredd takes the OpenAPI 3.1 document with a warning that it is not fully supported, and knows ' +
      'neither status ranges nor the ids of a service: it is given the document with the success ranges spelled as the ' +
      'statuses of this service, its ids, one request for each operation, and hooks that ask for each documented error. ' +
      'It holds bodies against the first example rather than the schema, so that it asks for optional fields of a conformant ' +
      'service; a fault counts as found where Dredd says anything that it does not say of the service without one. Seconds are as each tells ' +
      'them, without the start of its process.',
    columns: ['', 'suite', 'Dredd'],
    rows: [
      ['faults found', `${suite.found} of ${faultIds.length}`, `${other.found} of ${faultIds.length}`],
      ['complaints about the service without a fault', String(suite.wrong), String(other.wrong)],
      ['requests', suite.requests, other.requests],
      ['seconds', suite.seconds, other.seconds],
      ...trials.map((trial) => [
        `\`${trial.fault}\``,
        foundBy('suite', trial) ? 'found' : 'missed',
        foundBy('dredd', trial) ? 'found' : 'missed',
      ]),
    ],
    versions: { dredd },
  };
}

async function bySuite({ target }: Reference): Promise<Outcome> {
  const { rules, requests, durationMs } = await check({ target: toTarget(target), journal: noJournal });
  const findings = new Set(rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id));
  return { findings, requests, seconds: durationMs / 1000 };
}

const byDredd =
  (folder: string) =>
  async ({ url, target }: Reference): Promise<Outcome> => {
    const file = join(folder, 'contract.json');
    const contract = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
    await writeFile(file, JSON.stringify(adapted(contract, target)));
    const said = await runDredd(
      folder,
      [
        ...[file, url, '--no-color', '--loglevel', 'error', '--hookfiles', join(root, 'bench/dredd.hooks.cjs')],
        ...['X-Api-Key', 'X-Service-Agents-Api-Key'].flatMap((name) => ['--header', `${name}: ${keys.full}`]),
      ],
      { workflows: target.workflows, restrictedKey: keys.restricted },
    );
    const seconds = Number(/Tests took (\d+)ms/.exec(said)?.[1]) / 1000;
    const [, passing, failing, errors] = /(\d+) passing, (\d+) failing, (\d+) errors/.exec(said)?.map(Number) ?? [];
    if (passing === undefined || failing === undefined || errors === undefined)
      throw new Error(`Dredd did not run to its end: ${said.slice(-1000)}`);
    return { findings: complaints(said), requests: passing + failing + errors, seconds };
  };

async function runDredd(folder: string, args: readonly string[], known: object): Promise<string> {
  const env = { ...process.env, BENCH_DREDD: JSON.stringify(known), NODE_NO_WARNINGS: '1' };
  const command = [join(folder, 'node_modules/dredd/bin/dredd'), ...args];
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return stdout + stderr;
}

/** The transactions that failed, with reasons, without texts that differ from run to run. */
function complaints(said: string): Set<string> {
  const found = new Set<string>();
  let transaction = '';
  for (const [, line = ''] of said.matchAll(/^(?:fail|error): (.*)$/gm)) {
    const name = / duration: \d+ms$/.exec(line);
    if (name) transaction = line.slice(0, name.index);
    else found.add(`${transaction}: ${line}`);
  }
  return found;
}
