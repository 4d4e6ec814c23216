import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { RestoreArguments } from '../restore.js';

export function addRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .summary('put back what a killed run left changed')
    .description(
      'Put profiles back as they were before a run of check that was killed, or that could not put them back. The next check does so as well. Without a target, list what is left changed.',
    )
    .argument('[base-url]', "where the service is, everything before /agents/v2; wins over the target file's")
    .option('--target <file>', 'the target file of the run')
    .option('--forget', 'send nothing, and keep nothing of what is left changed: where the service is gone')
    .option('--state <folder>', 'the folder that the run was given')
    .option('--insecure-http', 'send the key over plain HTTP to another machine as well')
    .option('--quiet', 'show no progress')
    .addHelpText(
      'after',
      `
What a profile was is kept in the folder of the user's state, for the user alone to read and without values of cookies and
credentials, until it is put back.

Exit codes:
  0  all is as it was      2  usage or configuration      3  something is left changed, or may be

Environment:
  WORKFLOW_API_KEY   the API key, where the target file names no other variable
  XDG_STATE_HOME     where the state of programs is kept; by default what is usual on the platform

Examples:
  workflow-contract restore
  workflow-contract restore --target target.yaml
  workflow-contract restore http://127.0.0.1:4010 --forget
`,
    )
    .action(async (baseUrl: string | undefined, options: RestoreArguments) => {
      const { runRestore } = await import('../restore.js');
      await runRestore(baseUrl, options, context);
    });
}
