/** Runs the suite against a target: sends the scenarios, judges the evidence, cleans up. */
import './suite/contract.js';
import { type Rule, rules } from '../generated/rules.js';
import type { Transport } from './engine/http/transport.js';
import { disturbanceIn } from './engine/outcome/excluded.js';
import { startedId } from './engine/outcome/read.js';
import { Halt, longestWait } from './engine/scenario/schedule.js';
import { type Clock, longestTimerMs, systemClock } from './engine/send/clock.js';
import { type RunHook, shellHook } from './engine/send/hook.js';
import { changedBy, copiesIn, type KnownCopies, lockTarget, noKnownCopies } from './engine/send/known-copies.js';
import { type Progress, quiet } from './engine/send/recorder.js';
import type { Target } from './engine/send/request-spec.js';
import { randomSeed } from './engine/send/seeded.js';
import { checkOptions, type Known, SettingsError, stateFolder } from './engine/settings/file.js';
import { allows } from './engine/settings/needs.js';
import type { LeftBehind, Report, Run } from './engine/vocabulary/report.js';
import type { Facts } from './engine/vocabulary.js';
import { withoutSecrets } from './judged.js';
import { type Pass, runPass } from './pass.js';
import {
  afterBoth,
  casesIn,
  casesOf,
  nowOf,
  stepsToRepeat,
  targetAgain,
  targetFor,
  wantedAgain,
  withNames,
} from './second-pass.js';
import { soak } from './soak.js';
import { Driver } from './suite/driver.js';
import { heldBackRemarks } from './suite/executions/roles.js';
import { costOf } from './suite/executions/timetable.js';
import { leftBehind } from './suite/hooks.js';
import { Session } from './suite/session.js';
import { gather } from './suite/views.js';
import { wantedFor } from './suite/wanted.js';

export type { Run } from './engine/vocabulary/report.js';

export interface CheckOptions {
  readonly target: Target;
  /** The rules to judge. Default: all. Only scenarios that send something for them are run. */
  readonly selected?: (rule: Rule) => boolean;
  readonly progress?: Progress;
  /** Shows cookie and credential values of the profile. Default: only which of them are equal. */
  readonly showValues?: boolean;
  /** Ends the run after this time, as the signal does. It includes the wait for other runs. Default: no limit. */
  readonly maxTimeMs?: number;
  /** Stops the run: copies are emptied, and what was seen is judged. */
  readonly signal?: AbortSignal;
  /**
   * The copies that runs made, which later runs use again. Default: those in the state folder of this user, where a run
   * also waits for others of this user that would change the same things; none if a transport is given.
   */
  readonly knownCopies?: KnownCopies;
  readonly transport?: Transport;
  readonly clock?: Clock;
  /** Executes the `hooks` of the target file. Default: in the shell. */
  readonly runHook?: RunHook;
  /** The seed of generated values. Default: random. */
  readonly seed?: number;
  /** Whether what was violated or inconclusive is sent once more. Default: true. */
  readonly secondPass?: boolean;
  /** How long to send again what costs no execution. Default: not at all. */
  readonly soakMs?: number;
  /** Sends only the steps of the violations of this report, and says of each whether it is gone. */
  readonly again?: Report;
}

const warn = (text: string): void => process.emitWarning(text);

const optionNames: Known<CheckOptions> = {
  target: true,
  selected: true,
  progress: true,
  showValues: true,
  maxTimeMs: true,
  signal: true,
  knownCopies: true,
  transport: true,
  clock: true,
  runHook: true,
  seed: true,
  secondPass: true,
  soakMs: true,
  again: true,
};

/**
 * Drives a target and judges what it does. Throws a SettingsError for unknown options, and a BusyError if it is stopped
 * while it waits for another run. Otherwise it throws only if the suite itself fails, never because of the target.
 */
export async function check(options: CheckOptions): Promise<Run> {
  checkOptions('check', options, optionNames);
  const { maxTimeMs, signal, soakMs, target } = options;
  if (maxTimeMs !== undefined && !(maxTimeMs > 0))
    throw new SettingsError('check', [`check: maxTimeMs must be a number of milliseconds above 0, not ${maxTimeMs}.`]);
  if (soakMs !== undefined && !(soakMs > 0 && soakMs < (maxTimeMs ?? Number.POSITIVE_INFINITY)))
    throw new SettingsError('check', [`check: soakMs must be above 0 and below maxTimeMs, not ${soakMs}.`]);
  if (!target?.facts)
    throw new SettingsError('check', ['check: target must come from readTarget, parseTarget or makeTarget.']);
  if (options.knownCopies || options.transport) return run(options);
  const from = performance.now();
  const ends = [
    signal,
    maxTimeMs === undefined ? undefined : AbortSignal.timeout(Math.min(Math.ceil(maxTimeMs), longestTimerMs)),
  ];
  const release = await lockTarget(target.facts.baseUrl, changedBy(target.facts), {
    folder: stateFolder(process.env),
    signal: AbortSignal.any(ends.filter((end) => end !== undefined)),
    say: warn,
  });
  return run(options, performance.now() - from).finally(release);
}

async function run(options: CheckOptions, waitedMs = 0): Promise<Run> {
  const { progress = quiet, again: report, clock = systemClock, signal, seed = randomSeed() } = options;
  const { maxTimeMs, soakMs = 0 } = options;
  const target = report ? targetFor(options.target) : options.target;
  const transport: Transport & { close?(): Promise<void> } =
    options.transport ?? (await import('./engine/http/http.js')).httpTransport(process.env, target.clientCertificate);
  const from = clock.now();
  const { knownCopies = options.transport ? noKnownCopies : copiesIn(stateFolder(process.env), warn) } = options;
  const timeUp = new AbortController();
  const ends = AbortSignal.any([timeUp.signal, ...(signal ? [signal] : [])]);
  const sender = { transport, clock, seed, knownCopies, signal: ends };
  const session = new Session(target, sender);
  if (allows(target.facts.allow, 'write') && target.facts.stateful) await session.copies.load();
  const over = new AbortController();
  let stopped: string | undefined;
  let isSoaking = false;
  if (maxTimeMs !== undefined)
    void clock.sleep(Math.max(1, maxTimeMs - waitedMs), over.signal).then(() => {
      if (over.signal.aborted) return;
      // A soak ends with what was seen.
      if (!isSoaking) stopped = `the run was ended after ${inWords(maxTimeMs)} (--max-time)`;
      timeUp.abort(new Halt('The run was ended: its time limit was reached.', { advice: 'raise --max-time' }));
    });
  try {
    const repeated = report && stepsToRepeat(casesIn(report), report.exchanges);
    const selected = repeated?.rules ?? rules.filter(options.selected ?? (() => true));
    const how = { progress, runHook: options.runHook ?? shellHook };
    const wanted = repeated ? wantedAgain(repeated) : (facts: Facts) => wantedFor(facts, options.selected);
    const first = await runPass(session, selected, { ...how, wanted }, from);
    const { ready, course, scenarios, wanted: able } = first;
    const { facts } = session.target;
    const { outageReason } = session;
    const made = session.copies.earlier;
    if (signal?.aborted) stopped ??= 'the run was stopped before its end';
    const steps = stepsToRepeat(casesOf(first), withNames(first.evidence.exchanges));
    const whyNot =
      options.secondPass === false || report
        ? 'the second pass is switched off (--no-second-pass)'
        : (stopped ?? outageReason);
    let second: Pass | undefined;
    if (steps.rules.length > 0 && whyNot === undefined) {
      progress.note(`Second pass: ${steps.rules.length} rules were violated or inconclusive.`);
      const disturbed = disturbanceIn(first.evidence.exchanges) !== undefined;
      const before = session.exchanges.length;
      const again = new Session(targetAgain(target, first, disturbed), {
        ...sender,
        before,
        copies: session.copies.again(),
      });
      second = await runPass(again, steps.rules, { ...how, wanted: wantedAgain(steps) });
    }
    const passes: [Pass, ...Pass[]] = second ? [first, second] : [first];
    const exchanges = passes.flatMap((one) => one.evidence.exchanges);
    const evidence = second
      ? gather(
          exchanges,
          passes.flatMap((one) => one.session.failedWaits),
        )
      : first.evidence;
    const verdicts = afterBoth(first, second, whyNot);
    isSoaking = soakMs > 0 && ready.usable && (stopped ?? outageReason) === undefined && !ends.aborted;
    const soaked = isSoaking ? await soak(passes, verdicts, { ...how, ms: soakMs, sender }) : undefined;
    const { findingsOf: _, ...found } = { ...first.found, rules: soaked?.rules ?? verdicts };
    const left = facts.stateful
      ? [
          ...passes.flatMap((one) => one.course.drivers.flatMap((driver) => driver.leftBehind)),
          ...leftBehind(evidence, made),
          ...(soaked?.leftBehind ?? []),
        ]
      : [];
    let still: readonly LeftBehind[] = left;
    for (const one of passes)
      if (one.ready.usable) still = await one.hooks.after(new Driver(one.session, 'hooks', progress), still, evidence);
    const begun = evidence.exchanges.filter((one) => startedId(one) !== undefined);
    const cost = costOf(
      begun.map(({ resource }) => resource),
      facts,
    );
    const outcome: Run = {
      preflight: ready.usable && outageReason && !stopped ? { usable: false, reason: outageReason } : ready,
      evidence: { ...evidence, exchanges: [...evidence.exchanges, ...(soaked?.exchanges ?? [])] },
      ...found,
      ...(soaked && { soak: soaked.soak }),
      ...(facts.smaller && { smaller: facts.smaller }),
      scenarios: course.times,
      leftBehind: facts.stateful ? still : [],
      seed,
      requests: evidence.exchanges.length + (soaked?.soak.requests ?? 0),
      ...(cost && { cost }),
      executionsStarted: facts.stateful
        ? passes.reduce((sum, one) => sum + one.session.executions.started.size, soaked?.soak.executionsStarted ?? 0)
        : 0,
      startedAt: new Date(from).toISOString(),
      durationMs: Math.round(clock.now() - from),
      longestWaitMs: Math.round(longestWait(scenarios, course.times)),
      remarks: [
        ...passes.flatMap((one) => one.hooks.remarks),
        ...heldBackRemarks(facts, scenarios, able.starts.steps),
        ...found.remarks,
        ...(soaked?.remarks ?? []),
      ],
      ...(report && { again: nowOf(first, report) }),
      ...(stopped !== undefined && { stopped }),
    };
    return withoutSecrets(outcome, session, options.showValues ?? false);
  } finally {
    over.abort();
    progress.finish();
    // A given transport is closed by its owner.
    if (!options.transport) await transport.close?.();
  }
}

const inWords = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`);
