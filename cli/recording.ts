import '../conformance/suite/contract.js';
import { UserError } from '../common/user-error.js';
import { usualBounds } from '../conformance/engine/recording/histories.js';
import { judgeRecordings } from '../conformance/engine/recording/pipeline.js';
import { assembleRecording } from '../conformance/engine/recording/report.js';
import { fileSource } from '../conformance/engine/recording/source.js';
import { plural } from '../conformance/engine/report/digest.js';
import { progress } from '../conformance/engine/report/progress.js';
import type { Facts } from '../conformance/engine/vocabulary.js';
import { makeTarget, readTarget } from '../conformance/suite/target/read.js';
import { unknownTarget } from '../conformance/suite/target/target.js';
import type { CheckArguments } from './check.js';
import type { Context } from './context.js';
import { openOutcome, reportedOptions } from './outcome.js';
import { namedTwice } from './outputs.js';
import { selectRules } from './selection.js';

/** Runs `check --recording`: judges recorded traffic, and reports the outcome. */
export async function runRecording(
  files: readonly string[],
  baseUrl: string | undefined,
  args: CheckArguments,
  context: Context,
): Promise<void> {
  if (files.some((file) => /^https?:\/\//.test(file)))
    throw new UserError(`a base URL goes before --recording: everything after it is read as a recording.`);
  const twice = namedTwice(files);
  if (twice !== undefined) throw new UserError(`${twice} is named twice; its requests would count twice.`);
  const selected = selectRules(args.only, args.skip);
  const facts = declared(baseUrl, args.target, context.env);
  const outcome = await openOutcome(args, context, [args.target, ...files]);
  try {
    const { interrupted: signal, stderr } = context;
    const view = progress(stderr, { quiet: args.quiet ?? false });
    view.started('reading');
    const sources = files.map(fileSource);
    const run = await judgeRecordings(sources, {
      facts,
      signal,
      selected,
      progress: (exchanges) => view.step('reading', plural(exchanges, 'exchange')),
      ...(args.remember !== undefined && { bounds: { ...usualBounds, openBytes: args.remember } }),
    }).finally(() => view.finish());
    const stopped = signal.aborted ? { stopped: 'the run was stopped before its end' } : {};
    await outcome.report({ ...run, ...stopped }, (conclusion) =>
      assembleRecording(run, conclusion, reportedOptions(args)),
    );
  } finally {
    await outcome.close();
  }
}

/** The facts about a service from its target file, or from its base URL alone. Nothing is sent. */
export function declared(baseUrl: string | undefined, target: string | undefined, env: Context['env']): Facts {
  // Plain HTTP is no danger here: no key is sent.
  const options = { sendsNothing: true, insecureHttp: true };
  if (target !== undefined)
    return readTarget(target, env, { ...options, ...(baseUrl !== undefined && { baseUrl }) }).facts;
  return baseUrl === undefined ? unknownTarget : makeTarget(baseUrl, {}, options).facts;
}
