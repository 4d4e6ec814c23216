import { contract } from '../contract.js';
import { isUuid } from '../rule/values.js';
import type { Exchange, Violation } from '../vocabulary.js';
import { curlFor, posix, type Shell } from './curl.js';
import { type Step, showing, stateIn, telling } from './shown-again.js';

/** A value that the answer to one step gives and later steps send: `id2=…`. */
interface Passed {
  readonly variable: string;
  /** The name that it stands under in the answer. */
  readonly key: string;
  /** Which of the values under this name: 1 is the first, -1 the last. */
  readonly place: number;
}

/** Shorter gaps between requests are the suite's own haste, not part of what it did. */
const shortestPauseMs = 50;
/** Longer ones were waits for something: it is asked for again and again instead. */
export const longestPauseMs = 5000;

/**
 * A script for `sh` that sends the requests of a violation again, in their order: what was under way at the same time at the
 * same time, with ids passed on from the answers that give them, and asking again where a run waited. It ends with 0 where the
 * answers show the violation, 1 where they do not, 2 where that cannot be told. The keys are variables of its environment, as
 * for `curl`; `BASE_URL` sends it elsewhere. `heading` stands above it as a comment.
 */
export function curlScript(
  exchanges: readonly Exchange[],
  violation: Violation,
  heading: readonly string[] = [],
): string {
  const base = commonBase(exchanges);
  const groups = simultaneous(exchanges);
  const steps = groups.flat();
  const passed = passedOn(exchanges);
  const known = new Map<string, string>(base === '' ? [] : [[base, 'base']]);
  const keys = [...new Set(exchanges.map(({ mark }) => (mark?.credential === 'restricted' ? restricted : primary)))];
  const later = new Map(known);
  for (const [value, { variable }] of [...passed.values()].flat()) later.set(value, variable);
  const tells = telling(violation, steps, knowing(later).word);
  const lines = [
    '#!/bin/sh',
    ...heading.flatMap((text) => text.split('\n')).map((text) => `# ${text}`.trimEnd()),
    '# Ends with 0 where this was shown again, 1 where it was not, 2 where that cannot be told.',
    'set -u',
    `cannot() { echo "It cannot be told: $1."; exit 2; }`,
    ...keys.map((key) => `[ -n "\${${key}:-}" ] || cannot '${key}, the API key, is not set'`),
    ...(base === '' ? [] : [`base=\${BASE_URL:-${base}}`]),
    `answers=$(mktemp -d) || cannot 'there is no place for answers'`,
    `trap 'rm -rf "$answers"' EXIT`,
    ...[...passed.values()].flat().map(([, { variable }]) => `${variable}=`),
    ...(passed.size === 0 ? [] : [takeId]),
    statusOf,
    ...(tells?.lines ?? []),
  ];
  const states = new Set<string>();
  let end = groups[0]?.[0]?.exchange.at ?? 0;
  for (const group of groups) {
    const waited = Math.min(...group.map(({ exchange }) => exchange.at)) - end;
    end = Math.max(...group.map(({ exchange }) => exchange.at + exchange.durationMs));
    const [only] = group;
    const isPolled = group.length === 1 && only?.exchange.request.method === 'GET' && waited > longestPauseMs;
    lines.push('', ...(isPolled ? [] : pause(Math.min(waited, longestPauseMs))));
    if (group.length > 1) lines.push(`# ${group.map(({ number }) => number).join(', ')} at the same time`);
    for (const { exchange, number } of group) {
      const line = `${curlFor(knowing(known), exchange)} >"$answers/${number}"`;
      lines.push(`# ${number}. ${title(exchange)}`);
      if (isPolled) lines.push(...polled(line, { exchange, number }, waited, number === tells?.step.number, states));
      else lines.push(group.length > 1 ? `${line} &` : line);
    }
    if (group.length > 1) lines.push('wait');
    for (const { exchange, number } of group) {
      lines.push(`cat "$answers/${number}"; echo`);
      if (number !== tells?.step.number && exchange.response) lines.push(`was ${number} ${exchange.response.status}`);
      const state = stateIn(exchange.response?.body);
      if (state !== undefined) states.add(state);
    }
    for (const { number } of group)
      for (const [value, { variable, key, place }] of passed.get(number) ?? []) {
        lines.push(
          `${variable}=$(take_id "$answers/${number}" ${key} ${place})`,
          `[ -n "$${variable}" ] || cannot 'request ${number} gave no ${key}'`,
        );
        known.set(value, variable);
      }
  }
  return `${[...lines, '', ...(tells?.end ?? [])].join('\n')}\n`;
}

const slowest = 10;

/** Asks until what was recorded is there; or it can come no more, as what is asked for has ended; or for twice as long. */
function polled(
  line: string,
  { exchange, number }: Step,
  ms: number,
  isTelling: boolean,
  shown: ReadonlySet<string>,
): string[] {
  const ends = contract().states.filter((state) => contract().isTerminal(state));
  const state = stateIn(exchange.response?.body);
  const wanted = isTelling
    ? 'told'
    : [
        `[ "$(status ${number})" = ${exchange.response?.status ?? '000'} ]`,
        ...(state === undefined ? [] : [`grep -qE '${showing([state])}' "$answers/${number}"`]),
      ].join(' && ');
  // What goes on after an end is seen only later.
  const over = ends.some((one) => shown.has(one)) ? [] : [`grep -qE '${showing(ends)}' "$answers/${number}"`];
  const every = Math.min(slowest, Math.max(1, Math.round(ms / 20_000)));
  return [
    `left=\${PATIENCE:-${Math.ceil((2 * ms) / 1000)}}`,
    line,
    `until ${[`{ ${wanted}; }`, ...over, '[ "$left" -le 0 ]'].join(' || ')}; do`,
    `  sleep ${every}; left=$((left - ${every}))`,
    `  ${line}`,
    'done',
  ];
}

/** With the status of an answer, whatever came before it (100 Continue), or 000 where there is none. */
const statusOf = `status() { sed -n 's/^HTTP[^ ]* \\([0-9][0-9]*\\).*/\\1/p' "$answers/$1" 2>/dev/null | tail -n 1 | grep . || echo 000; }
was() { [ "$(status "$1")" = "$2" ] || cannot "request $1 was answered $(status "$1"), and $2 when this was recorded"; }`;

const primary = 'WORKFLOW_API_KEY';
const restricted = 'RESTRICTED_KEY';

/** `grep -o` is in no standard and in every system. */
const takeId = `# take_id ANSWER NAME PLACE: the value under a name in an answer, counted from the end where PLACE is below 0
take_id() {
  found=$(grep -o "\\"$2\\" *: *\\"[^\\"]*\\"" "$1" | sed 's/^"[^"]*" *: *"//; s/"$//')
  if [ "$3" -gt 0 ]; then printf '%s\\n' "$found" | sed -n "$3p"; else printf '%s\\n' "$found" | tail -n "\${3#-}" | head -n 1; fi
}`;

const title = ({ operation, request, mark, response, failure }: Exchange): string =>
  [
    operation ?? request.method,
    ...(mark ? [`(${mark.step})`] : []),
    response ? `answered ${response.status}` : `had no answer (${failure?.kind ?? 'none'})`,
  ].join(' ');

const pause = (ms: number): string[] =>
  ms < shortestPauseMs ? [] : [`sleep ${(Math.ceil(ms / 100) / 10).toFixed(1)}`];

/** Requests that were sent before the ones before them were answered belong together. */
function simultaneous(exchanges: readonly Exchange[]): Step[][] {
  const groups: Step[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  exchanges.forEach((exchange, index) => {
    const step = { exchange, number: index + 1 };
    if (exchange.at < end) groups.at(-1)?.push(step);
    else groups.push([step]);
    end = Math.max(end, exchange.at + exchange.durationMs);
  });
  return groups;
}

/** What all addresses begin with, up to the interface's own path. */
function commonBase(exchanges: readonly Exchange[]): string {
  const bases = new Set(exchanges.map(({ request }) => request.url.split('/agents/v2/', 1)[0] ?? ''));
  const [base = ''] = bases;
  return bases.size === 1 && /^https?:\/\/[\w.:/[\]-]+$/.test(base) ? base : '';
}

/** By step: the values of its answer that first came from there, and are sent later. */
function passedOn(exchanges: readonly Exchange[]): Map<number, [value: string, from: Passed][]> {
  const sent = exchanges.map(({ request }) => `${request.url}\n${JSON.stringify(request.body)}`);
  const known = new Set<string>();
  const passed = new Map<number, [string, Passed][]>();
  exchanges.forEach(({ response }, index) => {
    if (response?.body.kind !== 'json') return;
    const later = sent.slice(index + 1);
    const values = [...idsIn(response.body.value)].filter(
      ([value]) => !known.has(value) && !sent.slice(0, index + 1).some((text) => text.includes(value)),
    );
    const mine = values
      .filter(([value]) => later.some((text) => text.includes(value)))
      .map(([value, at], count): [string, Passed] => [value, { variable: `id${index + 1}${suffix(count)}`, ...at }]);
    for (const [value] of mine) known.add(value);
    if (mine.length > 0) passed.set(index + 1, mine);
  });
  return passed;
}

const suffix = (count: number): string => (count === 0 ? '' : `_${count + 1}`);

/** Where the ids of an answer stand: under which name, and at which place of those under it, from the nearer end. */
function idsIn(value: unknown): Map<string, Pick<Passed, 'key' | 'place'>> {
  const byKey = new Map<string, string[]>();
  JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === 'string' && /^[A-Za-z_]\w*$/.test(key)) byKey.set(key, [...(byKey.get(key) ?? []), inner]);
    return inner;
  });
  const found = new Map<string, Pick<Passed, 'key' | 'place'>>();
  for (const [key, values] of byKey)
    values.forEach((id, index) => {
      if (!isUuid(id) || found.has(id)) return;
      const fromEnd = values.lastIndexOf(id) - values.length;
      found.set(id, { key, place: index < -fromEnd ? index + 1 : fromEnd });
    });
  return found;
}

/** Words of any POSIX shell, in which known values are variables. */
const knowing = (known: ReadonlyMap<string, string>): Shell => ({
  holds: posix.holds,
  word: (text) => {
    const values = [...known.keys()].filter((value) => text.includes(value));
    if (values.length === 0) return posix.word(text);
    return text
      .split(new RegExp(`(${values.map(literally).join('|')})`))
      .filter((piece) => piece !== '')
      .map((piece) => (known.has(piece) ? `"$${known.get(piece)}"` : posix.word(piece)))
      .join('');
  },
});

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
