import { setFlagsFromString } from 'node:v8';
import { type CheckOptions, check } from '../conformance/check.js';
import { assemble } from '../conformance/engine/report/assemble.js';
import { progress } from '../conformance/engine/report/progress.js';
import { visible } from '../conformance/engine/report/text.js';
import { longestTimerMs } from '../conformance/engine/send/clock.js';
import { fileJournal } from '../conformance/engine/send/journal/file-journal.js';
import { changedBy, holdThings } from '../conformance/engine/send/journal/lock.js';
import { randomSeed } from '../conformance/engine/send/seeded.js';
import { allows } from '../conformance/engine/settings/needs.js';
import type { Target } from '../conformance/engine/vocabulary.js';
import type { Context } from './context.js';
import { startEmbedded } from './embedded.js';
import { UsageError } from './errors.js';
import { namedTarget, type TargetArguments } from './named-target.js';
import { type Outcome, type OutcomeArguments, openOutcome, reportedOptions } from './outcome.js';
import { selectRules } from './selection.js';
import { sinceLastTime, stateIn } from './state.js';

/** The options of `check`, as conformance.md names them. */
export interface CheckArguments extends OutcomeArguments, TargetArguments {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly recording?: readonly string[];
  /** Of recordings: how many bytes of what goes on are kept. */
  readonly remember?: number;
  /** Of recordings: threads to judge in. */
  readonly explore?: number;
  readonly seed?: number;
  readonly showValues?: boolean;
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly quiet?: boolean;
  /** Of a plan. */
  readonly format?: 'text' | 'json';
  /** The folder of what runs remember; by default that of the user's state. */
  readonly state?: string;
}

/** Where nobody knows how long executions take. What does not go on is told much sooner. */
const defaultMaxTimeMs = 60 * 60_000;
const roomMs = 10 * 60_000;

/** As long as the run takes by its plan, twice, and some more; an hour where its executions are not known so well. */
async function longEnough(target: Target): Promise<number> {
  const { takes, allow, stateful } = target.facts;
  if (!takes || !stateful || !allows(allow, 'execute')) return defaultMaxTimeMs;
  const { foresee } = await import('../conformance/suite/foreseen.js');
  return Math.min(2 * (await foresee(target)).lastsMs + roomMs, longestTimerMs);
}

/** With what is decided where the arguments leave it open. */
type Decided = CheckArguments & Required<Pick<CheckArguments, 'state' | 'maxTime'>>;

/** Checks a target and tells what came of it. Everything that a user can get wrong is found before anything is sent. */
export async function runCheck(baseUrl: string | undefined, args: CheckArguments, context: Context): Promise<void> {
  const selected = selectRules(args.only, args.skip);
  const named = await namedTarget(baseUrl, args, context.env);
  const state = await stateIn(args.state, context.env);
  const more = args.state !== undefined && named ? await sinceLastTime(state, named.facts.baseUrl, args) : {};
  const outcome = await openOutcome({ ...args, ...more }, context, [args.target]);
  const { people } = outcome;
  // What large answers leave behind would otherwise pile up to four times of what is in use, before it is cleared away.
  setFlagsFromString('--heap-growing-percent=50');
  try {
    const { close, ...of } = named ? { target: named, close: async () => {} } : await startEmbedded(args, people);
    const decided = { ...args, state, maxTime: args.maxTime ?? (await longEnough(of.target)) };
    await checkAndTell(of, named !== undefined, selected, outcome, decided, context).finally(close);
  } finally {
    await outcome.close();
  }
}

async function checkAndTell(
  of: Pick<CheckOptions, 'target' | 'clock' | 'journal'>,
  isNamed: boolean,
  selected: ReturnType<typeof selectRules>,
  outcome: Outcome,
  args: Decided,
  context: Context,
): Promise<void> {
  const { facts, keys } = of.target;
  if (!keys.primary) throw new UsageError('no API key is given; put it into WORKFLOW_API_KEY. Nothing was sent.');
  const release = await holdThings(facts.baseUrl, isNamed ? changedBy(facts) : [], {
    folder: args.state,
    signal: AbortSignal.any([context.interrupted, AbortSignal.timeout(args.maxTime)]),
    say: (text) => context.stderr.write(`workflow-contract: ${visible(text)}\n`),
  });
  const run = await checkInterruptibly(of, selected, args, context).finally(release);
  await outcome.tell(run, (conclusion) => assemble(run, conclusion, facts, reportedOptions(args)));
  if (isNamed && run.leftBehind.some(({ kind }) => kind === 'profile settings'))
    context.stderr.write(
      'workflow-contract: restore, with the same target, tries again to put back what is left changed.\n',
    );
}

async function checkInterruptibly(
  of: Pick<CheckOptions, 'target' | 'clock' | 'journal'>,
  selected: ReturnType<typeof selectRules>,
  { quiet = false, state, showValues = false, maxTime, explore: requests = 0, seed = randomSeed() }: Decided,
  { stderr, interrupted: signal }: Context,
) {
  const view = progress(stderr, { quiet });
  // A warning is no progress.
  const warn = (text: string) =>
    quiet ? stderr.write(`workflow-contract: ${visible(text)}\n`) : view.note(visible(text));
  const note = () => view.note('Stopping: what was changed is put back. Ctrl-C again stops at once.');
  signal.addEventListener('abort', note);
  try {
    return await check({
      journal: fileJournal(state, warn),
      ...of,
      signal,
      maxTimeMs: maxTime,
      showValues,
      progress: view,
      seed,
      selected,
      ...(requests > 0 && { explore: { requests, seed } }),
    });
  } finally {
    signal.removeEventListener('abort', note);
  }
}
