import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

/** What every process gets of this one's environment. The rest, such as CI's own variables, is not the consumer's. */
const basics = (cwd: string): Env => ({
  PATH: `${join(cwd, 'node_modules/.bin')}:${join(process.execPath, '..')}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '',
});

/** Runs a program to its end; the Node that runs the tests is the one that the program finds. */
export function run(cwd: string, file: string, args: readonly string[], env: Env = {}): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      file,
      args,
      { cwd, env: { ...basics(cwd), ...env }, maxBuffer: 64_000_000 },
      (_, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

export interface Served {
  readonly url: string;
  /** Interrupts it as Ctrl-C does, and gives how it ended. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** Starts a program that serves until it is interrupted, and waits until it says where it listens. */
export async function serve(cwd: string, file: string, args: readonly string[], env: Env = {}): Promise<Served> {
  const child = spawn(file, args, { cwd, env: { ...basics(cwd), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code, signal]): number | NodeJS.Signals => code ?? signal);
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listens on (\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
    void ended.then((how) => reject(new Error(`${file} ${args.join(' ')} ended (${how}): ${complaint}`)));
  });
  return {
    url,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}
