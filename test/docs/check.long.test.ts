import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Reference, startReference } from '../../reference/index.js';
import { cli } from '../cli/support.js';
import { temporaryFolder } from '../support/folder.js';

const page = await readFile(fileURLToPath(new URL('../../docs/check.md', import.meta.url)), 'utf8');

/** What a reader does, in order: files that are written, and commands that are run. */
const steps = [...page.matchAll(/^```(?:sh|yaml)\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
  text.startsWith('# target.yaml') ? [text] : text.split('\n').filter((line) => line.startsWith('npx ')),
);

const folder = temporaryFolder();
let reference: Reference;
beforeAll(async () => {
  reference = await startReference();
});
afterAll(async () => {
  await reference.close();
});

/** The files of the page are in a folder of the test, and the service is the reference. */
const here = (word: string): string =>
  word === 'https://staging.example.com'
    ? reference.url
    : word.replace(/^(\w+=)?((?:\w+\.(?:yaml|json|html))|state)$/, (_, name = '', file) => name + join(folder, file));

/** The file of the page, with the ids that the service has, and at its pace: its executions take no minutes. */
function withIds(text: string): string {
  const file = parse(text);
  const { workflows, profile, pace } = reference.fixtures;
  return stringify({
    ...file,
    baseUrl: reference.url,
    pace,
    workflows: { completes: { ...file.workflows.completes, id: workflows.completes, takes: '1s' } },
    ...(file.profile && { profile }),
  });
}

/** Runs a command as a shell would, with its output into a file where it says so. */
async function follow(line: string) {
  const [command = '', into] = line.split(' > ');
  const words = command.split(' ').slice(2).map(here);
  const done = await cli(words, { WORKFLOW_API_KEY: reference.keys.full, XDG_STATE_HOME: folder });
  if (into) await writeFile(here(into), done.stdout);
  return done;
}

it('every command of the guide to a check succeeds, in its order', { timeout: 240_000 }, async () => {
  expect(steps.length).toBeGreaterThan(10);
  const told: string[] = [];
  for (const step of steps) {
    if (!step.startsWith('npx')) {
      await writeFile(here('target.yaml'), withIds(step));
      continue;
    }
    const { exitCode, stdout, stderr } = await follow(step);
    expect(exitCode, `${step}\n${stdout}\n${stderr}`).toBe(0);
    told.push(stdout.replaceAll(/\s+/g, ' '));
  }
  const plans = told.filter((text) => text.includes('Nothing is sent now.'));
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).toMatch(/ time: about .* cost: \d/);
  expect(plans[1]).toMatch(/Left behind: copies of the profile: at most \d+/);
  // Runs are compared with those before them.
  expect(told.filter((text) => /Since \d{4}-\d\d-\d\d/.test(text)).length).toBeGreaterThan(0);
});
