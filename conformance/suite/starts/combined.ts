/** Fields that starts combine: each is accepted by itself. */

import type { ExecuteRequest } from '../../../generated/types.js';
import { accepted, type Fields, isFields } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { free, ifFull } from '../executions/view.js';
import { marked, shortSoftTimeout, softTimeout } from './requests.js';
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

/**
 * Starts an execution that asks for several things which are accepted one by one, and follows it to its end. If it is
 * refused, a plain start shows whether there is room; then it is started again.
 */
export async function startCombined(driver: Driver, ask: StartSpec & { readonly body: Fields }): Promise<Exchange> {
  const begin = async (body: Fields, step = ask.step): Promise<Exchange> => {
    const start = await driver.startUnlessRefused({ ...ask, step, body });
    await driver.followStarted(start);
    return start;
  };
  const first = await begin(ask.body);
  if (accepted(first) || !driver.facts.stateful) return first;
  const { profileId, profileGroupId, timeoutSeconds, executionOptions: options } = ask.body;
  const step = `${ask.step}-plain`;
  // A workflow in variant mode does not run without its key.
  const variant = isFields(options) && 'variantKey' in options && { executionOptions: options };
  await begin({ ...marked(driver, step), profileId, profileGroupId, timeoutSeconds, ...variant }, step);
  const again = await begin(ask.body);
  if (accepted(again)) driver.exclude(first);
  return again;
}
