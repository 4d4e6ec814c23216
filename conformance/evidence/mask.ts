/** The values of a profile's cookies and credentials are its owner's: a report shows which of them are equal, and no more. */
import type { Body, Exchange } from '../vocabulary.js';
import { onceOfText } from './once.js';
import { type Fields, isFields, sent } from './read.js';
import { mapTexts } from './redact.js';
import { listOf } from './values.js';

/** Fields of profiles and updates whose items hold a secret, and what it is called in them. */
const holders: Readonly<Record<string, string>> = {
  cookies: 'value',
  cookiesToAdd: 'value',
  credentials: 'data',
  credentialsToAdd: 'data',
  credentialsToUpdate: 'data',
};

/** Shorter values stand in texts by chance; they are found there in quotes only. */
const shortestFound = 6;
/** So many are looked for in texts; in their places all are masked. */
const mostFound = 1000;

const secretsIn = (value: Fields): string[] =>
  Object.entries(holders).flatMap(([name, secret]) =>
    listOf(value[name]).flatMap((item) => (typeof item[secret] === 'string' ? [item[secret]] : [])),
  );

/** What the suite made up by itself is no secret. What it put back was the profile's. */
const madeUp = (exchanges: readonly Exchange[]): Set<string> =>
  new Set(
    exchanges
      .filter(({ mark }) => mark !== undefined && !/^restore/.test(mark.step))
      .flatMap((exchange) => secretsIn(sent(exchange) ?? {})),
  );

export interface Mask {
  exchange(exchange: Exchange): Exchange;
  /** Every text in a value. */
  texts<T>(value: T): T;
}

export const noMask: Mask = { exchange: (exchange) => exchange, texts: (value) => value };

/** Masks the values that these exchanges show, each with a number of its own, so that equal ones are seen to be equal. */
export function maskOf(exchanges: readonly Exchange[]): Mask {
  const own = madeUp(exchanges);
  const numbers = new Map<string, string>();
  for (const { request, response } of exchanges)
    for (const body of [request.body, response?.body])
      if (body?.kind === 'json' && isFields(body.value))
        for (const secret of secretsIn(body.value))
          if (secret !== '' && !own.has(secret) && !numbers.has(secret))
            numbers.set(secret, `[masked ${numbers.size + 1}]`);
  if (numbers.size === 0) return noMask;

  const found = [...numbers.keys()].slice(0, mostFound).sort((a, b) => b.length - a.length);
  const forms = found.flatMap((secret) => {
    const quoted = JSON.stringify(secret);
    return secret.length < shortestFound
      ? [[quoted, secret]]
      : [
          [secret, secret],
          [quoted.slice(1, -1), secret],
        ];
  });
  const ofForm = new Map(forms as [string, string][]);
  const pattern = new RegExp(
    [...ofForm.keys()].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  const text = onceOfText((plain) =>
    plain.replace(pattern, (form) => {
      const mask = numbers.get(ofForm.get(form) ?? '') ?? '';
      return form.startsWith('"') ? JSON.stringify(mask) : mask;
    }),
  );
  const inPlace = (value: unknown): unknown =>
    isFields(value) && Object.keys(holders).some((name) => Array.isArray(value[name]))
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => {
            const secret = Object.hasOwn(holders, name) ? holders[name] : undefined;
            if (secret === undefined || !Array.isArray(inner)) return [name, inner];
            return [
              name,
              inner.map((item) =>
                isFields(item) && typeof item[secret] === 'string'
                  ? { ...item, [secret]: numbers.get(item[secret]) ?? item[secret] }
                  : item,
              ),
            ];
          }),
        )
      : value;
  const body = (of: Body): Body =>
    of.kind === 'json'
      ? { ...of, value: mapTexts(inPlace(of.value), text) }
      : of.kind === 'not-json'
        ? { ...of, text: text(of.text) }
        : of;
  return {
    exchange: (exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: body(exchange.request.body) },
      ...(exchange.response && { response: { ...exchange.response, body: body(exchange.response.body) } }),
    }),
    texts: <T>(value: T) => mapTexts(value, text) as T,
  };
}
