import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { check } from '../conformance/check.js';
import { conclude } from '../conformance/engine/rule/conclude.js';
import { noJournal } from '../conformance/engine/send/journal/journal.js';
import { toTarget } from '../conformance/suite/target/target.js';
import { type ReferenceTarget, startReference } from '../deviations/index.js';

/**
 * Checks the reference service over HTTP many times under load, and counts the verdicts:
 * `npx tsx bench/steadiness.ts --runs 100 --load 4`.
 * The service and the load are separate processes; the load has the lowest priority.
 */
const serving = 'serve';

async function serve(): Promise<void> {
  const { target } = await startReference();
  process.send?.(target);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '100' }, load: { type: 'string', default: '4' } },
  });
  const load = Array.from({ length: Number(values.load) }, () => {
    const busy = spawn(process.execPath, ['-e', 'for (;;);']);
    if (busy.pid !== undefined) setPriority(busy.pid, constants.priority.PRIORITY_LOW);
    return busy;
  });
  const verdicts = new Map<string, number>();
  const rules = new Map<string, number>();
  const count = (of: Map<string, number>, key: string) => of.set(key, (of.get(key) ?? 0) + 1);
  try {
    for (let run = 1; run <= Number(values.runs); run += 1) {
      const service: ChildProcess = fork(new URL(import.meta.url), [serving], { execArgv: ['--import', 'tsx'] });
      const [target] = (await once(service, 'message')) as [ReferenceTarget];
      const outcome = await check({ target: toTarget(target), journal: noJournal });
      service.kill();
      const { verdict } = conclude(outcome, { today: '2026-01-01' });
      count(verdicts, verdict);
      for (const rule of outcome.rules)
        if (rule.verdict === 'violated' || rule.verdict === 'inconclusive')
          count(rules, `${rule.id} ${rule.verdict}: ${rule.why.replaceAll(/\d+/g, 'n').slice(0, 120)}`);
      console.log(`${run}: ${verdict}, ${(outcome.durationMs / 1000).toFixed(1)} s`);
    }
  } finally {
    for (const one of load) one.kill();
  }
  console.log(Object.fromEntries(verdicts), Object.fromEntries(rules));
}

await (process.argv[2] === serving ? serve() : main());
