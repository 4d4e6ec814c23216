/**
 * Masks secrets in reports: the values of cookies and credentials, and URLs that anyone who has them may open (live
 * views, recordings, files). Only which of them are equal is shown.
 */

import { literally } from '../../engine/http/redact.js';
import { isOfRun } from '../../engine/outcome/mark.js';
import { type Fields, isFields, requestBody } from '../../engine/outcome/read.js';
import { listOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Fields of profiles and updates with what holds a secret, and the field that holds it. */
const holders: Readonly<Record<string, string>> = {
  cookies: 'value',
  cookiesToAdd: 'value',
  credentials: 'data',
  credentialsToAdd: 'data',
  credentialsToUpdate: 'data',
  customProxy: 'password',
};

/** Fields with a URL that needs no key: everything after its host is secret. */
const openUrls = new Set(['liveViewUrl', 'recordingUrl', 'browserLiveViewUrl', 'browserRecordingUrl', 'downloadUrl']);

/** Splits such a URL after its host: the second part is secret. */
const parted = (url: unknown): readonly string[] | undefined =>
  typeof url === 'string' ? /^([a-z]+:\/\/[^/?#]+[/?#])(.{2,})$/is.exec(url)?.slice(1) : undefined;

/** Such URLs, wherever they are in a body. */
function openUrlsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value))
    if (openUrls.has(name) && parted(inner)) found.push(inner as string);
    else if (typeof inner === 'object') openUrlsIn(inner, found);
  return found;
}

/** A body with such URLs masked where they belong. */
function withoutOpenUrls(value: unknown, masked: (secret: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutOpenUrls(item, masked));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    openUrls.has(name) && typeof inner === 'string' ? masked(inner) : withoutOpenUrls(inner, masked),
  ]);
  return Object.fromEntries(entries);
}

/** Shorter values and plain words would be found in texts by chance, so they are masked there only in quotes. */
const shortestFound = 6;
const isPlain = (secret: string) => secret.length < shortestFound || /^[a-z]+$/i.test(secret);
/** Texts are searched for so many values at most. In their own fields, all are masked. */
const mostFound = 1000;

/** A field may hold one or a list. */
const secretsIn = (value: Fields): string[] =>
  Object.entries(holders).flatMap(([name, secret]) =>
    listOf([value[name]].flat()).flatMap((item) => (typeof item[secret] === 'string' ? [item[secret]] : [])),
  );

/** Values that the suite made up are no secrets. */
const madeUp = (exchanges: readonly Exchange[]): Set<string> =>
  new Set(exchanges.filter(isOfRun).flatMap((exchange) => secretsIn(requestBody(exchange) ?? {})));

export interface Mask {
  /** Masks values in the fields of a JSON body that hold them. */
  inPlace(value: unknown): unknown;
  /** Masks values anywhere in a text. */
  text(plain: string): string;
}

export const noMask: Mask = { inPlace: (value) => value, text: (plain) => plain };

/** Numbers the values that these exchanges show, so that equal ones can be recognised, and masks them. */
export function maskOf(exchanges: readonly Exchange[]): Mask {
  const own = madeUp(exchanges);
  const numbers = new Map<string, string>();
  for (const { request, response } of exchanges)
    for (const body of [request.body, response?.body])
      if (body?.kind === 'json' && isFields(body.value))
        for (const [secret, shown = ''] of [
          ...secretsIn(body.value).map((value) => [value]),
          ...openUrlsIn(body.value).map((url) => [url, parted(url)?.[0]]),
        ])
          if (secret !== undefined && secret !== '' && !own.has(secret) && !numbers.has(secret))
            numbers.set(secret, `${shown}[masked ${numbers.size + 1}]`);
  if (numbers.size === 0) return noMask;

  const found = [...numbers.keys()].slice(0, mostFound).sort((a, b) => b.length - a.length);
  const forms = found.flatMap((secret) => {
    const quoted = JSON.stringify(secret);
    return isPlain(secret)
      ? [[quoted, secret]]
      : [
          [secret, secret],
          [quoted.slice(1, -1), secret],
        ];
  });
  const ofForm = new Map(forms as [string, string][]);
  const pattern = new RegExp([...ofForm.keys()].map(literally).join('|'), 'g');
  const hosts = [...new Set([...numbers.keys()].flatMap((secret) => parted(secret)?.[0] ?? []))].map(literally);
  // Findings quote long values cut to a readable length.
  const cutShort = new RegExp(`(${hosts.join('|')})(?!\\[masked)[^\\s"'<>…]+…`, 'g');
  const text = (plain: string) => {
    const whole = plain.replace(pattern, (form) => {
      const mask = numbers.get(ofForm.get(form) ?? '') ?? '';
      return form.startsWith('"') ? JSON.stringify(mask) : mask;
    });
    return hosts.length > 0 && whole.includes('…') ? whole.replace(cutShort, '$1[masked]…') : whole;
  };
  const masked = (secret: string): string => numbers.get(secret) ?? secret;
  const inPlace = (value: unknown): unknown => {
    const body = withoutValues(value);
    return openUrlsIn(body).length > 0 ? withoutOpenUrls(body, masked) : body;
  };
  const withoutValues = (value: unknown): unknown =>
    isFields(value) && Object.keys(holders).some((name) => name in value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => {
            const secret = Object.hasOwn(holders, name) ? holders[name] : undefined;
            if (secret === undefined) return [name, inner];
            const shown = (item: unknown) =>
              isFields(item) && typeof item[secret] === 'string' ? { ...item, [secret]: masked(item[secret]) } : item;
            return [name, Array.isArray(inner) ? inner.map(shown) : shown(inner)];
          }),
        )
      : value;
  return { inPlace, text };
}
