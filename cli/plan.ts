import { planText } from '../conformance/engine/report/plan.js';
import { copiesIn } from '../conformance/engine/send/known-copies.js';
import { plan } from '../conformance/plan.js';
import type { CheckArguments } from './check.js';
import type { Context } from './context.js';
import { namedTarget } from './named-target.js';
import { selectRules } from './selection.js';
import { stateIn } from './state.js';

/** Runs `check --plan`. Imports nothing that sends or reports, to be quick: users try out target files with it. */
export async function runPlan(baseUrl: string | undefined, args: CheckArguments, context: Context): Promise<void> {
  const { stdout } = context;
  const selected = selectRules(args.only, args.skip);
  const named = await namedTarget(baseUrl, args, context.env);
  // Also check the files that the run would read.
  if (args.baseline ?? args.against ?? args.compare)
    await (await (await import('./outcome.js')).openOutcome(args, context, [args.target])).close();
  const { target, knownCopies, close } = named
    ? { target: named, knownCopies: copiesIn(await stateIn(args.state, context.env), () => {}), close: async () => {} }
    : await (await import('./embedded.js')).startEmbedded(args, stdout);
  try {
    const { columns: width } = stdout;
    const found = await plan(target, selected, knownCopies);
    const how = {
      width,
      maxTimeMs: args.maxTime,
      soakMs: args.soak,
      secondPass: args.secondPass,
      byRule: (args.only ?? args.skip) !== undefined,
    };
    stdout.write(args.format === 'json' ? `${JSON.stringify(found, null, 2)}\n` : planText(found, target.facts, how));
  } finally {
    await close();
  }
}
