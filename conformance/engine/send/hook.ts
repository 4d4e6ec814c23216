/** Runs the commands of the operator (`hooks` in the target file). */
import { spawn } from 'node:child_process';

/** What an operator's command printed, or why it failed. */
export type HookResult = { readonly printed: string } | { readonly failed: string };

/** Runs a command with these environment variables in addition to the present ones. Never rejects. */
export type RunHook = (command: string, variables: Readonly<Record<string, string>>) => Promise<HookResult>;

const longestMs = 120_000;
/** Characters of output to keep: enough for an id and a name, or for an error message. */
const mostPrinted = 16 * 1024;

/**
 * Runs a command in the shell. Ids are passed as variables, not in its text, so the shell does not run anything
 * that a service returns. After two minutes it is killed, with all processes that it started.
 */
export const shellHook = (
  command: string,
  variables: Readonly<Record<string, string>>,
  mostMs = longestMs,
): Promise<HookResult> =>
  new Promise((resolve) => {
    const isGroup = process.platform !== 'win32';
    const child = spawn(command, {
      shell: true,
      detached: isGroup,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] = (texts[name] + text).slice(-mostPrinted);
      });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      else child.kill('SIGKILL');
    }, mostMs);
    const end = (why: string | undefined) => {
      clearTimeout(timer);
      const said = texts.stderr.trim().split('\n').at(-1);
      resolve(why === undefined ? { printed: texts.stdout.trim() } : { failed: said ? `${why}: ${said}` : why });
    };
    child.on('error', ({ message }) => end(`it cannot be run: ${message}`));
    child.on('close', (code, signal) => {
      if (isLate) end(`it took longer than ${mostMs / 1000} s`);
      else end(code === 0 ? undefined : `it ended with ${code ?? signal}`);
    });
  });
