import type { Command } from 'commander';
import { duration, list } from '../arguments.js';
import type { CertifyArguments } from '../certify.js';
import type { Context } from '../context.js';

export function addCertify(program: Command, context: Context): void {
  program
    .command('certify')
    .summary('check a caller against the rules for callers')
    .description(
      'Run the command once in each situation: a service that pauses, fails, times out or breaks connections. Judge what it sent by the rules for callers.',
    )
    .argument('[command...]', 'what to run in every situation, after --')
    .option('--list', 'list the situations: what the service does, what a good caller does, what is left open')
    .option('--script <ids>', 'play only these situations, separated by commas; all by default', list)
    .option('--strict', 'a SHOULD that is violated fails the run too')
    .option('--max-time <duration>', 'stop the command in a situation after this time: 60s (default), 5m', duration)
    .option('--json <file>', 'write the verdicts as JSON; - is standard output')
    .option('--quiet', 'do not show the output of the command')
    .addHelpText('after', epilogue)
    .action(async (command: string[], options: CertifyArguments) => {
      const { runCertify } = await import('../certify.js');
      return runCertify(command, options, context);
    });
}

const epilogue = `
The command finds in its environment:
  BASE_URL, WORKFLOW_API_KEY    the service, and the key for it
  CERTIFY_SCRIPT, CERTIFY_JOB   the situation, and what to do: async or sync (start WORKFLOW_ID in this way and bring the
                                execution to its end), or profile (update and duplicate PROFILE_ID, delete POOL_ID)
  WORKFLOW_ID, CERTIFY_REQUEST  what to start, and the body to start it with, JSON
  CERTIFY_EXECUTION_ID          the execution to look up when a start gets no answer: its id, if it was started
  PROFILE_ID, PROFILE_GROUP_ID, POOL_ID

The exit code of the command does not count: where the key is refused, a good caller may well fail.

Exit codes:
  0  no rule is violated     1  a rule is violated     2  usage     3  a rule is inconclusive

Examples:
  npx workflow-execution-contract certify --list
  npx workflow-execution-contract certify -- node my-test.mjs
  npx workflow-execution-contract certify --script gateway-timeout -- pytest tests/test_client.py
`;
