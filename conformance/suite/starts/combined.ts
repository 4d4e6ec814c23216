/** Starts that combine several fields, each of which is accepted by itself. */

import type { ExecuteRequest } from '../../../generated/types.js';
import { accepted, type Fields, isFields, status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { free, freeOf, ifFull, isToQueue } from '../executions/view.js';
import { marker, shortSoftTimeout, softTimeout } from './requests.js';
import type { StartSpec } from './starting.js';

/** What any start may ask for, with values that ask for nothing. */
export const asksNothing: Fields = {
  head: false,
  executionOptions: {},
  // Temp files may not be queued, but there are none.
  ...ifFull('queue'),
  tempFiles: [],
} satisfies ExecuteRequest;

/** Fields that any start may have, all of them empty. */
export const emptyFields: Fields = { ...asksNothing, ...free({}, {}) };

/**
 * Plain words under plain names, with values of every JSON type: nobody has a reason to refuse them. interface: POST
 * execute: inputs are free-form, metadata has strings.
 */
export const plainWords: Fields = free(
  {
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
  { team: 'north', purpose: 'Report of März', 'cost-center': '0042' },
) satisfies ExecuteRequest;

/** What is combined with a group (asynchronous) or a profile (synchronous). None of it excludes another part. */
export const besideGroup = (driver: Driver): Fields =>
  ({
    ...(driver.facts.publishedVersion !== undefined && { version: driver.facts.publishedVersion }),
    executionOptions: softTimeout(driver, driver.facts.workflows.completes),
    ...ifFull('queue'),
  }) satisfies ExecuteRequest;
export const besideProfile = (driver: Driver): Fields =>
  ({
    head: true,
    // Another one than earlier starts have: a later start without one may show that of the last.
    executionOptions: shortSoftTimeout(driver, driver.facts.workflows.completes),
    ...ifFull('reject'),
    ...(driver.facts.tempFile && { tempFiles: [driver.facts.tempFile] }),
  }) satisfies ExecuteRequest;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value ?? {})).length;
/** More than a marker takes. */
const longBytes = 200;
/** A plain text as long as what the free fields hold; undefined if that is hardly anything. */
const asLong = (body: Fields): Fields | undefined => {
  const { inputs, metadata } = freeOf(body);
  const length = bytesOf(inputs) + bytesOf(metadata);
  return length > longBytes ? { text: 'word '.repeat(Math.ceil(length / 5)) } : undefined;
};

/** How often a start is repeated that was refused though another one found room: a single refusal may be chance. */
const rounds = 2;

/**
 * Starts an execution that asks for several things which are accepted one by one, and follows it to its end. If it is
 * refused, a plain start tells whether there was room: if not, it waits for room; if so, it is repeated. The longest
 * allowed body is not shown: a long one may be refused if no other of its length is accepted. `risky`, a body that a
 * service may refuse for what is in its free fields, is tried first.
 */
export async function startCombined(
  driver: Driver,
  ask: StartSpec & { readonly body: Fields },
  risky?: Fields,
): Promise<Exchange> {
  const ends = async (start: Exchange): Promise<Exchange> => {
    await driver.followStarted(start);
    return start;
  };
  const { profileId, profileGroupId, timeoutSeconds, executionOptions: options } = ask.body;
  const step = `${ask.step}-plain`;
  // Only what is needed to tell whether there is room. Undefined fields are not sent.
  const ways = isToQueue(ask.body) ? [ifFull('queue'), {}] : [{}];
  // A workflow in variant mode does not run without it.
  const variant = isFields(options) && 'variantKey' in options && { executionOptions: options };
  const plain = { ...marker(driver, step), profileId, profileGroupId, timeoutSeconds, ...variant };
  const long = asLong(ask.body);
  const refusals: Exchange[] = [];
  let isTooLong = false;
  const isLongTaken = async (): Promise<boolean> => {
    const body = { ...plain, ...ways[0], inputs: { ...plain.inputs, ...long } };
    const start = await ends(
      await driver.startOnce({ ...ask, step: `${ask.step}-as-long`, body, mayBeAtCapacity: true }),
    );
    if (!accepted(start)) driver.markUnjudged(start);
    return accepted(start);
  };
  /** A start that asks to queue may be refused for that, so also try one that does not. */
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
    const first = await ends(await driver.startUnlessRefused({ ...ask, body: risky }));
    if (accepted(first)) return first;
    driver.markUnjudged(first);
  }
  let last = await ends(await driver.startUnlessRefused(ask));
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
    // Also if the budget runs out before: what is already known still holds.
    if (accepted(last)) for (const refusal of refusals) driver.exclude(refusal);
    else if (isTooLong || status(last) === 413) for (const refusal of [...refusals, last]) driver.markUnjudged(refusal);
  }
  return last;
}
