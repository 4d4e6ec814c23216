import { type Command, InvalidArgumentError, Option } from 'commander';
import { pathPrefix } from '../../generated/sends.js';
import { duration, list, size } from '../arguments.js';
import type { Context } from '../context.js';
import type { ProxyArguments } from '../proxy.js';
import { addOutcomeOptions } from './outcome.js';

export function addProxy(program: Command, context: Context): void {
  const proxy = program
    .command('proxy')
    .summary('judge traffic as it passes')
    .description(
      'Stand between callers and a service: pass every request and answer on unchanged, print each violation as soon as it is certain, and write the report when it is stopped (Ctrl-C). Sends nothing of its own.',
    )
    .option('--upstream <url>', `the base URL of the service: everything before ${pathPrefix} (required)`)
    .addOption(
      new Option('--listen <host:port>', 'the port, or host and port, to listen on; 0 takes a free port')
        .argParser(address)
        .default({ host: '127.0.0.1', port: 4020 }, '127.0.0.1:4020'),
    )
    .option('--record <file>', 'write each exchange as a line, without keys, for check --recording')
    .option('--timeout <duration>', 'answer 504 if the service takes longer; by default there is no limit', duration)
    .option('--target <file>', 'the target file of the service: see "npx workflow-execution-contract init"')
    .option('--only <ids>', 'judge only these rules: ids or globs such as "sync-*", separated by commas', list)
    .option('--skip <ids>', 'leave these rules out', list)
    .option(
      '--remember <size>',
      'how much memory to use before the execution or profile that was idle longest is judged early: 64MB (default), 2GB',
      size,
    )
    .option('--quiet', 'print no violation before the report');
  addOutcomeOptions(proxy)
    .addHelpText('after', epilogue)
    .action(async (options: ProxyArguments) => {
      const { runProxy } = await import('../proxy.js');
      return runProxy(options, context);
    });
}

const epilogue = `
An answer of the proxy's own (502, 504) carries the header X-Workflow-Contract-Proxy, and is not judged as the service's.

Environment:
  NODE_EXTRA_CA_CERTS    a file with further certificate authorities; HTTP_PROXY and HTTPS_PROXY are not used

Exit codes, when it is stopped:
  0  conformant     1  a rule is violated     2  usage     3  no rule could be judged

Examples:
  npx workflow-execution-contract proxy --upstream https://staging.example.com
  npx workflow-execution-contract proxy --upstream http://127.0.0.1:4010 --listen 127.0.0.1:8080 --record traffic.ndjson --report html=report.html
`;

function address(value: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(value) ?? [];
  if (digits === '' || Number(digits) > 65_535)
    throw new InvalidArgumentError('It must be a port, or a host and a port: 127.0.0.1:4020.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(digits) };
}
