/**
 * Removes from the evidence what a service shows of wrong values that it took. That it took them is judged by the rule
 * of the probe that sent them; other rules must not be judged by what follows from it.
 */
import { type OperationId, operations } from '../../generated/operations.js';
import { samples } from '../../generated/samples.js';
import { requests } from '../../generated/validators.js';
import type { StartField } from '../engine/contract.js';
import { memoize } from '../engine/memoize.js';
import { isHtmlPage } from '../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  changesOrEnds,
  type Fields,
  fieldNames,
  isAbout,
  isFields,
  readsOne,
  requestBody,
  startedId,
  traitsOf,
} from '../engine/outcome/read.js';
import { equal, sameId } from '../engine/rule/values.js';
import type { Body, Exchange } from '../engine/vocabulary.js';

/** A request with a wrong value that was accepted. */
interface Taken {
  readonly exchange: Exchange;
  /** The wrong fields of its body. */
  readonly fields: readonly string[];
}

const lists: Readonly<Record<string, string>> = {
  cookiesToAdd: 'cookies',
  credentialsToAdd: 'credentials',
  credentialsToUpdate: 'credentials',
};

function wrongFields(operation: OperationId | null, body: Fields): string[] {
  const validate = operation !== null && operations[operation].requestBody !== 'none' && requests[operation as Judged];
  return validate ? fieldsNotAllowed(body, sampleOf(operation), validate) : [];
}

/** The fields of a body that its schema does not allow, beside those that it requires. Exported for tests. */
export const fieldsNotAllowed = (body: Fields, required: Fields, isValid: (body: unknown) => boolean): string[] =>
  Object.keys(body).filter((field) => !isValid({ ...required, [field]: body[field] }));
type Judged = keyof typeof requests;

/** A request that has no more than it must have. */
function sampleOf(operation: OperationId | null): Fields {
  const schema = operation && operations[operation].requestSchema;
  const sample: unknown = schema && samples[schema].minimal;
  return isFields(sample) ? sample : {};
}

const isUpdate = (exchange: Exchange): boolean => isAbout(exchange, 'profile') && changesOrEnds(exchange);

const takenWrongs = (exchanges: readonly Exchange[]): Taken[] =>
  exchanges.flatMap((exchange) => (exchange.mark?.probe && accepted(exchange) ? takenWrongly(exchange) : []));

const takenWrongly = memoize((exchange: Exchange): Taken[] => {
  const body = requestBody(exchange);
  const fields = body ? wrongFields(exchange.operation, body) : [];
  return fields.length > 0 ? [{ exchange, fields }] : [];
});

/** The exchanges, without what they show of accepted wrong values. */
export function withoutOwnInvalidValues(exchanges: readonly Exchange[]): readonly Exchange[] {
  const taken = takenWrongs(exchanges);
  if (taken.length === 0) return exchanges;
  const updates = taken.filter(({ exchange }) => isUpdate(exchange));
  const texts = ownTexts(updates, exchanges);
  return exchanges.map((one) => {
    const body = answerBody(one);
    if (!body || !accepted(one)) return one;
    if (readsOne(one, 'execution')) return withBody(one, withoutGiven(one, body, taken));
    if (!isAbout(one, 'profile')) return one;
    return withRequest(withBody(one, asBefore(one, withoutItems(body, updates, texts), updates, exchanges)), updates);
  });
}

/** Returns the same object if nothing changes, so that what was cached for it stays valid. */
function withBody(exchange: Exchange, value: Fields): Exchange {
  const { response } = exchange;
  if (response?.body.kind !== 'json' || value === response.body.value) return exchange;
  return remembered(exchange, { ...exchange, response: { ...response, body: { ...response.body, value } } });
}

/** Empties the wrong lists of an update, so that their items need not be shown. */
function withRequest(exchange: Exchange, taken: readonly Taken[]): Exchange {
  const own = taken.find((one) => one.exchange.id === exchange.id);
  const body = requestBody(exchange);
  if (!own || !body) return exchange;
  const emptied = own.fields.filter((field) => lists[field] !== undefined).map((field) => [field, []] as const);
  if (emptied.length === 0) return exchange;
  const value = { ...body, ...Object.fromEntries(emptied) };
  const request = { ...exchange.request, body: { ...exchange.request.body, value } as Body };
  return remembered(exchange, { ...exchange, request });
}

/** Returns the same object as last time if the result is the same. */
const made = new WeakMap<Exchange, Exchange>();
function remembered(exchange: Exchange, changed: Exchange): Exchange {
  const earlier = made.get(exchange);
  if (earlier && equal(answerBody(earlier), answerBody(changed)) && equal(requestBody(earlier), requestBody(changed)))
    return earlier;
  made.set(exchange, changed);
  return changed;
}

/** An execution without the fields that its start gave wrongly, under any name. */
function withoutGiven(reading: Exchange, execution: Fields, taken: readonly Taken[]): Fields {
  const start = taken.find(({ exchange }) => sameId(startedId(exchange), reading.resource));
  const gone =
    start?.fields.flatMap((field) => alike(start.exchange, field)).filter((field) => field in execution) ?? [];
  return gone.length === 0
    ? execution
    : Object.fromEntries(Object.entries(execution).filter(([field]) => !gone.includes(field)));
}

/** All names of a field, given by one of them. */
function alike(start: Exchange, name: string): readonly string[] {
  const present = traitsOf(start)?.deprecatedFields[name] ?? name;
  return fieldNames(start, present as StartField);
}

/** Texts that only wrong items have: no other update sent them, and nothing showed them before. */
function ownTexts(taken: readonly Taken[], exchanges: readonly Exchange[]): ReadonlySet<string> {
  const own = new Set(
    taken.flatMap(({ exchange, fields }) => fields.flatMap((field) => textsIn(requestBody(exchange)?.[field]))),
  );
  for (const one of exchanges)
    if (isUpdate(one) && !one.mark?.probe) {
      const isBefore = taken.every(({ exchange }) => one.id < exchange.id);
      for (const text of textsIn([requestBody(one), ...(isBefore ? [answerBody(one)] : [])])) own.delete(text);
    }
  return own;
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' ? Object.values(value ?? {}).flatMap(textsIn) : [];

/** A profile without the items that were sent wrongly. */
function withoutItems(profile: Fields, taken: readonly Taken[], texts: ReadonlySet<string>): Fields {
  const sentItems = taken.flatMap(({ exchange, fields }) =>
    fields.flatMap((field) => (lists[field] ? [requestBody(exchange)?.[field]].flat() : [])),
  );
  const isOwn = (item: unknown) =>
    textsIn(item).some((text) => texts.has(text)) || (!isFields(item) && sentItems.some((one) => equal(one, item)));
  const cleaned = Object.values(lists).flatMap((list) => {
    const items = profile[list];
    return Array.isArray(items) && items.some(isOwn) ? [[list, items.filter((item) => !isOwn(item))] as const] : [];
  });
  return cleaned.length === 0 ? profile : { ...profile, ...Object.fromEntries(cleaned) };
}

/** A profile in which settings that still show a wrong value show the value before it. */
function asBefore(one: Exchange, profile: Fields, taken: readonly Taken[], exchanges: readonly Exchange[]): Fields {
  const wrong = taken.flatMap(({ exchange, fields }) =>
    fields.map((field) => ({ field, value: requestBody(exchange)?.[field] })),
  );
  const shown = new Set(wrong.flatMap(({ field, value }) => (equal(profile[field], value) ? field : [])));
  const before = [...shown].flatMap((field) => {
    const isWrong = (value: unknown) => wrong.some((other) => other.field === field && equal(other.value, value));
    const earlier = exchanges.findLast(
      (other) =>
        other.id < one.id &&
        sameId(other.resource, one.resource) &&
        accepted(other) &&
        field in (answerBody(other) ?? {}) &&
        !isWrong(answerBody(other)?.[field]),
    );
    return earlier ? [[field, answerBody(earlier)?.[field]] as const] : [];
  });
  return before.length === 0 ? profile : { ...profile, ...Object.fromEntries(before) };
}

/** Remarks for the report: why something that the service showed was not judged. */
export function ownInvalidValuesRemarks(exchanges: readonly Exchange[]): string[] {
  // A page of a firewall accepts nothing.
  const taken = takenWrongs(exchanges).filter(({ exchange }) => !isHtmlPage(exchange));
  const fields = [...new Set(taken.flatMap((one) => one.fields))];
  const rules = [...new Set(taken.flatMap(({ exchange }) => exchange.mark?.probe?.rule ?? []))];
  return fields.length === 0
    ? []
    : [
        `The service accepted invalid values that the suite sent (${fields.join(', ')}), which is reported under ${rules.join(', ')}. What it showed of these values is not used to judge other rules.`,
      ];
}
