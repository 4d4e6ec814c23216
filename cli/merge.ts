import '../conformance/suite/contract.js';
import { UserError } from '../common/user-error.js';
import { mergeRuns, runOf } from '../conformance/engine/recording/merge.js';
import { assembleRecording } from '../conformance/engine/recording/report.js';
import { readReport } from '../conformance/engine/report/json.js';
import { readText } from '../conformance/engine/settings/file.js';
import type { Context } from './context.js';
import { type OutcomeArguments, openOutcome, reportedOptions } from './outcome.js';
import { namedTwice } from './outputs.js';

/** Merges the reports of the parts of a recording, and reports the verdict of the whole. */
export async function runMerge(files: readonly string[], args: OutcomeArguments, context: Context): Promise<void> {
  const twice = namedTwice(files);
  if (twice !== undefined) throw new UserError(`${twice} is named twice; its requests would count twice.`);
  const outcome = await openOutcome(args, context, files);
  try {
    const run = mergeRuns(...files.map((file) => runOf(readReport(readText(file), file), file)));
    await outcome.report(run, (conclusion) => assembleRecording(run, conclusion, reportedOptions(args)));
  } finally {
    await outcome.close();
  }
}
