import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { OutcomeArguments } from '../outcome.js';
import { addOutcomeOptions } from './outcome.js';

export function addMerge(program: Command, context: Context): void {
  const merge = program
    .command('merge')
    .summary('merge the reports of the parts of a recording')
    .description(
      'Merge the JSON reports that check --recording wrote for parts of a recording into the report of the whole. Their order makes no difference. Options that decide the result (--strict, --baseline, …) are given here, not for the parts.',
    )
    .argument('<reports...>', 'what check --recording FILE --report json=FILE wrote; - is standard input');
  addOutcomeOptions(merge)
    .addHelpText(
      'after',
      `
All exchanges of one execution, and all of one profile, have to be in the same part.

Exit codes:
  0  conformant            2  usage or configuration
  1  a rule is violated    3  incomplete

Examples:
  npx workflow-execution-contract check --recording monday.har --report json=monday.json
  npx workflow-execution-contract check --recording tuesday.har --report json=tuesday.json
  npx workflow-execution-contract merge monday.json tuesday.json --report html=report.html
`,
    )
    .action(async (files: string[], options: OutcomeArguments) => {
      const { runMerge } = await import('../merge.js');
      await runMerge(files, options, context);
    });
}
