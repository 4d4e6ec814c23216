import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { explain } from '../../cli/errors.js';
import { UserError } from '../../common/user-error.js';
import { cli } from './support.js';

describe('a wrong command line ends with 2 and one line on standard error:', () => {
  it.each([
    [
      ['https://staging.example.com'],
      'workflow-contract: a base URL goes after the name of a command: npx workflow-execution-contract check URL.\n',
    ],
    [['mok'], "workflow-contract: unknown command 'mok' (Did you mean mock?)\n"],
    [['mok', '--help'], "workflow-contract: unknown command 'mok' (Did you mean mock?)\n"],
    [['init', ''], 'workflow-contract: the argument after init is empty; is a variable not set?\n'],
    [['check', '--target', ''], 'workflow-contract: the argument after --target is empty; is a variable not set?\n'],
    [['mock', '--prot', '1'], "workflow-contract: unknown option '--prot' (Did you mean --port?)\n"],
    ...[['--explore', '800'], ['--explore=800']].map((args): [string[], RegExp] => [
      ['check', ...args],
      /^workflow-contract: --explore was removed; .*Schemathesis.*generated\/openapi\.json.*\.\n$/,
    ]),
    [['mock', '--port', 'x'], /^workflow-contract: option '--port <number>'.* 0 to 65535\.\n$/],
    [['mock', '--port', '65536'], /^workflow-contract: option '--port <number>'.* 0 to 65535\.\n$/],
    [['mock', '--port'], 'workflow-contract: --port is missing its <number>.\n'],
    [['check', '--strict=true'], 'workflow-contract: --strict takes no value.\n'],
    [['merge'], 'workflow-contract: <reports> is missing; --help shows what the command takes.\n'],
    [['mock', '--base-path', 'gateway'], /^workflow-contract: option '--base-path <path>'.*such as \/gateway\.\n$/],
    [['check', '--remember', '5MB'], 'workflow-contract: --remember needs --recording FILE.\n'],
    [['check', '--plan', '--remember', '2MB'], 'workflow-contract: --remember needs --recording FILE.\n'],
    [['check', '--soak', '5'], /^workflow-contract: option '--soak <duration>'.*such as 90s, 15m or 1h30m\.\n$/],
    [['check', '--soak', '0s'], /^workflow-contract: option '--soak <duration>'.*more than 0 and at most 24 days\.\n$/],
    [['check', '--gentle', '--soak', '5s'], /'--soak <duration>' cannot be used with option '--gentle/],
    [
      ['check', '--soak', '5m', '--max-time', '300s'],
      'workflow-contract: --soak is part of the time of the run: it must be shorter than --max-time.\n',
    ],
    [['check', '--recording', 'a.har', '--max-time', '5s'], /'--recording .*cannot be used with option '--max-time/],
    [['serve', '--replicas', '0'], /^workflow-contract: option '--replicas <number>'.*a whole number from 1\.\n$/],
    [['serve', '--port', '0', '--write-target', '.'], 'workflow-contract: . cannot be written: it is a folder.\n'],
    [
      ['mock', 'openapi.json'],
      "workflow-contract: too many arguments for 'mock'; --help shows what the command takes.\n",
    ],
    [['rules', '--level', 'MAY'], /^workflow-contract: option '--level <level>'.*MUST, SHOULD\.\n$/],
    [['rules', 'sinc-*'], /^workflow-contract: nothing in the register has the id sinc-\*.* lists every id\.\n$/],
    [['rules', 'missing-key-is-402'], /^workflow-contract: nothing .* did you mean missing-key-is-401\?\n$/],
  ])('%j', async (args, line) => {
    const { exitCode, stdout, stderr } = await cli(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    if (typeof line === 'string') expect(stderr).toBe(line);
    else expect(stderr).toMatch(line);
  });
});

describe('help', () => {
  it('names every command, the exit codes and where to find details', async () => {
    const { exitCode, stdout, stderr } = await cli(['--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const part of ['mock', 'rules', 'init', 'Exit codes', 'DEBUG=workflow-contract'])
      expect(stdout).toContain(part);
  });

  it('is printed on standard error, with 2, when there is no command', async () => {
    const { exitCode, stdout, stderr } = await cli([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: workflow-contract');
  });

  it.each(['mock', 'rules', 'init', 'proxy', 'check'])(
    'of %s is printed with 0, without raw default values',
    async (command) => {
      const { exitCode, stdout } = await cli([command, '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: workflow-contract ${command}`);
      expect(stdout).not.toMatch(/default: *[{[]/);
    },
  );

  it('of check, and README, name the requests that a bare base URL causes and recommend --gentle for production', async () => {
    const { stdout } = await cli(['check', '--help']);
    const readme = await readFile('README.md', 'utf8');
    for (const text of [stdout, readme].map((one) => one.replaceAll(/\s+/g, ' '))) {
      expect(text).toMatch(/sends? POST, PATCH, PUT and DELETE with .{3,8} key to made-up ids/);
      expect(text).toMatch(/for production add `?--gentle/i);
    }
  });
});

it('prints the version of the package', async () => {
  expect(await cli(['--version'])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

describe('an error', () => {
  it('that the user caused is printed as its message alone', () => {
    expect(explain(new UserError('no such file'), {})).toEqual({ text: 'no such file', exitCode: 2 });
  });

  it('with an exit code of its own ends with that code, wherever it was defined', () => {
    expect(explain(Object.assign(new Error('refused'), { exitCode: 4 }), {}).exitCode).toBe(4);
  });

  it('that is unexpected is one line that names it as a bug, and ends with 70', () => {
    const { text, exitCode } = explain(new TypeError('x is undefined\nat y'), {});
    expect(exitCode).toBe(70);
    expect(text).toMatch(/^this is a bug in this tool.*x is undefined \(DEBUG=workflow-contract shows where\)$/);
  });

  it('is printed with its stack when DEBUG is set', () => {
    expect(explain(new Error('odd'), { DEBUG: 'workflow-contract' }).text).toContain('program.test.ts');
  });
});
