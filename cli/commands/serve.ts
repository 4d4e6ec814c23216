import { once } from 'node:events';
import { type Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../common/user-error.js';
import type { DisturbanceName, Fixtures } from '../../reference/index.js';
import { optionValues } from '../../reference/option-values.js';
import { collect, port } from '../arguments.js';
import type { Context } from '../context.js';
import { shellWord } from '../shell-word.js';

interface Options {
  port: number;
  host: string;
  latency: number;
  speed: number;
  choices: string;
  fault?: string[];
  replicas?: number;
  disturbance?: DisturbanceName[];
  writeTarget?: string;
  force?: boolean;
  cors?: true;
}

export function addServe(program: Command, { stdout, interrupted }: Context): void {
  program
    .command('serve')
    .summary('start the reference service')
    .description('Start a service that implements the whole contract, with state, in memory.')
    .option('--port <number>', 'the port to listen on; 0 takes a free port', port, 4010)
    .option(
      '--host <address>',
      'the address to listen on; 0.0.0.0 lets other machines call, as in a container',
      '127.0.0.1',
    )
    .option('--latency <ms>', 'delay every request by this time', milliseconds, 0)
    .option('--speed <factor>', 'let executions run this many times faster', factor, 1)
    .option(
      '--choices <choices>',
      'what to do where the interface leaves something open: a set of choices, gap=value, or several',
      'default',
    )
    .option('--fault <id>', 'a fault to switch on; may be repeated; generated/docs/faults.md lists all', collect)
    .option(
      '--replicas <number>',
      'let so many replicas answer, over one store: each fault is that of one of them',
      count,
    )
    .option('--disturbance <name>', 'disturb the answers as a gateway or the network would; may be repeated', collect)
    .option('--write-target <file>', 'write a target file for this service')
    .option('--force', 'overwrite that file even if serve did not write it')
    .option('--cors', 'let browsers of any origin call')
    .addHelpText(
      'after',
      `
Sets of choices: default, lenient, strict, minimal, other.
Disturbances: start-answer-lost, start-504, rate-limited, unavailable, connection-cut, gateway-404.

Examples:
  npx workflow-execution-contract serve
  npx workflow-execution-contract serve --port 0 --choices strict,service-agents-key=own
  npx workflow-execution-contract serve --write-target local.yaml
`,
    )
    .action(
      async ({ fault = [], disturbance = [], writeTarget: file, force = false, latency, ...options }: Options) => {
        if (force && file === undefined) throw new UserError('--force needs --write-target FILE.');
        const { disturbances, findFault, startReference } = await import('../../deviations/index.js');
        const { greeting } = await import('../../reference/greeting.js');
        const faults = fault.map(findFault);
        const reference = await startReference({
          ...options,
          latencyMs: latency,
          faults,
          disturbances: disturbance,
          limits: { requests: 0 },
          replaceGlobals: true,
        });
        try {
          if (file !== undefined) await writeTarget(file, force, reference.fixtures);
          stdout.write(greeting(reference));
          for (const { id, breaks } of faults) stdout.write(`\nFault ${id}: it breaks ${breaks.join(', ')}.\n`);
          for (const name of disturbance) stdout.write(`\nDisturbance ${name}: ${disturbances[name].says}\n`);
          if (file !== undefined) stdout.write(`\n${file} is written${nextStep(file, options.speed)}\n`);
          if (!interrupted.aborted) await once(interrupted, 'abort');
        } finally {
          await reference.close();
        }
      },
    );
}

/** Does not overwrite a file that a person filled in, unless `force` is true. */
async function writeTarget(file: string, force: boolean, target: Fixtures): Promise<void> {
  const { targetFile, targetFileHead } = await import('../../reference/target-file.js');
  const { holdsNothingElse, writeTargetFile } = await import('../init.js');
  await writeTargetFile(file, force || (await holdsNothingElse(file, targetFileHead)), targetFile(target));
}

/** With --speed, states may end before a check can observe them. */
const nextStep = (file: string, speed: number): string =>
  speed > 1
    ? '; for a check, start the service without --speed.'
    : `: npx workflow-execution-contract check --target ${shellWord(file)}`;

const milliseconds = (value: string): number => numeric(value, 'milliseconds from 0 to a day');
const count = (value: string): number => numeric(value, 'a whole number from 1');
const factor = (value: string): number => numeric(value, 'a number above 0');

function numeric(value: string, words: keyof typeof optionValues): number {
  if (!/^\d+(?:\.\d+)?$/.test(value) || !optionValues[words](Number(value)))
    throw new InvalidArgumentError(`It must be ${words}.`);
  return Number(value);
}
