/** Runs `certify`: plays each script to the command of the user, and reports the verdicts. */

import { type ChildProcess, execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import spawn from 'cross-spawn';
import { type Caller, type Played, play, Stopped } from '../certify/play.js';
import { certificate, listing } from '../certify/report.js';
import type { Script } from '../certify/script.js';
import { scripts } from '../certify/scripts.js';
import { exitCodeOf, verdictsOf } from '../certify/verdict.js';
import { suggestion } from '../common/nearest.js';
import { UserError } from '../common/user-error.js';
import type { Terminal } from '../conformance/engine/report/progress.js';
import type { Context } from './context.js';
import { openOutputs, stdoutName, writeAll } from './outputs.js';

export interface CertifyArguments {
  readonly list?: true;
  readonly script?: readonly string[];
  readonly strict?: boolean;
  /** Milliseconds. */
  readonly maxTime?: number;
  readonly json?: string;
  readonly quiet?: boolean;
}

const usualMaxMs = 60_000;
/** How long to read on what a command wrote before it ended. */
const drainMs = 1000;

/** Passes on what a command writes. Reads on even if nobody listens: a full pipe would block the command. */
async function heard(stream: Readable, listener: Terminal | undefined): Promise<void> {
  let reads = listener;
  try {
    for await (const text of stream.setEncoding('utf8')) if (reads && !(await writeAll(reads, text))) reads = undefined;
  } catch {
    // The stream was destroyed.
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such command',
  EACCES: 'it is not a program, or you may not execute it',
};

/** Plays the selected scripts to the command, and reports the verdicts. */
export async function runCertify(command: readonly string[], args: CertifyArguments, context: Context): Promise<void> {
  const wanted = selected(args.script);
  if (args.list) return void context.stdout.write(listing(wanted));
  if (command.length === 0)
    throw new UserError(
      'no command is named; it goes after --: npx workflow-execution-contract certify -- node my-test.mjs',
    );
  const [json] = await openOutputs(args.json === undefined ? [] : [args.json], context.stdout);
  try {
    const played: Played[] = [];
    for (const script of wanted) {
      if (context.interrupted.aborted) break;
      context.stderr.write(`${script.id}: ${script.says}\n`);
      played.push(await play(script, running(command, args, context)));
    }
    const verdicts = verdictsOf(played);
    const people = args.json === stdoutName ? context.stderr : context.stdout;
    people.write(certificate(played, verdicts));
    await json?.write(`${JSON.stringify({ scripts: played.map(asJson), callers: verdicts }, null, 2)}\n`);
    context.exitCode = context.interrupted.aborted ? 3 : exitCodeOf(verdicts, args.strict ?? false);
  } finally {
    await json?.close();
  }
}

const asJson = ({ script, exchanges, failure }: Played) => ({
  id: script.id,
  requests: exchanges.length,
  ...(failure !== undefined && { failure }),
});

function selected(ids: readonly string[] | undefined): readonly Script[] {
  const known = scripts.map(({ id }) => id);
  const unknown = ids?.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new UserError(
      `unknown situation ${unknown}; ${suggestion(unknown, known, 'npx workflow-execution-contract certify --list shows all.')}`,
    );
  return ids ? scripts.filter(({ id }) => ids.includes(id)) : scripts;
}

/** Excludes the stage from proxies: to a proxy, its loopback address would be another machine. */
function pastProxies({ no_proxy, NO_PROXY }: Context['env']): Context['env'] {
  const named = no_proxy ?? NO_PROXY;
  const all = named === '*' ? named : [named, '127.0.0.1'].filter(Boolean).join(',');
  return { no_proxy: all, NO_PROXY: all };
}

/** Kills a command and everything that it started. */
function endAll(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  // On Windows a shell may stand between the command and what it started, as with npm.cmd.
  if (process.platform === 'win32')
    return void execFile('taskkill', ['/pid', `${pid}`, '/t', '/f'], () => child.kill());
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

const running =
  ([program = '', ...rest]: readonly string[], args: CertifyArguments, { env, stderr, interrupted }: Context): Caller =>
  (assignment, isEndless) =>
    new Promise((resolve, reject) => {
      // It may have been aborted while the stage was set up; the event does not come again.
      if (interrupted.aborted) return reject(new Stopped('it was stopped.'));
      // cross-spawn: on Windows npm, npx and pytest are shell scripts, which Node does not start by itself.
      const child = spawn(program, [...rest], {
        env: { ...env, ...pastProxies(env), ...assignment },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A process group of its own, so that all that it starts can be killed.
        detached: process.platform !== 'win32',
      });
      const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
      for (const stream of streams) void heard(stream, args.quiet ? undefined : stderr);
      let why = '';
      const end = (reason: string) => {
        why = reason;
        endAll(child);
      };
      const ms = args.maxTime ?? usualMaxMs;
      const timer = setTimeout(() => end(`it did not end within ${ms / 1000} seconds.`), ms);
      const stop = () => end('it was stopped.');
      const endEndless = () => end('it reads the execution again and again after its end.');
      interrupted.addEventListener('abort', stop, { once: true });
      isEndless.addEventListener('abort', endEndless, { once: true });
      const over = () => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', stop);
        isEndless.removeEventListener('abort', endEndless);
      };
      child.on('error', (error: NodeJS.ErrnoException) => {
        over();
        const reason = reasons[error.code ?? ''] ?? error.message;
        reject(new UserError(`${program} cannot be run: ${reason}.`));
      });
      // Kill what it left running, and do not wait for that: it may have inherited the pipes.
      child.on('exit', () => {
        over();
        end(why);
        setTimeout(() => {
          for (const stream of streams) stream.destroy();
        }, drainMs).unref();
      });
      child.on('close', (code, signal) => {
        if (why === '' && code === 0) resolve(undefined);
        else reject(why ? new Stopped(why) : new Error(`it ended with ${signal ?? `exit code ${code}`}.`));
      });
    });
