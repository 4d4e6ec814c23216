import type { Command } from 'commander';
import type { Context } from '../context.js';

export function addBaseline(program: Command, { stdout }: Context): void {
  program
    .command('baseline')
    .summary('print a baseline with the failures of a report')
    .description(
      'Print a baseline file that lists every violated rule of a run, so that only new failures fail the next run.',
    )
    .argument('<report>', 'what check --report json=FILE wrote; - is standard input')
    .addHelpText(
      'after',
      `
The reason of each entry is what the run saw. Replace it by your own, and add an owner and an expiry date if you want.

Examples:
  npx workflow-execution-contract check --target target.yaml --report json=report.json
  npx workflow-execution-contract baseline report.json > baseline.yaml
  npx workflow-execution-contract check --target target.yaml --baseline baseline.yaml
`,
    )
    .action(async (file: string) => {
      const [{ baselineText }, { readText }, { readReport }] = await Promise.all([
        import('../../conformance/engine/settings/baseline.js'),
        import('../../conformance/engine/settings/file.js'),
        import('../../conformance/engine/report/json.js'),
        import('../../conformance/suite/contract.js'),
      ]);
      stdout.write(baselineText(readReport(readText(file), file)));
    });
}
