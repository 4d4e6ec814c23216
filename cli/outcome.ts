/** Ends a command that reaches a verdict: concludes, writes the reports, tells people, sets the exit code. */

import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { compare } from '../conformance/engine/report/compare.js';
import { consoleReport } from '../conformance/engine/report/console.js';
import { type ReportOptions, reportPieces, writeReport } from '../conformance/engine/report/index.js';
import { readReport } from '../conformance/engine/report/json.js';
import { annotations } from '../conformance/engine/report/markdown.js';
import { type Terminal, wantsColor } from '../conformance/engine/report/progress.js';
import { type Conclusion, conclude, type Outcome as Found } from '../conformance/engine/rule/verdicts.js';
import { pinText, readBaseline, readPins } from '../conformance/engine/settings/baseline.js';
import { readText } from '../conformance/engine/settings/file.js';
import type { Report, ReportedOptions } from '../conformance/engine/vocabulary/report.js';
import type { Context } from './context.js';
import { openOutputs, stdoutName, type Text } from './outputs.js';
import type { WantedReport } from './wanted-reports.js';

/** The options that decide the verdict, and where reports are written. */
export interface OutcomeArguments {
  readonly strict?: boolean;
  readonly requireAll?: boolean;
  readonly minJudged?: string;
  readonly gaps?: boolean;
  readonly report?: readonly WantedReport[];
  readonly baseline?: string;
  readonly pin?: string;
  readonly against?: string;
  /** Earlier reports; the comparison is with the latest of them. */
  readonly compare?: readonly string[];
}

export interface Outcome {
  /** The stream for texts for people. */
  readonly messages: Terminal;
  /** Concludes, writes the reports, tells people, and sets the exit code. */
  report(found: Found, assemble: (conclusion: Conclusion) => Report): Promise<void>;
  close(): Promise<void>;
}

/** The options that the report lists. */
export const reportedOptions = (
  args: OutcomeArguments & Pick<ReportedOptions, 'only' | 'skip' | 'command' | 'repeat'>,
): ReportedOptions => {
  const { strict, requireAll, minJudged, only, skip, command, repeat } = args;
  return {
    ...(strict && { strict }),
    ...(requireAll && { requireAll }),
    ...(minJudged !== undefined && { minJudged }),
    ...(only && { only }),
    ...(skip && { skip }),
    ...(command !== undefined && { command }),
    ...(repeat !== undefined && { repeat }),
  };
};

/**
 * Reads and opens all files that an outcome needs, so that mistakes of the user are found before anything is done.
 * Reports may not overwrite files that the command uses otherwise (`used`).
 */
export async function openOutcome(
  args: OutcomeArguments,
  context: Context,
  used: readonly (string | undefined)[],
): Promise<Outcome> {
  const { stdout, stderr, env } = context;
  const { strict = false, requireAll = false, minJudged, report: wanted = [] } = args;
  const baseline = args.baseline === undefined ? [] : readBaseline(args.baseline);
  const pins = args.against === undefined ? undefined : readPins(args.against);
  const [before] = (args.compare ?? [])
    .map((file) => readReport(readText(file), file))
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  const files = [...wanted.map(({ file }) => file), ...(args.pin === undefined ? [] : [args.pin])];
  // If a report goes to standard output, a program reads it: people are told on standard error.
  const messages = files.includes(stdoutName) ? stderr : stdout;
  const outputs = await openOutputs(files, stdout, [...used, args.baseline]);
  // GitHub runs commands that it finds in the output; texts of a target must not be taken for some.
  const token = env.GITHUB_ACTIONS ? randomUUID() : undefined;
  if (token) messages.write(`::stop-commands::${token}\n`);
  let isStopped = token !== undefined;
  const resume = () => {
    if (isStopped) messages.write(`::${token}::\n`);
    isStopped = false;
  };
  return {
    messages,
    async report(found, assemble) {
      const today = new Date().toISOString().slice(0, 10);
      const conclusion = conclude(found, {
        strict,
        requireAll,
        ...(minJudged !== undefined && { minJudged }),
        baseline,
        ...(pins && { pins }),
        today,
      });
      const assembled = assemble(conclusion);
      const report = before ? { ...assembled, changes: compare(before, assembled) } : assembled;
      const options: ReportOptions = { strict };
      const page = wanted.find(({ format, file }) => format === 'html' && file !== stdoutName)?.file;
      await tellPeople(report, { ...options, gaps: args.gaps ?? false, page }, messages, context, resume);
      // If one report cannot be written, the others still are.
      const failures: unknown[] = [];
      const write = (index: number, text: Text) =>
        outputs
          .at(index)
          ?.write(text)
          .catch((error: unknown) => failures.push(error));
      for (const [index, { format }] of wanted.entries()) await write(index, reportPieces(format, report, options));
      if (args.pin !== undefined && found.preflight.usable) await write(-1, pinText(found.gaps));
      if (failures.length > 0) throw failures[0];
      context.exitCode = conclusion.exitCode;
    },
    async close() {
      resume();
      await Promise.all(outputs.map((output) => output.close()));
    },
  };
}

async function tellPeople(
  report: Report,
  options: ReportOptions & { readonly gaps: boolean; readonly page: string | undefined },
  people: Terminal,
  { env, stderr }: Context,
  resume: () => void,
): Promise<void> {
  const { strict = false, gaps, page } = options;
  people.write(
    consoleReport(report, {
      strict,
      gaps,
      ...(page !== undefined && { page }),
      color: wantsColor(people, env),
      ...(people.columns && { width: Math.min(people.columns, 120) }),
    }),
  );
  resume();
  if (env.GITHUB_ACTIONS) people.write(annotations(report, options));
  if (env.GITHUB_STEP_SUMMARY)
    await appendFile(env.GITHUB_STEP_SUMMARY, writeReport('markdown', report, options)).catch((error: Error) =>
      stderr.write(`workflow-contract: the step summary could not be written: ${error.message}\n`),
    );
}
