import type { ExecuteRequest } from '../../../generated/types.js';
import { accepted, type Fields, isFields, startedId, status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { marker, softTimeout } from './requests.js';
import type { StartSpec } from './starting.js';

/** What each start may ask for, and nothing of it asks for anything. */
export const emptyFields: Fields = {
  head: false,
  inputs: {},
  metadata: {},
  executionOptions: {},
  // What is attached may not wait; nothing is.
  onCapacityLimit: 'queue',
  tempFiles: [],
} satisfies ExecuteRequest;

/**
 * Plain words under plain names, of every type that JSON has: nobody has a reason to refuse them. interface: POST execute:
 * inputs are free-form, metadata has strings.
 */
export const plainWords: Fields = {
  inputs: {
    supplier: 'Müller',
    invoices: 3,
    limit: 12.5,
    urgent: true,
    months: ['May', 'June'],
    address: { city: 'Köln', floor: null },
    orders: [
      { id: 'A-17', lines: [{ item: 'Tea', amount: 2 }] },
      { id: 'A-18', lines: [] },
    ],
    instructions: 'Open each order, compare it with the invoice, and note what differs.\n'.repeat(9),
    approver: null,
  },
  metadata: { team: 'north', purpose: 'Report of März', 'cost-center': '0042' },
} satisfies ExecuteRequest;

/** What else an asynchronous start asks a group for, and what a synchronous one asks a profile for: no two of it exclude each other. */
export const besideGroup = (driver: Driver): Fields =>
  ({
    ...(driver.facts.publishedVersion !== undefined && { version: driver.facts.publishedVersion }),
    executionOptions: softTimeout(driver),
    onCapacityLimit: 'queue',
  }) satisfies ExecuteRequest;
export const besideProfile = (driver: Driver): Fields =>
  ({
    head: true,
    executionOptions: softTimeout(driver),
    onCapacityLimit: 'reject',
    ...(driver.facts.tempFile && { tempFiles: [driver.facts.tempFile] }),
  }) satisfies ExecuteRequest;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value ?? {})).length;
/** More than a marker takes. */
const longBytes = 200;
/** A plain text as long as what is in the free fields; undefined where that is hardly anything. */
const asLong = ({ inputs, metadata }: Fields): Fields | undefined => {
  const length = bytesOf(inputs) + bytesOf(metadata);
  return length > longBytes ? { text: 'word '.repeat(Math.ceil(length / 5)) } : undefined;
};

/** So often a start is asked for again that is refused beside one that needs the same room and is taken: once may be chance. */
const rounds = 2;

/**
 * Starts what asks for several things that are accepted one by one, and follows it to its end. Where it is refused, a start
 * that needs the same room tells whether that was the reason: then it waits for room, else it is soon known. How long a
 * body may be is not shown: nothing is expected of a long one where no other as long is taken. `risky`, a body that a service
 * may refuse for what is in its free fields, is tried before.
 */
export async function startCombined(
  driver: Driver,
  ask: StartSpec & { readonly body: Fields },
  risky?: Fields,
): Promise<Exchange> {
  const ends = async (start: Exchange): Promise<Exchange> => {
    const executionId = startedId(start);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
    return start;
  };
  const { profileId, profileGroupId, timeoutSeconds, onCapacityLimit, executionOptions: options } = ask.body;
  const step = `${ask.step}-plain`;
  // As little as tells whether there is room; undefined is not sent.
  const ways = onCapacityLimit === 'queue' ? [{ onCapacityLimit }, {}] : [{}];
  // A workflow in variant mode runs with nothing less.
  const variant = isFields(options) && 'variantKey' in options && { executionOptions: options };
  const plain = { ...marker(driver, step), profileId, profileGroupId, timeoutSeconds, ...variant };
  const long = asLong(ask.body);
  const refusals: Exchange[] = [];
  let isTooLong = false;
  const isLongTaken = async (): Promise<boolean> => {
    const body = { ...plain, ...ways[0], inputs: { ...plain.inputs, ...long } };
    const start = await ends(await driver.startOnce({ ...ask, step: `${ask.step}-as-long`, body }));
    if (!accepted(start)) driver.expectNothing(start);
    return accepted(start);
  };
  /** Whoever would wait may be refused for that: one that would not tells. */
  const isRoom = async () => {
    for (const waits of ways) {
      const asked = { ...ask, step, body: { ...plain, ...waits }, mayBeAtCapacity: true };
      const start = await ends(await driver.startOnce(asked));
      if (accepted(start)) return true;
      refusals.push(start);
    }
    return false;
  };
  if (risky) {
    const first = await ends(await driver.startSoon({ ...ask, body: risky }));
    if (accepted(first)) return first;
    driver.expectNothing(first);
  }
  let last = await ends(await driver.startSoon(ask));
  try {
    for (let round = 0; round < rounds && !accepted(last) && driver.facts.stateful; round += 1) {
      refusals.push(last);
      const isTaken = long !== undefined && (await isLongTaken());
      const hadRoom = isTaken || (await isRoom());
      isTooLong ||= long !== undefined && hadRoom && !isTaken;
      last = await ends(hadRoom ? await driver.startOnce(ask) : await driver.start(ask));
      if (!hadRoom) break;
    }
  } finally {
    // Also where the budget is spent before: what is known of them is known.
    if (accepted(last)) for (const refusal of refusals) driver.exclude(refusal);
    else if (isTooLong || status(last) === 413)
      for (const refusal of [...refusals, last]) driver.expectNothing(refusal);
  }
  return last;
}
