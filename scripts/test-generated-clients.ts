// Runs callers with clients that generators for several languages make from the contract, against all test targets.
// Needs Python, Java and Go on the machine; generators come from registries. Prints a table and the failures.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clients, type GeneratedClient } from '../test/generated-clients/clients.js';
import { callerTargets } from '../test/generated-clients/targets.js';
import { has } from '../test/generated-clients/tools.js';

interface Row {
  readonly id: string;
  /** The result for each target, or why it was not run. */
  readonly cells: readonly string[];
  readonly faults: readonly string[];
}

async function rowOf({ id, needs, make }: GeneratedClient): Promise<Row> {
  const missing = [];
  for (const program of needs) if (!(await has(program))) missing.push(program);
  if (missing.length > 0)
    return { id, cells: callerTargets.map(() => 'skipped'), faults: [`skipped: no ${missing.join(', ')} here`] };
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  try {
    const command = await make(folder);
    const cells: string[] = [];
    const faults: string[] = [];
    for (const target of callerTargets) {
      const found = await target.faultsOf(command, folder);
      cells.push(found.length === 0 ? '✓' : `${found.length} faults`);
      faults.push(...found.map((fault) => `${target.id}: ${fault}`));
    }
    return { id, cells, faults };
  } catch (error) {
    return {
      id,
      cells: callerTargets.map(() => 'not made'),
      faults: [error instanceof Error ? error.message : String(error)],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !clients.some(({ id }) => id === name));
if (unknown) {
  console.error(`${unknown} is no client of these: ${clients.map(({ id }) => id).join(', ')}.`);
  process.exitCode = 2;
} else {
  console.log(
    `| client | ${callerTargets.map(({ id }) => id).join(' | ')} |\n|---|${callerTargets.map(() => '---|').join('')}`,
  );
  const all: Row[] = [];
  for (const client of clients) {
    if (named.length > 0 && !named.includes(client.id)) continue;
    const row = await rowOf(client);
    all.push(row);
    console.log(`| ${[row.id, ...row.cells].join(' | ')} |`);
  }
  for (const { id, faults } of all) for (const fault of faults) console.log(`\n${id}: ${fault}`);
  if (all.some(({ cells }) => cells.some((cell) => cell !== '✓' && cell !== 'skipped'))) process.exitCode = 1;
}
