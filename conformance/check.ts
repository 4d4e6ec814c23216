import { type Rule, rules } from '../generated/rules.js';
import { type Clock, systemClock } from './drive/clock.js';
import { Driver } from './drive/driver.js';
import { Halt } from './drive/halt.js';
import { type Journal, noJournal } from './drive/journal.js';
import { tidy } from './drive/journeys/copies.js';
import { putBackEarlier } from './drive/journeys/editor.js';
import { journeys } from './drive/journeys/index.js';
import { preflight } from './drive/preflight.js';
import { type Progress, quiet } from './drive/progress.js';
import { longestWait, possible, runJourneys } from './drive/schedule.js';
import { randomSeed } from './drive/seeded.js';
import { Session } from './drive/session.js';
import { sweep } from './drive/sweep.js';
import type { Transport } from './drive/transport.js';
import { begun } from './evidence/body.js';
import { clocksApart, withoutTimes } from './evidence/clocks.js';
import { gather } from './evidence/evidence.js';
import { leftBehind } from './evidence/left-behind.js';
import { maskOf, noMask } from './evidence/mask.js';
import { type MissingId, missingIds, withoutMissing } from './evidence/missing-ids.js';
import { changesOfOthers } from './evidence/others.js';
import { shortestSearched } from './evidence/redact.js';
import { redirected, withoutRedirected } from './evidence/redirected.js';
import { parted } from './evidence/sequences.js';
import { asFarAway } from './judge/far-away.js';
import { observe } from './judge/gaps/index.js';
import { judges } from './judge/index.js';
import { transitions } from './judge/transitions.js';
import { unlessUnsuited } from './judge/unsuited.js';
import { judgeAll, unusableVerdicts } from './judge/verdicts.js';
import { SettingsError } from './settings/file.js';
import { checkOptions, type Known } from './settings/options.js';
import { allows } from './settings/target/needs.js';
import type { Target } from './settings/target/target.js';
import type {
  Evidence,
  Exploration,
  Halted,
  JourneyTime,
  LeftBehind,
  Preflight,
  Report,
  RuleVerdict,
} from './vocabulary.js';

export interface CheckOptions {
  readonly target: Target;
  /** The rules to judge; all by default. Traffic is the same: one execution is evidence for dozens of rules. */
  readonly selected?: (rule: Rule) => boolean;
  readonly progress?: Progress;
  /** Sends requests that nobody wrote, after those of the journeys. */
  readonly explore?: Exploration;
  /** Shows the values of the profile's own cookies and credentials; else only which of them are equal. */
  readonly showValues?: boolean;
  /** Ends the run after so many milliseconds, as the signal does. */
  readonly maxTimeMs?: number;
  /** Stops the run: what was changed is put back, and what was seen is judged. */
  readonly signal?: AbortSignal;
  /** Where it is remembered what a profile was, should this run not come to put it back. Default: nowhere. */
  readonly journal?: Journal;
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** The same seed makes up the same requests: what is sent in free fields, and what an exploration sends. A random one by default. */
  readonly seed?: number;
}

const known: Known<CheckOptions> = {
  target: true,
  selected: true,
  progress: true,
  explore: true,
  showValues: true,
  maxTimeMs: true,
  signal: true,
  journal: true,
  transport: true,
  clock: true,
  seed: true,
};

/** One run: what was sent and seen, and what the rules say of it. */
export interface Run {
  readonly preflight: Preflight;
  readonly evidence: Evidence;
  readonly rules: readonly RuleVerdict[];
  readonly gaps: Report['gaps'];
  readonly transitions: Report['transitions'];
  readonly journeys: readonly JourneyTime[];
  readonly leftBehind: readonly LeftBehind[];
  readonly seed: number;
  readonly requests: number;
  readonly executionsStarted: number;
  /** Why it ended before its time. */
  readonly stopped?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly longestWaitMs: number;
  /** What the exploration found, in words. */
  readonly remarks: readonly string[];
}

/**
 * Drives a target and judges what it does. Throws a SettingsError for options that do not exist; else only where the suite
 * itself fails, never because of the target.
 */
export async function check(options: CheckOptions): Promise<Run> {
  checkOptions('check', options, known);
  if (!options.target?.facts)
    throw new SettingsError('check', ['check: target is what readTarget, parseTarget or makeTarget gives.']);
  const {
    target,
    progress = quiet,
    clock = systemClock,
    signal,
    seed = options.explore?.seed ?? randomSeed(),
  } = options;
  const transport: Transport & { close?(): Promise<void> } =
    options.transport ?? (await import('./drive/http.js')).httpTransport(process.env, target.clientCertificate);
  const from = clock.now();
  const { journal = noJournal } = options;
  const session = new Session(target, { transport, clock, seed, journal, ...(signal && { signal }) });
  const over = new AbortController();
  let stopped: string | undefined;
  const { maxTimeMs } = options;
  if (maxTimeMs !== undefined)
    void clock.sleep(maxTimeMs, over.signal).then(() => {
      if (over.signal.aborted) return;
      stopped = `the run was ended after ${inWords(maxTimeMs)} (--max-time)`;
      session.end('The run was ended: it had taken as long as it may (--max-time).');
    });
  try {
    const { facts } = target;
    const ready = await preflight(new Driver(session, 'preflight', progress)).catch(halted);
    const chosen = ready.usable ? possible(journeys, facts) : [];
    const earlier = new Driver(session, 'restore', progress);
    if (ready.usable && allows(facts.allow, 'write'))
      await putBackEarlier(earlier, await journal.profiles(facts.baseUrl));
    const course = await runJourneys(chosen, session, progress, from);
    const explorer = new Driver(session, 'explore', progress);
    const remarks = ready.usable && options.explore ? await explored(explorer, options.explore) : [];
    if (ready.usable)
      await sweep(new Driver(session, 'sweep', progress), session.executions.started, session.exchanges);
    if (ready.usable && !session.silence && facts.stateful)
      await tidy(new Driver(session, 'sweep', progress), session.exchanges);
    const evidence = gather(session.exchanges, session.failedWaits);
    const selected = rules.filter(options.selected ?? (() => true));
    const found = ready.usable
      ? judged(session, evidence, selected, course.halts)
      : { rules: unusableVerdicts(selected, ready.reason), gaps: [], transitions: [], remarks: [] };
    const { silence } = session;
    if (signal?.aborted) stopped ??= 'the run was stopped before its end';
    const run: Run = {
      preflight: ready.usable && silence && !stopped ? { usable: false, reason: silence } : ready,
      evidence,
      ...found,
      journeys: course.times,
      leftBehind: facts.stateful
        ? [
            ...leftBehind(evidence),
            ...[...course.drivers, explorer].flatMap((driver) => driver.leftBehind),
            ...session.snapshots.left,
          ]
        : [],
      seed,
      requests: evidence.exchanges.length,
      executionsStarted: facts.stateful ? session.executions.started.size : 0,
      startedAt: new Date(from).toISOString(),
      durationMs: Math.round(clock.now() - from),
      longestWaitMs: Math.round(longestWait(chosen, course.times)),
      remarks: [...found.remarks, ...remarks],
      ...(stopped !== undefined && { stopped }),
    };
    return withoutSecrets(run, session, options.showValues ?? false);
  } finally {
    over.abort();
    progress.finish();
    // What was handed in is its owner's to close.
    if (!options.transport) await transport.close?.();
  }
}

/** What a run tells of its target. What sequences sent is judged, and nothing else is read from it. */
function judged(
  { target, exchanges, failedWaits, offence }: Session,
  evidence: Evidence,
  selected: readonly Rule[],
  halts: readonly Halted[],
): Pick<Run, 'rules' | 'gaps' | 'transitions' | 'remarks'> {
  const { facts } = target;
  const { journeys: scripted, chapters } = parted(exchanges, failedWaits);
  const missing = missingIds(scripted, facts);
  const elsewhere = redirected(scripted);
  const apart = clocksApart(scripted);
  const known = withoutRedirected(withoutMissing(scripted, missing), elsewhere);
  const telling = apart === undefined ? known : withoutTimes(known);
  const verdicts = judgeAll(judges, telling, asFarAway(facts, evidence), selected, halts, chapters);
  return {
    rules: verdicts.map((rule, place) => {
      const { needs = [] } = selected[place] ?? {};
      return unlessUnsuited(withoutIds(withoutKey(rule, target), needs, missing), needs, scripted, facts);
    }),
    gaps: observe(scripted, facts),
    transitions: transitions(evidence),
    remarks: [
      ...[...missing, ...elsewhere].map(({ text }) => text),
      ...[apart, offence.text].filter((text) => text !== undefined),
      ...changesOfOthers(scripted),
    ],
  };
}

/** A target can make a list as long as it likes. */
const mostListed = 100;
const atMost = (all: readonly string[]): readonly string[] =>
  all.length > mostListed ? [...all.slice(0, mostListed), `and ${all.length - mostListed} more`] : all;

/** The run as it may be shown. Everything has been judged as it came. */
function withoutSecrets(run: Run, { redactor, failedWaits }: Session, showValues: boolean): Run {
  const mask = showValues ? noMask : maskOf(run.evidence.exchanges);
  const clean = <T>(value: T): T => redactor.value(mask.texts(value));
  const exchanges = run.evidence.exchanges.map((exchange) => {
    const { request, response, failure, ...rest } = mask.exchange(exchange);
    return {
      ...rest,
      request: redactor.value(request),
      ...(response && { response: redactor.value({ ...response, body: begun(response.body) }) }),
      ...(failure && { failure: redactor.value(failure) }),
    };
  });
  return {
    ...run,
    evidence: gather(exchanges, failedWaits),
    preflight: clean(run.preflight),
    rules: run.rules.map((rule) => ({ ...rule, why: clean(rule.why), violations: clean(rule.violations) })),
    gaps: run.gaps.map((gap) => ({ ...gap, observed: clean(atMost(gap.observed)) })),
    transitions: clean(run.transitions.slice(0, mostListed)),
    leftBehind: clean(run.leftBehind),
    remarks: clean(run.remarks),
  };
}

const inWords = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`);

/** Of a key that is too short to be looked for nobody knows whether an answer repeats it. */
const withoutKey = (rule: RuleVerdict, { keys }: Target): RuleVerdict =>
  rule.id === 'no-secrets-in-responses' && rule.verdict === 'passed' && (keys.primary ?? '').length < shortestSearched
    ? {
        ...rule,
        verdict: 'untested',
        why: `The key is too short to be looked for in answers: that takes ${shortestSearched} characters.`,
      }
    : rule;

/** What could not be judged for an id that the target does not have; a pool is deleted by the run that shows it. */
function withoutIds(rule: RuleVerdict, needs: Rule['needs'], missing: readonly MissingId[]): RuleVerdict {
  const lacking = missing.filter(({ name }) => (needs as readonly string[]).includes(name)).map(({ name }) => name);
  if (rule.verdict !== 'inconclusive' || lacking.length === 0) return rule;
  if (lacking.includes('pool')) {
    const why = 'The pool does not exist (any more): declare one that is made for each run.';
    return { ...rule, verdict: 'untested', why };
  }
  const why = `To judge it, correct ${lacking.join(' and ')} in the target file: nothing there is called so.`;
  return { ...rule, why };
}

const halted = (error: unknown): Preflight => {
  if (error instanceof Halt) return { usable: false, reason: error.message };
  throw error;
};

/** The remarks of an exploration: what it was, so that it can be repeated, and what it found. */
async function explored(driver: Driver, exploration: Exploration): Promise<string[]> {
  const { requests, seed } = exploration;
  const what = `Explored ${requests} requests; --explore ${requests} --seed ${seed} repeats them.`;
  try {
    const { explore } = await import('./explore/explore.js');
    return [what, ...(await explore(driver, exploration))];
  } catch (error) {
    if (error instanceof Halt) return [what, `The exploration ended early: ${error.message}`];
    throw error;
  }
}
