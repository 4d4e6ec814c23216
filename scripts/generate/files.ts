import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes all files to a temporary folder first, so that a failure leaves the folder unchanged. */
export async function replaceFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const beside = await mkdtemp(join(dirname(folder), '.generated-'));
  try {
    for (const [name, content] of files) await writeFile(join(beside, name), content);
    for (const name of files.keys()) await rename(join(beside, name), join(folder, name));
    for (const name of await filesIn(folder)) if (!files.has(name)) await rm(join(folder, name));
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** The files of a folder, without those in folders below. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);

/** A line with the reason for each file of the folder that is out of date. */
export async function staleFiles(folder: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const present = await filesIn(folder).catch((): string[] => []);
  const stale = await Promise.all([...files].map(([name, want]) => staleFile(folder, name, want)));
  const unexpected = present
    .filter((name) => !files.has(name))
    .map((name) => `${name} is unexpected: nothing generates it`);
  return [...stale.flat(), ...unexpected];
}

/** A line with the reason if a file is out of date; otherwise none. */
export async function staleFile(folder: string, name: string, want: string): Promise<string[]> {
  const got = await readFile(join(folder, name), 'utf8').catch(() => undefined);
  if (got === undefined) return [`${name} is missing`];
  // git may check out other line ends.
  const difference = firstDifference(got.replaceAll('\r\n', '\n'), want);
  return difference ? [`${name} is stale: ${difference}`] : [];
}

function firstDifference(got: string, want: string): string | undefined {
  if (got === want) return undefined;
  const [gotLines, wantLines] = [got.split('\n'), want.split('\n')];
  const index = wantLines.findIndex((line, at) => line !== gotLines[at]);
  const at = index < 0 ? wantLines.length : index;
  const show = (line: string | undefined) =>
    line === undefined ? 'nothing' : JSON.stringify(line.trim().slice(0, 100));
  return `line ${at + 1} has ${show(gotLines[at])} where the sources give ${show(wantLines[at])}`;
}
