import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../common/user-error.js';
import { effects } from '../../conformance/suite/target/roles.js';
import { pathPrefix } from '../../generated/sends.js';
import { duration, list, size } from '../arguments.js';
import type { CheckArguments } from '../check.js';
import type { Context } from '../context.js';
import { addOutcomeOptions } from './outcome.js';

export function addCheck(program: Command, context: Context): void {
  const check = program
    .command('check')
    .summary('check a service against every rule of the contract')
    .description(
      'Send requests to a service, judge every rule of the contract by its answers, and report what it does where the contract is silent. Without a target, check the reference service, started for the run. A bare base URL changes nothing, but sends POST, PATCH, PUT and DELETE with the full key to made-up ids; for production add --gentle.',
    )
    .argument(
      '[base-url]',
      `the base URL of the service: everything before ${pathPrefix}; overrides that of the target file`,
    )
    .option(
      '--target <file>',
      'the target file: what the run may use on the service; see "npx workflow-execution-contract init"',
    )
    .addOption(
      new Option(
        '--allow <effect>',
        'the most that the run may do to the target; each value includes those before it',
      ).choices(effects),
    )
    .addOption(
      new Option(
        '--gentle',
        'for production: send only GET, and nothing that an intrusion detector reports: one request without a key, and one with a wrong one',
      ).conflicts(['maxExecutions', 'places']),
    )
    .option('--max-executions <number>', 'the most executions to start (32); overrides budget.executions', count)
    .option('--places <number>', 'the most executions that run at once; overrides budget.places', places)
    .option(
      '--only <ids>',
      'judge only these rules: ids or globs such as "sync-*", separated by commas; send every scenario that --allow permits and that has a step for one of them',
      list,
    )
    .option('--skip <ids>', 'leave these rules out', list);
  addOutcomeOptions(check)
    .option('--seed <number>', 'generate the same requests as an earlier run, whose report names its seed', count)
    .option(
      '--max-time <duration>',
      'end the run after this time, with a report: 90s, 15m, 1h; by default ten minutes plus twice the duration of the plan, or an hour if no workflow declares how long it takes',
      duration,
    )
    .addOption(
      new Option(
        '--again [report]',
        'send only the steps of the violations of a JSON report (by default that of the last run, in --state), with its seed, and print whether each is gone: exit 0 gone, 1 still there, 3 undecided',
      ).conflicts([
        'plan',
        'recording',
        'report',
        'only',
        'skip',
        'seed',
        'baseline',
        'compare',
        'pin',
        'against',
        'gaps',
        'strict',
        'requireAll',
        'minJudged',
      ]),
    )
    .option('--no-second-pass', 'do not send the steps of what was violated or inconclusive once more')
    .addOption(
      new Option(
        '--soak <duration>',
        'afterwards, send again and again what costs no execution, on new connections, until the time is up: 60s, 10m; report how often each rule is violated',
      )
        .argParser(duration)
        .conflicts(['again', 'gentle', 'recording']),
    )
    .addOption(
      new Option('--plan', 'print what would be sent and what would stay untested; send nothing').conflicts([
        'report',
        'pin',
      ]),
    )
    .addOption(new Option('--format <format>', 'with --plan: how to print it').choices(['text', 'json']))
    .addOption(
      new Option(
        '--recording <files...>',
        'judge recorded traffic, HAR or NDJSON, instead of sending anything; - is standard input',
      ).conflicts(['plan', 'seed', 'allow', 'gentle', 'maxTime', 'showValues', 'maxExecutions', 'places', 'state']),
    )
    .option(
      '--remember <size>',
      'with --recording: how much memory to use before the execution or profile that was idle longest is judged early: 64MB (default), 2GB',
      size,
    )
    .option(
      '--show-values',
      "show the values of the profile's cookies and credentials, and signed URLs, in reports instead of masking them",
    )
    .option(
      '--state <folder>',
      'the folder for the list of copies that runs made, and for the report, which the next run is compared with',
    )
    .option('--insecure-http', 'allow sending the key over plain HTTP to another machine')
    .option('--quiet', 'show no progress')
    .addHelpText('after', epilogue)
    .action(async (baseUrl: string | undefined, options: CheckArguments) => {
      if (options.recording) {
        const { runRecording } = await import('../recording.js');
        return runRecording(options.recording, baseUrl, options, context);
      }
      if (options.gentle && options.allow !== undefined && options.allow !== 'read')
        throw new UserError(`--gentle only reads: leave out --allow ${options.allow}, or --gentle.`);
      if (options.remember !== undefined) throw new UserError('--remember needs --recording FILE.');
      if (options.soak !== undefined && options.maxTime !== undefined && options.soak >= options.maxTime)
        throw new UserError('--soak is part of the time of the run: it must be shorter than --max-time.');
      if (options.format !== undefined && !options.plan) throw new UserError('--format needs --plan.');
      if (options.again) {
        const { runAgain } = await import('../again.js');
        return runAgain(baseUrl, options, context);
      }
      if (options.plan) {
        const { runPlan } = await import('../plan.js');
        return runPlan(baseUrl, options, context);
      }
      const { runCheck } = await import('../check.js');
      return runCheck(baseUrl, options, context);
    });
}

const epilogue = `
Exit codes:
  0  conformant            2  usage or configuration   4  the target is unusable
  1  a rule is violated    3  incomplete

Environment:
  WORKFLOW_API_KEY                     the API key, where the target file names no other variable
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY    a proxy
  NODE_EXTRA_CA_CERTS                  a file with further certificate authorities
  XDG_STATE_HOME                       the folder for the list of copies that runs made

Examples:
  npx workflow-execution-contract check
  npx workflow-execution-contract check https://staging.example.com
  npx workflow-execution-contract check --target target.yaml --allow execute --report html=report.html
  npx workflow-execution-contract check --target target.yaml --plan
  npx workflow-execution-contract check --target target.yaml --again report.json
  npx workflow-execution-contract check --recording session.har --report html=report.html
`;

function places(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(value);
}

function count(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(value);
}
