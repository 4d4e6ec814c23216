/** One pass over a target: sends scenarios, and judges what was answered. */
import type { Rule } from '../generated/rules.js';
import { attributed } from './engine/outcome/settled.js';
import { unusableVerdicts } from './engine/rule/verdicts.js';
import { Halt, runScenarios, type ScenariosResult } from './engine/scenario/schedule.js';
import type { RunHook } from './engine/send/hook.js';
import type { Progress } from './engine/send/recorder.js';
import type { Preflight } from './engine/vocabulary/report.js';
import type { Evidence, Exchange, Facts } from './engine/vocabulary.js';
import { judged } from './judged.js';
import { tidy } from './suite/copies/scratch.js';
import { Driver, driverOf, type Scenario } from './suite/driver.js';
import { sweep } from './suite/executions/sweep.js';
import { HookRunner } from './suite/hooks.js';
import { preflight } from './suite/preflight.js';
import type { Session } from './suite/session.js';
import { gather } from './suite/views.js';
import type { Wanted } from './suite/wanted.js';

export interface Pass {
  readonly session: Session;
  readonly ready: Preflight;
  readonly hooks: HookRunner;
  /** What it may send. */
  readonly wanted: Wanted;
  readonly scenarios: readonly Scenario[];
  readonly course: ScenariosResult<Driver>;
  /** What it sent itself. */
  readonly sent: readonly Exchange[];
  readonly evidence: Evidence;
  readonly selected: readonly Rule[];
  readonly found: Pick<ReturnType<typeof judged>, 'rules' | 'gaps' | 'transitions' | 'remarks'> &
    Partial<ReturnType<typeof judged>>;
}

export interface How {
  readonly progress: Progress;
  readonly runHook: RunHook;
  /** What it sends, once it is known what the target has. */
  readonly wanted: (facts: Facts) => Wanted;
  /** Earlier answers that tell whose answers outside the contract are. */
  readonly strange?: readonly Exchange[];
}

export async function runPass(
  session: Session,
  selected: readonly Rule[],
  { progress, runHook, wanted: wantedFor, strange = [] }: How,
  from = session.clock.now(),
): Promise<Pass> {
  const ready = await preflight(new Driver(session, 'preflight', progress)).catch(halted);
  const hooks = new HookRunner(session.target, selected, runHook);
  if (ready.usable) session.target = await hooks.before(new Driver(session, 'hooks', progress));
  const { facts } = session.target;
  const wanted = wantedFor(facts);
  const scenarios = ready.usable ? wanted.scenarios : [];
  session.chosen = wanted.starts.steps;
  const course = await runScenarios(scenarios, driverOf(session, progress), session.clock, progress, from);
  const sweeper = new Driver(session, 'sweep', progress);
  if (ready.usable) {
    await sweep(sweeper);
    await session.endIfGone('sweep', { evenIfStopping: true }, true);
    if (!session.outageReason && facts.stateful) await tidy(sweeper);
    await session.endIfGone('sweep', { evenIfStopping: true }, true);
  }
  const sent = attributed(session.sent, strange);
  const evidence = gather([...session.earlier, ...sent], session.failedWaits);
  const found = ready.usable
    ? judged(session, evidence, selected, course.halts, wanted.starts)
    : { rules: unusableVerdicts(selected, ready.reason), gaps: [], transitions: [], remarks: [] };
  return { session, ready, hooks, wanted, scenarios, course, sent, evidence, selected, found };
}

const halted = (error: unknown): Preflight => {
  if (error instanceof Halt) return { usable: false, reason: error.message };
  throw error;
};
