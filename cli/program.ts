/** The command line: declares all commands, and runs one. */

import { Command, CommanderError } from 'commander';
import { UserError } from '../common/user-error.js';
import manifest from '../package.json' with { type: 'json' };
import { addBaseline } from './commands/baseline.js';
import { addCertify } from './commands/certify.js';
import { addCheck } from './commands/check.js';
import { addInit } from './commands/init.js';
import { addMerge } from './commands/merge.js';
import { addMock } from './commands/mock.js';
import { addProxy } from './commands/proxy.js';
import { addRules } from './commands/rules.js';
import { addServe } from './commands/serve.js';
import type { Context } from './context.js';
import { exitCodes, explain } from './errors.js';
import { removalOf } from './removed.js';

/** The commands in the order of the help. Each imports its implementation only when it runs. */
const commands = [addCheck, addMerge, addBaseline, addProxy, addCertify, addServe, addMock, addRules, addInit];

/** Runs a command line (without the name of the program) and returns its exit code. Never rejects. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    // Commander would take it for the name of a command.
    if (/^https?:\/\//i.test(args[0] ?? ''))
      throw new UserError('a base URL goes after the name of a command: npx workflow-execution-contract check URL.');
    const empty = args.indexOf('');
    if (empty >= 0)
      throw new UserError(
        `the argument ${empty > 0 ? `after ${args[empty - 1]}` : 'for the command'} is empty; is a variable not set?`,
      );
    const root = commandLine(context);
    const flag = flagWithValue(root, args);
    if (flag !== undefined) throw new UserError(`${flag} takes no value.`);
    await root.parseAsync(isUnknown(root, args[0]) ? args.slice(0, 1) : args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const { text, exitCode } = explain(error, context.env);
    context.stderr.write(`workflow-contract: ${text}\n`);
    return exitCode;
  }
}

/** Whether the command does not exist. With `--help` after it, commander would print the general help, and no error. */
const isUnknown = (root: Command, name = '-'): boolean =>
  !name.startsWith('-') && name !== 'help' && !root.commands.some((command) => command.name() === name);

/** An option without a value that was given one; commander would call it unknown. */
function flagWithValue(root: Command, [name, ...args]: readonly string[]): string | undefined {
  const command = root.commands.find((one) => one.name() === name);
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const given = before.flatMap((arg) => /^(--[\w-]+)=/.exec(arg)?.[1] ?? []);
  return command?.options.find((option) => option.isBoolean() && given.includes(option.long ?? ''))?.long;
}

/** All commands with their options. */
export function commandLine(context: Context): Command {
  const root = new Command('workflow-contract')
    .description('The contract of the workflow execution service: mock it, and check services and callers against it.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(`workflow-contract: ${oneLine(text)}\n`),
    })
    .addHelpText('after', epilogue);
  for (const add of commands) add(root, context);
  return root;
}

function oneLine(text: string): string {
  const [, unknown = ''] = /^error: unknown (?:command|option) '([^']*)'/.exec(text) ?? [];
  const removal = removalOf(unknown);
  if (removal !== undefined) return removal;
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing; --help shows what the command takes.')
    .replace(/^(too many arguments for '.*')\..*$/, '$1; --help shows what the command takes.')
    .replace(/^option '.*(--[\w-]+) <(.*)>' argument missing$/, '$1 is missing its <$2>.');
}

const epilogue = `
Exit codes:
  0   all is well          2  usage or configuration   4   the target is unusable
  1   a rule is violated   3  incomplete               70  a bug in this tool

Environment:
  DEBUG=workflow-contract  show where an error comes from
`;
