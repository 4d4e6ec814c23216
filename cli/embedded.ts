import { toTarget } from '../conformance/settings/target/target.js';
import type { Effect } from '../conformance/vocabulary.js';

/** Nothing on the way, and nobody else who uses it. */
const pace = { requestsPerSecond: 5000, concurrency: 64 };

/** Starts the reference service in this process, as the target of one run, and says so. */
export async function startEmbedded(allow: Effect | undefined, people: { write(text: string): unknown }) {
  const { startReference } = await import('../reference/index.js');
  const reference = await startReference();
  const target = toTarget({ ...reference.target, pace, ...(allow && { allow }) });
  people.write(
    `No target is named: this checks the reference service, started for this run at ${reference.url} (allow: ${target.facts.allow}).\n\n`,
  );
  return { target, close: () => reference.close() };
}
