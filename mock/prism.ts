/** Runs Prism as a child process, and restarts it when it has died. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { UserError } from '../common/user-error.js';

export interface Prism {
  /** Returns the address of Prism when it listens. Starts it if it is not running. */
  origin(): Promise<string>;
  stop(): Promise<void>;
}

interface PrismOptions {
  /** Path of the bundled contract. */
  readonly document: string;
  /** Generate answers from the schemas instead of using the examples. */
  readonly dynamic: boolean;
  /** Called with a line of text when Prism has died. */
  notice(line: string): void;
}

// Ends Prism if its parent is killed: the IPC channel closes then.
const endWithParent = 'data:text/javascript,process.on("disconnect",()=>process.exit())';

/** Keeps one Prism running on a free port. `origin()` rejects with a UserError if Prism cannot be started. */
export function keepPrism({ document, dynamic, notice }: PrismOptions): Prism {
  const entry = findPrism();
  let child: ChildProcess | undefined;
  let starting: Promise<string> | undefined;
  let stopped = false;

  async function start(): Promise<string> {
    // Prism prints its port at the level `info` only. Nothing else of its output is passed on.
    const args = [entry, 'mock', document, '--port', '0', '--host', '127.0.0.1', '--verboseLevel', 'info'];
    args.push('--multiprocess', 'false', '--dynamic', String(dynamic));
    const prism = spawn(process.execPath, ['--import', endWithParent, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C goes to the whole process group; Prism should be ended by `stop`, in order.
      detached: true,
      env: { ...process.env, FORCE_COLOR: '0' },
    });
    child = prism;
    let complaint = '';
    prism.stderr?.on('data', (text) => {
      complaint = `${complaint}${text}`.slice(-10_000);
    });
    return new Promise((resolve, reject) => {
      let listening = false;
      if (prism.stdout)
        createInterface({ input: prism.stdout }).on('line', (line) => {
          const origin = /listening on (http:\S+)/.exec(line)?.[1];
          if (!origin) return;
          // It prints another port after it has reloaded a changed contract.
          if (listening) starting = Promise.resolve(origin);
          listening = true;
          resolve(origin);
        });
      prism.once('error', ({ message }) => {
        [child, starting] = [undefined, undefined];
        reject(new UserError(`Prism cannot be started: ${message}.`));
      });
      prism.once('exit', (code, signal) => {
        const why = `Prism ended (${signal ?? `exit code ${code}`})${reason(complaint)}`;
        starting = undefined;
        if (!listening) reject(new UserError(`${why} before it listened; the contract is ${document}.`));
        else if (!stopped) notice(`${why}; the next request starts it again.`);
      });
    });
  }

  return {
    origin() {
      starting ??= start();
      return starting;
    },
    async stop() {
      stopped = true;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The main file of Prism's command. Prism is an optional peer dependency, so it may be missing. */
export function findPrism(resolve: (id: string) => string = createRequire(import.meta.url).resolve): string {
  try {
    return resolve('@stoplight/prism-cli/dist/index.js');
  } catch {
    throw new UserError('Prism is not installed: npm install --save-dev @stoplight/prism-cli@5.14.2');
  }
}

function reason(complaint: string): string {
  const line = complaint.split('\n').find((text) => /error/i.test(text));
  return line ? `: ${line.trim()}` : '';
}
