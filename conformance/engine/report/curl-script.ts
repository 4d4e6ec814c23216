/** Writes a shell script that reproduces a violation and checks whether it occurs again. */
import { contract } from '../contract.js';
import { literally } from '../http/redact.js';
import { isId } from '../outcome/read.js';
import type { Exchange, Violation } from '../vocabulary.js';
import { curlFor, posix, type Shell } from './curl.js';
import { type Step, showing, stateIn, telling } from './recognition.js';

/** A value in the answer to one step that later steps send: `id2=…`. */
interface Passed {
  readonly variable: string;
  /** The name of its field. */
  readonly key: string;
  /** Which value of that name: 1 is the first, -1 the last. */
  readonly place: number;
}

/** Shorter gaps between requests have no meaning, and are left out. */
const shortestPauseMs = 50;
/** After longer gaps, which were waits for something, the script polls. */
export const longestPauseMs = 5000;

/**
 * Makes a script for `sh` that sends the requests of a violation again: in order, concurrently where they were
 * concurrent, with ids passed on from answers, and polling where the run waited. Its exit code is 0 if the violation
 * occurs again, 1 if not, 2 if that cannot be told. Keys are environment variables, as for `curl`; BASE_URL selects
 * another service. `heading` becomes a comment.
 */
export function curlScript(
  exchanges: readonly Exchange[],
  violation: Violation,
  heading: readonly string[] = [],
): string {
  const base = commonBase(exchanges);
  const groups = simultaneous(exchanges);
  const passed = passedOn(exchanges);
  const variables = new Map<string, string>(base === '' ? [] : [[base, 'base']]);
  const keys = [...new Set(exchanges.map(({ mark }) => (mark?.credential === 'restricted' ? restricted : primary)))];
  const later = new Map(variables);
  for (const [value, { variable }] of [...passed.values()].flat()) later.set(value, variable);
  const tells = telling(violation, groups, knowing(later).word);
  const lines = [
    '#!/bin/sh',
    ...heading.flatMap((text) => text.split('\n')).map((text) => `# ${text}`.trimEnd()),
    '# Exit code: 0 reproduced, 1 not reproduced, 2 cannot be decided.',
    'set -u',
    `cannot() { echo "It cannot be decided: $1."; exit 2; }`,
    ...keys.map((key) => `[ -n "\${${key}:-}" ] || cannot '${key}, the API key, is not set'`),
    ...(base === '' ? [] : [`base=\${BASE_URL:-${base}}`]),
    `answers=$(mktemp -d) || cannot 'no temporary folder can be made'`,
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
      const line = `${curlFor(knowing(variables), exchange)} >"$answers/${number}"`;
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
        variables.set(value, variable);
      }
  }
  return `${[...lines, '', ...(tells?.end ?? [])].join('\n')}\n`;
}

const slowest = 10;

/** Polls until the recorded answer comes, until the execution has ended without it, or for twice as long. */
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
    ? 'reproduced'
    : [
        `[ "$(status ${number})" = ${exchange.response?.status ?? '000'} ]`,
        ...(state === undefined ? [] : [`grep -qE '${showing([state])}' "$answers/${number}"`]),
      ].join(' && ');
  // If an end was recorded before, ended executions may still change.
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

/** The status of an answer, after any interim answers (100 Continue); 000 if there was none. */
const statusOf = `status() { sed -n 's/^HTTP[^ ]* \\([0-9][0-9]*\\).*/\\1/p' "$answers/$1" 2>/dev/null | tail -n 1 | grep . || echo 000; }
was() { [ "$(status "$1")" = "$2" ] || cannot "request $1 was answered $(status "$1"), and $2 when this was recorded"; }`;

const primary = 'WORKFLOW_API_KEY';
const restricted = 'RESTRICTED_KEY';

/** `grep -o` is not in POSIX, but in every system. */
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

/** Groups requests that were sent before earlier ones were answered. */
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

/** The common base URL of the requests. */
function commonBase(exchanges: readonly Exchange[]): string {
  const bases = new Set(exchanges.map(({ request }) => request.url.split(contract().prefix, 1)[0] ?? ''));
  const [base = ''] = bases;
  return bases.size === 1 && /^https?:\/\/[\w.:/[\]-]+$/.test(base) ? base : '';
}

/** By step: the values that first appear in its answer, and are sent later. */
function passedOn(exchanges: readonly Exchange[]): Map<number, [value: string, from: Passed][]> {
  const sent = exchanges.map(({ request }) => `${request.url}\n${JSON.stringify(request.body)}`);
  const passedValues = new Set<string>();
  const passed = new Map<number, [string, Passed][]>();
  exchanges.forEach(({ response }, index) => {
    if (response?.body.kind !== 'json') return;
    const later = sent.slice(index + 1);
    const values = [...idsIn(response.body.value)].filter(
      ([value]) => !passedValues.has(value) && !sent.slice(0, index + 1).some((text) => text.includes(value)),
    );
    const mine = values
      .filter(([value]) => later.some((text) => text.includes(value)))
      .map(([value, at], count): [string, Passed] => [value, { variable: `id${index + 1}${suffix(count)}`, ...at }]);
    for (const [value] of mine) passedValues.add(value);
    if (mine.length > 0) passed.set(index + 1, mine);
  });
  return passed;
}

const suffix = (count: number): string => (count === 0 ? '' : `_${count + 1}`);

/** The ids in an answer: the name of the field, and the position among fields of that name, from the nearer end. */
function idsIn(value: unknown): Map<string, Pick<Passed, 'key' | 'place'>> {
  const byKey = new Map<string, string[]>();
  JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === 'string' && /^[A-Za-z_]\w*$/.test(key)) byKey.set(key, [...(byKey.get(key) ?? []), inner]);
    return inner;
  });
  const found = new Map<string, Pick<Passed, 'key' | 'place'>>();
  for (const [key, values] of byKey)
    values.forEach((id, index) => {
      if (!isId(id) || found.has(id)) return;
      const fromEnd = values.lastIndexOf(id) - values.length;
      found.set(id, { key, place: index < -fromEnd ? index + 1 : fromEnd });
    });
  return found;
}

/** Quotes texts for a POSIX shell, with known values as variables. */
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
