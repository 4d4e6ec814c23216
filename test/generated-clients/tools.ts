/** The tools that the clients are made with: programs of the machine, and what registries have. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const document = join(root, 'generated/openapi.json');
export const callerFile = (name: string): string => join(root, 'test/generated-clients/callers', name);
const tools = join(root, 'node_modules/.cache/generated-clients');

/** What a program writes. Rejects with what it says where it fails. */
export async function output(program: string, args: readonly string[], cwd = root): Promise<string> {
  try {
    return (await run(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args[0] ?? ''}: ${`${stdout}${stderr}`.trim().slice(-2000) || message}`);
  }
}

/** Whether the machine has a program. */
export const has = async (program: string): Promise<boolean> => {
  const isMissing = (error: { code?: unknown }) => error.code === 'ENOENT';
  return run(program, [program === 'go' ? 'version' : '--version']).then(
    () => true,
    (error) => !isMissing(error),
  );
};

/** The Python that has the generators and what their clients need. */
export async function python(): Promise<string> {
  const folder = join(tools, 'python');
  const program = join(folder, 'bin/python');
  if (!existsSync(program)) await output('python3', ['-m', 'venv', folder]);
  const requirements = join(root, 'test/generated-clients/requirements.txt');
  await output(program, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  return program;
}

/** Makes a client with openapi-generator; `options` are its additional properties. */
export async function openapiGenerator(generator: string, folder: string, options: readonly string[] = []) {
  const jar =
    "import openapi_generator_cli, pathlib; print(pathlib.Path(openapi_generator_cli.__file__).with_name('openapi-generator.jar'))";
  const file = (await output(await python(), ['-c', jar])).trim();
  const properties = ['hideGenerationTimestamp=true', ...options].join(',');
  const args = ['generate', '-i', document, '-g', generator, '-o', folder, `--additional-properties=${properties}`];
  await output('java', ['-jar', file, ...args]);
}
