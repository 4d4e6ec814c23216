import type { Command } from 'commander';
import { pathPrefix } from '../../generated/sends.js';
import type { Context } from '../context.js';
import type { RestoreArguments } from '../restore.js';

export function addRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .summary('put back what a killed run left changed')
    .description(
      'Put profiles back as they were before a run of check that was killed, or that could not put them back. The next check does so as well. Without a target, list what is left changed.',
    )
    .argument(
      '[base-url]',
      `the base URL of the service: everything before ${pathPrefix}; overrides that of the target file`,
    )
    .option('--target <file>', 'the target file of the run')
    .option('--forget', 'remove the journal entries and send nothing, for a service that no longer exists')
    .option('--state <folder>', 'the --state folder of the run')
    .option('--insecure-http', 'allow sending the key over plain HTTP to another machine')
    .option('--quiet', 'show no progress')
    .addHelpText(
      'after',
      `
The original state of a profile is kept in the user's state folder, readable only by the user and without values of cookies and
credentials, until it is put back.

Exit codes:
  0  all is restored       2  usage or configuration      3  something is left changed, or may be

Environment:
  WORKFLOW_API_KEY   the API key, where the target file names no other variable
  XDG_STATE_HOME     the folder for the state of programs; by default that of the platform

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
