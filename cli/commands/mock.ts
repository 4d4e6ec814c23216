import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { pathPrefix } from '../../generated/sends.js';
import { optionValues } from '../../reference/option-values.js';
import { port } from '../arguments.js';
import type { Context } from '../context.js';

export function addMock(program: Command, { stdout, stderr, interrupted }: Context): void {
  program
    .command('mock')
    .summary('answer with the examples of the contract')
    .description(
      'Start Prism over the contract: it checks each request and answers with an example. It keeps no state.',
    )
    .option('--port <number>', 'the port to listen on; 0 takes a free port', port, 4010)
    .option(
      '--host <address>',
      'the address to listen on; 0.0.0.0 lets other machines call, as in a container',
      '127.0.0.1',
    )
    .option('--dynamic', 'answer with made-up values that keep the contract instead of the examples')
    .option('--base-path <path>', `a path before ${pathPrefix}, such as a gateway's`, basePath)
    .addHelpText(
      'after',
      `
Needs Prism: npm install --save-dev @stoplight/prism-cli@5.14.2

Examples:
  npx workflow-execution-contract mock
  npx workflow-execution-contract mock --port 8080 --base-path /gateway
`,
    )
    .action(async (options: { port: number; host: string; dynamic?: true; basePath?: string }) => {
      const [{ startMock }, { greeting }] = await Promise.all([
        import('../../mock/index.js'),
        import('../../mock/greeting.js'),
      ]);
      const mock = await startMock({ ...options, notice: (line) => stderr.write(`workflow-contract: ${line}\n`) });
      stdout.write(greeting(mock));
      if (!interrupted.aborted) await once(interrupted, 'abort');
      await mock.close();
    });
}

function basePath(value: string): string {
  const path = value.replace(/\/$/, '');
  const words = 'a path such as /gateway';
  if (path === '' || !optionValues[words](path)) throw new InvalidArgumentError(`It must be ${words}.`);
  return path;
}
