import { appendFile } from 'node:fs/promises';
import { readBaseline } from '../conformance/baseline.js';
import { check } from '../conformance/check.js';
import { type Conclusion, conclude } from '../conformance/conclude.js';
import { pinText, readPins } from '../conformance/pins.js';
import { plan } from '../conformance/plan.js';
import { annotations } from '../conformance/report/annotations.js';
import { assemble } from '../conformance/report/assemble.js';
import { compare, comparisonText } from '../conformance/report/compare.js';
import { consoleReport } from '../conformance/report/console.js';
import type { ReportFormat } from '../conformance/report/formats.js';
import { type ReportOptions, writeReport } from '../conformance/report/index.js';
import { planText } from '../conformance/report/plan.js';
import { progress } from '../conformance/report/progress.js';
import { readReport } from '../conformance/report/read.js';
import { type Terminal, wantsColor } from '../conformance/report/terminal.js';
import { readText } from '../conformance/settings/file.js';
import { makeTarget, readTarget } from '../conformance/target/read.js';
import type { Target } from '../conformance/target/target.js';
import type { Effect, Report } from '../conformance/vocabulary.js';
import { startEmbedded } from './embedded.js';
import { openOutputs, stdoutName } from './outputs.js';
import type { Context } from './program.js';
import { selectRules } from './selection.js';

export interface WantedReport {
  readonly format: ReportFormat;
  readonly file: string;
}

/** The options of `check`, as conformance.md names them. */
export interface CheckArguments {
  readonly target?: string;
  readonly allow?: Effect;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly strict?: boolean;
  readonly requireAll?: boolean;
  readonly report?: readonly WantedReport[];
  readonly baseline?: string;
  readonly pin?: string;
  readonly against?: string;
  readonly compare?: string;
  readonly explore?: number;
  readonly seed?: number;
  readonly plan?: boolean;
  readonly insecureHttp?: boolean;
  readonly quiet?: boolean;
}

/** Checks a target and tells what came of it. Everything that a user can get wrong is found before anything is sent. */
export async function runCheck(baseUrl: string | undefined, args: CheckArguments, context: Context): Promise<void> {
  const { stdout, stderr, env } = context;
  const { strict = false, requireAll = false, report: wanted = [] } = args;
  const selected = selectRules(args.only, args.skip);
  const baseline = args.baseline === undefined ? [] : readBaseline(args.baseline);
  const pins = args.against === undefined ? undefined : readPins(args.against);
  const before = args.compare === undefined ? undefined : readReport(readText(args.compare), args.compare);
  const named = namedTarget(baseUrl, args, env);
  const files = [...wanted.map(({ file }) => file), ...(args.pin === undefined ? [] : [args.pin])];
  // What goes to standard output is for a program to read: people are told on the other stream.
  const people = files.includes(stdoutName) ? stderr : stdout;

  const outputs = args.plan ? [] : await openOutputs(files, stdout);
  const { target, close } = named ? { target: named, close: async () => {} } : await startEmbedded(args.allow, people);
  try {
    if (args.plan) {
      people.write(planText(await plan(target, selected), target.facts, people.columns));
      return;
    }
    if (!target.keys.primary)
      stderr.write('workflow-contract: no API key is given; WORKFLOW_API_KEY would be taken.\n');
    const run = await checkInterruptibly(target, selected, args, context);
    const conclusion = conclude(run, {
      strict,
      requireAll,
      baseline,
      ...(pins && { pins }),
      today: new Date().toISOString().slice(0, 10),
    });
    const report = assemble(run, conclusion, target.facts);
    const options: ReportOptions = { strict, ...(before && { comparison: compare(before, report) }) };
    for (const [index, { format }] of wanted.entries())
      await outputs[index]?.write(writeReport(format, report, options));
    if (args.pin !== undefined && run.preflight.usable) await outputs.at(-1)?.write(pinText(run.gaps));
    await tell(report, conclusion, options, people, context);
  } finally {
    await Promise.all([close(), ...outputs.map((output) => output.close())]);
  }
}

function namedTarget(baseUrl: string | undefined, args: CheckArguments, env: Context['env']): Target | undefined {
  const { insecureHttp = false, allow } = args;
  const options = { insecureHttp, ...(allow && { allow }) };
  if (args.target !== undefined)
    return readTarget(args.target, env, { ...options, ...(baseUrl !== undefined && { baseUrl }) });
  return baseUrl === undefined ? undefined : makeTarget(baseUrl, env, options);
}

async function checkInterruptibly(
  target: Target,
  selected: Parameters<typeof plan>[1],
  { quiet = false, explore: requests = 0, seed = Math.floor(Math.random() * 1e9) }: CheckArguments,
  { stderr, interrupted: signal }: Context,
) {
  const view = progress(stderr, { quiet });
  const note = () => view.note('Stopping: what was changed is put back. Ctrl-C again stops at once.');
  signal.addEventListener('abort', note);
  try {
    const run = await check({
      target,
      signal,
      progress: view,
      ...(selected && { selected }),
      ...(requests > 0 && { explore: { requests, seed } }),
    });
    return { ...run, stopped: signal.aborted };
  } finally {
    signal.removeEventListener('abort', note);
  }
}

async function tell(
  report: Report,
  { exitCode }: Conclusion,
  options: ReportOptions,
  people: Terminal,
  context: Context,
): Promise<void> {
  const { env, stderr } = context;
  const { strict = false, comparison } = options;
  people.write(
    consoleReport(report, { strict, color: wantsColor(people, env), ...(people.columns && { width: people.columns }) }),
  );
  if (comparison) people.write(`\n${comparisonText(comparison)}`);
  if (env.GITHUB_ACTIONS) people.write(annotations(report, options));
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, writeReport('markdown', report, options)).catch((error: Error) =>
      stderr.write(`workflow-contract: the step summary could not be written: ${error.message}\n`),
    );
  context.exitCode = exitCode;
}
