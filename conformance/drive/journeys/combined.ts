import { accepted, acceptedExecutionId, type Fields, isFields } from '../../evidence/read.js';
import type { Exchange } from '../../vocabulary.js';
import type { Driver } from '../driver.js';
import type { StartAsk } from '../starts.js';
import { marker, softTimeout } from './requests.js';

/** What each start may ask for, and nothing of it asks for anything. */
export const trifles: Fields = {
  head: false,
  inputs: {},
  metadata: {},
  executionOptions: {},
  // What is attached may not wait; nothing is.
  onCapacityLimit: 'queue',
  tempFiles: [],
};

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
    approver: null,
  },
  metadata: { team: 'north', purpose: 'Report of März' },
};

/** What else an asynchronous start asks a group for, and what a synchronous one asks a profile for: no two of it exclude each other. */
export const besideGroup = (driver: Driver): Fields => ({
  ...(driver.facts.publishedVersion !== undefined && { version: driver.facts.publishedVersion }),
  executionOptions: softTimeout(driver),
  onCapacityLimit: 'queue',
});
export const besideProfile = (driver: Driver): Fields => ({
  head: true,
  executionOptions: softTimeout(driver),
  onCapacityLimit: 'reject',
  ...(driver.facts.tempFile && { tempFiles: [driver.facts.tempFile] }),
});

/**
 * Starts what asks for several things that are accepted one by one, and follows it to its end. Where it is refused, a start
 * that needs the same room tells whether that was the reason, and it is asked for once more.
 */
export async function startCombined(driver: Driver, ask: StartAsk & { readonly body: Fields }): Promise<Exchange> {
  const ends = async (start: Exchange): Promise<Exchange> => {
    const executionId = acceptedExecutionId(start);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
    return start;
  };
  const first = await ends(await driver.start(ask));
  if (accepted(first) || !driver.facts.stateful) return first;
  const { profileId, profileGroupId, timeoutSeconds, onCapacityLimit, executionOptions: options } = ask.body;
  const step = `${ask.step}-plain`;
  // As little as tells whether there is room; undefined is not sent.
  const waits = onCapacityLimit === 'queue' && { onCapacityLimit };
  // A workflow in variant mode runs with nothing less.
  const variant = isFields(options) && 'variantKey' in options && { executionOptions: options };
  const body = { ...marker(driver, step), profileId, profileGroupId, timeoutSeconds, ...waits, ...variant };
  if (!accepted(await ends(await driver.startOnce({ ...ask, step, body })))) return first;
  const again = await ends(await driver.startOnce(ask));
  if (accepted(again)) driver.withdraw(first);
  return again;
}
