/** Runs `check --again`: sends what an earlier report shows violated, and prints whether it is gone. */

import { existsSync } from 'node:fs';
import { UserError } from '../common/user-error.js';
import { readReport } from '../conformance/engine/report/json.js';
import { visible } from '../conformance/engine/report/text.js';
import { expectation } from '../conformance/engine/rule/violations.js';
import { readText } from '../conformance/engine/settings/file.js';
import { type CheckArguments, runSuite } from './check.js';
import type { Context } from './context.js';
import { namedTarget } from './named-target.js';
import { lastReport, stateIn } from './state.js';

/** Exit code 0 if all are gone, 1 if one is still there, else 3; 4 if the target gives no answers. */
export async function runAgain(baseUrl: string | undefined, args: CheckArguments, context: Context): Promise<void> {
  const { stdout, env } = context;
  const named = await namedTarget(baseUrl, args, env);
  const state = await stateIn(args.state, env);
  const file = typeof args.again === 'string' ? args.again : lastReport(state, named?.facts.baseUrl ?? '');
  if (args.again === true && !existsSync(file))
    throw new UserError(
      `there is no report of a run on this service in ${state}: name one (--again report.json), or the folder of the run (--state FOLDER).`,
    );
  const report = readReport(readText(file), file);
  if (report.recording) throw new UserError(`${file} is the report of recorded traffic, which cannot be sent again.`);
  if (report.rules.every(({ violations }) => violations.length === 0)) {
    stdout.write(`${file} has no violated rule.\n`);
    return;
  }
  const options = { again: report, ...(report.seed !== undefined && { seed: report.seed }) };
  const { run } = await runSuite(named, { ...args, state }, options, stdout, context);
  if (!run.preflight.usable) {
    stdout.write(`Unusable: ${visible(run.preflight.reason)}\n`);
    context.exitCode = 4;
    return;
  }
  const all = run.again ?? [];
  for (const { rule, level, violation, now, why } of all)
    stdout.write(
      `${now.padEnd(11)} ${level} ${rule}${violation.operation === null ? '' : ` on ${violation.operation}`}: ${visible(`${expectation(violation)}${why === undefined ? '' : ` (${why})`}`)}\n`,
    );
  const count = (wanted: string) => all.filter(({ now }) => now === wanted).length;
  const counts = (['still there', 'undecided', 'gone'] as const).filter((now) => count(now) > 0);
  stdout.write(`${counts.map((now) => `${count(now)} of ${all.length} ${now}`).join(', ')}\n`);
  context.exitCode = count('still there') > 0 ? 1 : count('undecided') > 0 ? 3 : 0;
}
