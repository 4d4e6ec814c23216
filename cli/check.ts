/** Runs `check`, except on recordings. */

import { setFlagsFromString } from 'node:v8';
import { UserError } from '../common/user-error.js';
import { type CheckOptions, check } from '../conformance/check.js';
import { assemble } from '../conformance/engine/report/json.js';
import { progress, type Terminal } from '../conformance/engine/report/progress.js';
import { visible } from '../conformance/engine/report/text.js';
import { longestTimerMs } from '../conformance/engine/send/clock.js';
import { changedBy, copiesIn, lockTarget } from '../conformance/engine/send/known-copies.js';
import type { Target } from '../conformance/engine/send/request-spec.js';
import { randomSeed } from '../conformance/engine/send/seeded.js';
import { allows } from '../conformance/engine/settings/needs.js';
import type { Context } from './context.js';
import { startEmbedded } from './embedded.js';
import { namedTarget, type TargetArguments } from './named-target.js';
import { type OutcomeArguments, openOutcome, reportedOptions } from './outcome.js';
import { stdoutName } from './outputs.js';
import { selectRules } from './selection.js';
import { shellWord } from './shell-word.js';
import { sinceLastTime, stateIn } from './state.js';

/** The options of `check`; generated/docs/options.md lists them. */
export interface CheckArguments extends OutcomeArguments, TargetArguments {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly recording?: readonly string[];
  /** With --recording: how many bytes to keep before the history that was idle longest is judged early. */
  readonly remember?: number;
  readonly seed?: number;
  readonly showValues?: boolean;
  readonly secondPass?: boolean;
  /** Milliseconds. */
  readonly soak?: number;
  /** A report, or true for that of the last run. */
  readonly again?: string | true;
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly quiet?: boolean;
  /** With --plan. */
  readonly format?: 'text' | 'json';
  /** The folder for what runs remember. Default: in the user's state folder. */
  readonly state?: string;
}

/** Used if it is not known how long executions take. A run that makes no progress ends much sooner. */
const defaultMaxTimeMs = 60 * 60_000;
const roomMs = 10 * 60_000;

/** The default of --max-time: twice as long as the plan says plus ten minutes, or an hour without a plan of times. */
async function longEnough(target: Target): Promise<number> {
  const { takes, allow, stateful } = target.facts;
  if (!takes || !stateful || !allows(allow, 'execute')) return defaultMaxTimeMs;
  const { plan } = await import('../conformance/plan.js');
  const { foreseen } = await plan(target);
  return Math.min(2 * (foreseen?.lastsMs ?? 0) + roomMs, longestTimerMs);
}

/** The command with what names its target, as it can be pasted. */
function commandOf(baseUrl: string | undefined, { target, allow, gentle, insecureHttp }: CheckArguments): string {
  return [
    'npx workflow-execution-contract check',
    ...(baseUrl === undefined ? [] : [shellWord(baseUrl)]),
    ...(target === undefined ? [] : [`--target ${shellWord(target)}`]),
    ...(allow ? [`--allow ${allow}`] : []),
    ...(gentle ? ['--gentle'] : []),
    ...(insecureHttp ? ['--insecure-http'] : []),
  ].join(' ');
}

/** The option that repeats the violations of this run; undefined if it keeps no report of them. */
function repeatOf({ report = [], state }: CheckArguments): string | undefined {
  const file = report.find((one) => one.format === 'json' && one.file !== stdoutName)?.file;
  if (file !== undefined) return `--again ${shellWord(file)}`;
  return state === undefined ? undefined : `--state ${shellWord(state)} --again`;
}

/** Checks a target and reports the outcome. All mistakes of the user are found before anything is sent. */
export async function runCheck(baseUrl: string | undefined, args: CheckArguments, context: Context): Promise<void> {
  const selected = selectRules(args.only, args.skip);
  const named = await namedTarget(baseUrl, args, context.env);
  const state = await stateIn(args.state, context.env);
  const more = args.state !== undefined && named ? await sinceLastTime(state, named.facts.baseUrl, args) : {};
  const outcome = await openOutcome({ ...args, ...more }, context, [args.target]);
  // Without this, garbage of large answers grows to four times the memory in use before it is collected.
  setFlagsFromString('--heap-growing-percent=50');
  try {
    const seed = args.seed ?? randomSeed();
    const { run, facts } = await runSuite(named, { ...args, state }, { selected, seed }, outcome.messages, context);
    const repeat = named && repeatOf(args);
    const options = reportedOptions({ ...args, command: commandOf(baseUrl, args), ...(repeat && { repeat }) });
    await outcome.report(run, (conclusion) => assemble(run, conclusion, facts, options));
  } finally {
    await outcome.close();
  }
}

/** Runs the suite against a target, or against the reference service if none is named. */
export async function runSuite(
  named: Target | undefined,
  {
    state,
    quiet = false,
    showValues = false,
    secondPass = true,
    soak: soakMs,
    ...args
  }: CheckArguments & { readonly state: string },
  options: Pick<CheckOptions, 'selected' | 'seed' | 'again'>,
  messages: Terminal,
  { stderr, interrupted: signal }: Context,
) {
  const { close, ...of } = named ? { target: named, close: async () => {} } : await startEmbedded(args, messages);
  const { facts, keys } = of.target;
  const say = (text: string) => stderr.write(`workflow-contract: ${visible(text)}\n`);
  try {
    if (!keys.primary) throw new UserError('no API key is given; put it into WORKFLOW_API_KEY. Nothing was sent.');
    const maxTimeMs = args.maxTime ?? Math.min((await longEnough(of.target)) + (soakMs ?? 0), longestTimerMs);
    const release = await lockTarget(facts.baseUrl, named ? changedBy(facts) : [], {
      folder: state,
      signal: AbortSignal.any([signal, AbortSignal.timeout(maxTimeMs)]),
      say,
    });
    const view = progress(stderr, { quiet });
    // Warnings are shown even with --quiet.
    const knownCopies = copiesIn(state, (text) => (quiet ? say(text) : view.note(visible(text))));
    const note = () => view.note('Stopping: copies are emptied. Ctrl-C again stops at once.');
    signal.addEventListener('abort', note);
    try {
      const how = {
        signal,
        maxTimeMs,
        showValues,
        secondPass,
        progress: view,
        ...(soakMs !== undefined && { soakMs }),
      };
      return { run: await check({ knownCopies, ...of, ...options, ...how }), facts };
    } finally {
      signal.removeEventListener('abort', note);
      await release();
    }
  } finally {
    await close();
  }
}
