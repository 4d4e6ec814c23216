/**
 * The values of a profile's cookies and credentials are its owner's, and whoever has the URL of a live view, a recording or a
 * file may open it: a report shows which of them are equal, and no more.
 */

import { type Fields, isFields, sent } from '../../engine/outcome/read.js';
import { listOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** Fields of profiles and updates whose items hold a secret, and what it is called in them. */
const holders: Readonly<Record<string, string>> = {
  cookies: 'value',
  cookiesToAdd: 'value',
  credentials: 'data',
  credentialsToAdd: 'data',
  credentialsToUpdate: 'data',
};

/** Fields whose URL lets in whoever has it: what stands after the host is a secret. */
const openUrls = new Set(['liveViewUrl', 'recordingUrl', 'browserLiveViewUrl', 'browserRecordingUrl', 'downloadUrl']);

/** Such a URL in two parts: up to the end of its host, and what is a secret. */
const parted = (url: unknown): readonly string[] | undefined =>
  typeof url === 'string' ? /^([a-z]+:\/\/[^/?#]+[/?#])(.{2,})$/is.exec(url)?.slice(1) : undefined;

/** Such URLs, wherever in a body they are. */
function openUrlsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value))
    if (openUrls.has(name) && parted(inner)) found.push(inner as string);
    else if (typeof inner === 'object') openUrlsIn(inner, found);
  return found;
}

/** A body with such URLs masked in their places. */
function withoutOpenUrls(value: unknown, masked: (secret: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutOpenUrls(item, masked));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    openUrls.has(name) && typeof inner === 'string' ? masked(inner) : withoutOpenUrls(inner, masked),
  ]);
  return Object.fromEntries(entries);
}

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

const literally = (form: string): string => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

interface Mask {
  /** A JSON body without the values where they belong. */
  inPlace(value: unknown): unknown;
  /** A text without the values, wherever in it they are. */
  text(plain: string): string;
}

export const noMask: Mask = { inPlace: (value) => value, text: (plain) => plain };

/** Masks the values that these exchanges show, each with a number of its own, so that equal ones are seen to be equal. */
export function maskOf(exchanges: readonly Exchange[], secretsOf = secretsIn): Mask {
  const own = madeUp(exchanges);
  const numbers = new Map<string, string>();
  for (const { request, response } of exchanges)
    for (const body of [request.body, response?.body])
      if (body?.kind === 'json' && isFields(body.value))
        for (const [secret, shown = ''] of [
          ...secretsOf(body.value).map((value) => [value]),
          ...openUrlsIn(body.value).map((url) => [url, parted(url)?.[0]]),
        ])
          if (secret !== undefined && secret !== '' && !own.has(secret) && !numbers.has(secret))
            numbers.set(secret, `${shown}[masked ${numbers.size + 1}]`);
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
  const pattern = new RegExp([...ofForm.keys()].map(literally).join('|'), 'g');
  const hosts = [...new Set([...numbers.keys()].flatMap((secret) => parted(secret)?.[0] ?? []))].map(literally);
  // What was seen is told cut to a readable length.
  const cutShort = new RegExp(`(${hosts.join('|')})(?!\\[masked)[^\\s"'<>…]+…`, 'g');
  const text = (plain: string) => {
    const whole = plain.replace(pattern, (form) => {
      const mask = numbers.get(ofForm.get(form) ?? '') ?? '';
      return form.startsWith('"') ? JSON.stringify(mask) : mask;
    });
    return hosts.length > 0 && whole.includes('…') ? whole.replace(cutShort, '$1[masked]…') : whole;
  };
  const masked = (secret: string): string => numbers.get(secret) ?? secret;
  const inPlace = (value: unknown): unknown => withoutOpenUrls(withoutValues(value), masked);
  const withoutValues = (value: unknown): unknown =>
    isFields(value) && Object.keys(holders).some((name) => Array.isArray(value[name]))
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => {
            const secret = Object.hasOwn(holders, name) ? holders[name] : undefined;
            if (secret === undefined || !Array.isArray(inner)) return [name, inner];
            return [
              name,
              inner.map((item) =>
                isFields(item) && typeof item[secret] === 'string' ? { ...item, [secret]: masked(item[secret]) } : item,
              ),
            ];
          }),
        )
      : value;
  return { inPlace, text };
}

/** Of recorded traffic, URLs alone: whoever recorded it chose what else to keep. */
export const openUrlsOut = (exchanges: readonly Exchange[]) => maskOf(exchanges, () => []).text;
