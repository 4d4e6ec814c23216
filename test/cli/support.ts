import { run } from '../../cli/program.js';

/** Runs a command line in this process. */
export async function cli(
  args: readonly string[],
  env: Record<string, string> = {},
  interrupted = new AbortController().signal,
) {
  let stdout = '';
  let stderr = '';
  const exitCode = await run(args, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env,
    interrupted,
    exitCode: 0,
  });
  return { exitCode, stdout, stderr };
}
