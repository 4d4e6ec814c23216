/** Finds out, before a run, whether there is a service to judge. */

import { pathPrefix } from '../../generated/sends.js';
import { decoded } from '../engine/http/address.js';
import { hasRightKey } from '../engine/outcome/mark.js';
import { status, unavailable } from '../engine/outcome/read.js';
import type { Preflight } from '../engine/vocabulary/report.js';
import type { Body, Exchange, Failure } from '../engine/vocabulary.js';
import { allOrThrow, type Driver } from './driver.js';

/** A service that was asleep takes a while to wake up. */
const longestMs = 30_000;

/**
 * Sends up to four readings that change nothing. A target that is dead, refuses the key, or answers everything alike
 * would pass rules that it never kept.
 */
export async function preflight(driver: Driver): Promise<Preflight> {
  const giveUp = driver.clock.now() + driver.patienceMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const all = await readings(driver);
    const [first] = all;
    if (!isAway(all) || driver.clock.now() + pause > giveUp) return judged(driver, all);
    driver.reportProgress(`waits for the target, which is not available yet (${status(first)})`);
    await driver.pause(pause);
  }
}

type Readings = readonly [Exchange, ...Exchange[]];

/** Sends no more if the first request gets no answer. */
async function readings(driver: Driver): Promise<Readings> {
  const id = driver.unknownIdOf('getExecution');
  const timeoutMs = Math.min(longestMs, driver.patienceMs);
  const first = await driver.send({
    step: 'read-unknown',
    operation: 'getExecution',
    id,
    timeoutMs,
    replaces: driver.sent,
  });
  if (first.failure) return [first];
  const keyless = {
    step: 'read-unknown-without-key',
    operation: 'getExecution',
    id,
    credential: 'none',
    timeoutMs,
  } as const;
  const { gentle = false } = driver.facts;
  const rest = await allOrThrow([
    // A gentle run sends no other request without a key, so this one is the probe for the rule.
    gentle ? driver.probe('missing-key-is-401', 'no key', ['preflight/read-unknown'], keyless) : driver.send(keyless),
    ...(gentle
      ? []
      : [driver.send({ step: 'read-malformed', operation: 'getExecution', id: 'not-a-uuid', timeoutMs })]),
    driver.send({ step: 'list-unknown', operation: 'listExecutionFiles', id, timeoutMs }),
  ]);
  return [first, ...rest];
}

const firstPauseMs = 500;
const longestPauseMs = 5000;

/** Whether the service may just not be up yet: it says so, or fails at every request. */
const isAway = (all: Readings): boolean =>
  status(all[0]) === unavailable || all.filter(hasRightKey).every((exchange) => (status(exchange) ?? 0) >= 500);

function judged(driver: Driver, all: Readings): Preflight {
  const [first, ...rest] = all;
  if (first.failure)
    return unusable(
      `${driver.facts.baseUrl} ${problems[first.failure.kind] ?? 'gives no readable answer'}: ${first.failure.message}`,
    );
  const dead = rest.find(({ failure }) => failure);
  if (dead?.failure) return unusable(`${driver.facts.baseUrl} stopped answering: ${dead.failure.message}`);
  const withKey = all.filter(hasRightKey);
  if (all.every(asksForLogin))
    return unusable(
      `Every request is answered ${status(first)} by a gateway that asks for a login before the key: set what it takes under headers in the target file, such as Authorization or Cookie.`,
    );
  const redirected = all.find((exchange) => Math.floor((status(exchange) ?? 0) / 100) === 3);
  if (redirected && all.every((exchange) => status(exchange) === status(redirected)))
    return unusable(
      `Every request is redirected (${status(redirected)}) to ${redirected.response?.headers.location ?? 'nowhere'}. Redirects are not followed, because the key would be sent along. Set baseUrl to the final address.`,
    );
  for (const [code, why] of [
    [401, 'The key is refused'],
    [403, 'The key has no permission even to read'],
  ] as const)
    if (withKey.every((exchange) => status(exchange) === code))
      return unusable(
        `${driver.hasKey('primary') ? why : 'No API key is given in apiKeys.primary'}: every request is answered ${code}.`,
      );
  // nginx: "400 No required SSL certificate was sent".
  if (all.every(({ response }) => response && /\bcertificate\b/i.test(textOf(response.body))))
    return unusable(
      `Every request is answered ${status(first)} by a gateway that asks for a client certificate: name one as clientCertificate in the target file.`,
    );
  if (all.every((exchange) => sameAnswer(exchange, first)))
    return unusable(
      `Every request gets the same answer (${status(first)}), with and without the key, for well-formed and malformed ids. This is not a service of this interface; check baseUrl.`,
    );
  return { usable: true };
}

/** By a scheme that no key of this interface has, or with a page of a login or the way there. */
function asksForLogin({ response }: Exchange): boolean {
  const { 'www-authenticate': scheme = '', location = '' } = response?.headers ?? {};
  const page = response?.body.kind === 'not-json' ? response.body.text : '';
  return (
    /^(?:basic|digest|negotiate|ntlm)\b/i.test(scheme) ||
    login.test(location) ||
    (/<html/i.test(page) && login.test(page))
  );
}

const login = /\b(?:log|sign)[-_ ]?in\b|\b(?:oauth2?|saml|sso)\b/i;

const textOf = (body: Body): string =>
  body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'not-json' ? body.text : '';

const problems: Readonly<Partial<Record<Failure['kind'], string>>> = {
  unreachable: 'cannot be reached',
  tls: 'cannot be reached',
  'too-large': 'cannot be judged',
};

const unusable = (reason: string): Preflight => ({ usable: false, reason });

/** Compares answers without what may differ: times, ids (of requests and traces too), and the request's own path. */
const sameAnswer = (a: Exchange, b: Exchange): boolean => status(a) === status(b) && essence(a) === essence(b);

/** The text of an answer without these. Ids are removed before long numbers, because an id may contain one. */
function essence({ response, request, resource }: Exchange): string {
  const body = response?.body;
  const text = body?.kind === 'json' ? JSON.stringify(body.value) : body?.kind === 'not-json' ? body.text : '';
  return pathsOf(request.url)
    .reduce((left, path) => left.replaceAll(path, ''), text)
    .replaceAll(resource ?? '', '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/gi, '')
    .replaceAll(/[\w-]{16,}/g, (word) => (/\d/.test(word) ? '' : word))
    .replaceAll(/\d{10,}/g, '');
}

/** The path as an answer may repeat it: encoded or not, with or without a gateway's prefix. The longest comes first. */
function pathsOf(url: string): string[] {
  const path = new URL(url).pathname;
  const all = [path, path.slice(path.indexOf(pathPrefix))];
  return [...new Set(all.flatMap((one) => [one, decoded(one)]))].sort((a, b) => b.length - a.length);
}
