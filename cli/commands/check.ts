import { type Command, InvalidArgumentError, Option } from 'commander';
import { reportFormats } from '../../conformance/report/formats.js';
import { effects } from '../../conformance/vocabulary.js';
import type { CheckArguments, WantedReport } from '../check.js';
import type { Context } from '../program.js';

export function addCheck(program: Command, context: Context): void {
  program
    .command('check')
    .summary('hold a service to every rule of the contract')
    .description(
      'Drive a service through its operations, judge every rule of the contract by what it did, and report what it does where the contract is silent. Without a target, check the reference service, started for the run.',
    )
    .argument('[base-url]', "where the service is, everything before /agents/v2; wins over the target file's")
    .option('--target <file>', 'what may be used there, and how: see "workflow-contract init"')
    .addOption(
      new Option(
        '--allow <effect>',
        'the most that the run may do to the target, each including the ones before',
      ).choices(effects),
    )
    .option('--only <ids>', 'judge only these rules: ids or globs such as "sync-*", with commas between', list)
    .option('--skip <ids>', 'leave these rules out', list)
    .option('--strict', 'a SHOULD that is broken fails the run too')
    .option('--require-all', 'a rule that stays untested fails the run too (exit 3)')
    .option('--report <format=file>', `${reportFormats.join(', ')}; may be repeated; - is standard output`, report)
    .option('--baseline <file>', 'known failures, which do not fail the run: see "workflow-contract baseline"')
    .option('--pin <file>', 'write what was observed where the contract is silent')
    .option('--against <file>', 'tell what differs from what was pinned (with --strict, fail)')
    .option('--compare <file>', 'tell what changed since an earlier JSON report')
    .option('--explore <requests>', 'after the scripted requests, send this many that nobody wrote', count)
    .option('--seed <number>', 'makes up the same requests as an earlier exploration', count)
    .addOption(
      new Option('--plan', 'print what would be sent and what would stay untested; send nothing').conflicts([
        'report',
        'pin',
      ]),
    )
    .option('--insecure-http', 'let the key go over plain HTTP to another machine')
    .option('--quiet', 'show no progress')
    .addHelpText('after', epilogue)
    .action(async (baseUrl: string | undefined, options: CheckArguments) => {
      const { runCheck } = await import('../check.js');
      await runCheck(baseUrl, options, context);
    });
}

const epilogue = `
Exit codes:
  0  conformant            2  usage or configuration   4  the target is unusable
  1  a rule is broken      3  incomplete

Environment:
  WORKFLOW_API_KEY                     the API key, where the target file names no other variable
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY    a proxy
  NODE_EXTRA_CA_CERTS                  a file with further certificate authorities

Examples:
  workflow-contract check
  workflow-contract check https://staging.example.com
  workflow-contract check --target target.yaml --allow execute --report html=report.html
  workflow-contract check --target target.yaml --plan
`;

function count(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It is a whole number, 0 or more.');
  return Number(value);
}

const list = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean),
];

function report(value: string, before: readonly WantedReport[] = []): WantedReport[] {
  const [, name = '', file = ''] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  const format = reportFormats.find((known) => known === name);
  if (!format || file === '')
    throw new InvalidArgumentError(`It is FORMAT=FILE, with one of ${reportFormats.join(', ')}.`);
  return [...before, { format, file }];
}
