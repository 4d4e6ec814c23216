import { type Command, InvalidArgumentError } from 'commander';
import { reportFormats } from '../../conformance/engine/vocabulary/report.js';
import { collect } from '../arguments.js';
import { wantedReports } from '../wanted-reports.js';

/** Declares the options of all commands that reach a verdict. */
export const addOutcomeOptions = (command: Command): Command =>
  command
    .option('--strict', 'a SHOULD that is violated fails the run too')
    .option('--require-all', 'a rule that stays untested fails the run too (exit 3)')
    .option(
      '--min-judged <rules>',
      'the run fails (exit 3) if fewer rules are judged: a number, or a share such as 50%',
      leastJudged,
    )
    .option(
      '--report <format=file>',
      `${reportFormats.join(', ')}; may be repeated, or several separated by commas; - is standard output`,
      wantedReports,
    )
    .option(
      '--baseline <file>',
      'known failures, which do not fail the run: see "npx workflow-execution-contract baseline"',
    )
    .option('--gaps', 'list what was observed where the contract is silent')
    .option('--pin <file>', 'write what was observed where the contract is silent')
    .option('--against <file>', 'report what differs from what was pinned (with --strict, fail)')
    .option(
      '--compare <file>',
      'report what changed since an earlier JSON report; may be repeated: the latest is compared',
      collect,
    );

function leastJudged(value: string): string {
  if (!/^(?:\d{1,4}|(?:100|\d{1,2})%)$/.test(value))
    throw new InvalidArgumentError('It must be a number of rules, or a share of them such as 50%.');
  return value;
}
