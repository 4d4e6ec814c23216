/** Writes a shell script that reproduces a violation and checks whether it occurs again. */
import { contract } from '../contract.js';
import { isId } from '../outcome/ids.js';
import { isFields } from '../outcome/read.js';
import { equal } from '../rule/values.js';
import type { Body, Exchange, Violation } from '../vocabulary.js';
import { curlFor, posix, type Shell } from './curl.js';

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
  const known = new Map<string, string>(base === '' ? [] : [[base, 'base']]);
  const keys = [...new Set(exchanges.map(({ mark }) => (mark?.credential === 'restricted' ? restricted : primary)))];
  const later = new Map(known);
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
  const bases = new Set(exchanges.map(({ request }) => request.url.split('/agents/v2/', 1)[0] ?? ''));
  const [base = ''] = bases;
  return bases.size === 1 && /^https?:\/\/[\w.:/[\]-]+$/.test(base) ? base : '';
}

/** By step: the values that first appear in its answer, and are sent later. */
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

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A request and its number in the script. */
interface Step {
  readonly exchange: Exchange;
  readonly number: number;
}

/** How the script recognises the violation. */
interface Telling {
  readonly step: Step;
  /** The definition of `reproduced`, which checks whether the answers are those of the recording. */
  readonly lines: readonly string[];
  /** The end of the script. */
  readonly end: readonly string[];
}

/** Patterns that `grep -E` and JavaScript read alike. Of a list or an object, only its beginning is compared. */
const text = String.raw`"([^"\\]|\\.)*"`;
const constant = '"[a-z][a-z_]*"';
const time = '"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?"';
/** If the signature has a status, it names no field: then ids, times and states are compared. */
const pairs = (names: readonly string[]): string =>
  names.length === 0
    ? `"-":${text}|"[A-Za-z_]+":(${time}|"(${contract().states.join('|')})")`
    : `"(${['-', ...names].join('|')})":(${text}|[-0-9tfn][-+.0-9a-zA-Z]*|[{[])`;
/** A secret that a report masks, which cannot be compared. */
const masked = /\[(?:masked|signed) \d+\]|\[redacted\]/;
const mostFacts = 50;

const overLimit = '429';
const codeOf = ({ response }: Exchange): string => String(response?.status ?? '000');
const jsonOf = (body: Body | undefined): unknown => (body?.kind === 'json' ? body.value : undefined);

/** The free fields of a request, with their material. */
function freeFieldsOf(body: Body | undefined): Readonly<Record<string, unknown>> {
  const value = jsonOf(body);
  const plain = contract().withoutFreeFields(value);
  if (!isFields(value) || !isFields(plain)) return {};
  return Object.fromEntries(Object.entries(value).filter(([name, material]) => !equal(material, plain[name])));
}

/** The keys in a value, without what is below those in `closed`. */
function keysIn(value: unknown, closed: readonly string[] = []): ReadonlySet<string> {
  const keys = new Set<string>();
  JSON.stringify(value, (key, inner: unknown) => {
    keys.add(key);
    return closed.includes(key) ? undefined : inner;
  });
  return keys;
}

const kindOf = (body: Body | undefined): string => body?.kind ?? 'none';

/** The compared fields of a body, as name and value. Texts that `sed` may treat differently become `~`. */
const factsIn = (body: Body | undefined, names: readonly string[]): string[] =>
  body?.kind === 'json'
    ? [...JSON.stringify(body.value).matchAll(new RegExp(pairs(names), 'g'))]
        .slice(0, mostFacts)
        .map(([pair]) => pair.replace(/:".*(?:\\|[^ -~]).*"$/, ':"~"'))
    : [];

/** Replaces texts and times, which differ in each run, by their order. Single words stay, as states are. */
function normal(lines: readonly string[]): string[] {
  const values = lines.map((line) => line.replace(/^[^:]*:/, ''));
  const times = [...new Set(values.filter((value) => new RegExp(`^${time}$`).test(value)))].sort();
  const known: string[] = [];
  return lines.map((line, index) => {
    const value = values[index] ?? '';
    const head = line.slice(0, line.length - value.length);
    if (times.includes(value)) return `${head}time${times.indexOf(value) + 1}`;
    if (!value.startsWith('"') || new RegExp(`^${constant}$`).test(value)) return line;
    if (!known.includes(value)) known.push(value);
    return `${head}text${known.indexOf(value) + 1}`;
  });
}

/** The ids and fields of a request, as pairs. */
const sentBy = ({ request }: Exchange, names: readonly string[]): string[] => [
  ...request.url
    .split(/[/?&=#]/)
    .filter(isId)
    .map((id) => `"-":"${id}"`),
  ...factsIn(request.body, names),
];

/**
 * The step that shows the violation, and how: by its status if the signature ends with one, else by the fields that the
 * signature names, compared with those of the other requests. `word` quotes a text, with new ids in place of the
 * recorded ones.
 */
function telling(
  { exchanges, signature }: Violation,
  groups: readonly (readonly Step[])[],
  word: (text: string) => string,
): Telling | undefined {
  const steps = groups.flat();
  const mine = steps.filter(({ exchange }) => exchanges.includes(exchange.id));
  const byPlace = mine.toSorted((a, b) => exchanges.indexOf(a.exchange.id) - exchanges.indexOf(b.exchange.id));
  const [, status] = /: ([1-5]\d\d)$/.exec(signature) ?? [];
  const step = byPlace.find(({ exchange }) => codeOf(exchange) === status) ?? byPlace[0];
  if (!step) return undefined;
  const { exchange, number } = step;
  const isByStatus = codeOf(exchange) === status;
  // A refusal speaks for itself. An accepted request is compared with what came of it.
  const isRefusal = isByStatus && Number(status) >= 400;
  const words: readonly string[] = signature.match(/[A-Za-z_]\w*/g) ?? [];
  const free = Object.assign({}, ...steps.map(({ exchange: { request } }) => freeFieldsOf(request.body)));
  const made = keysIn(Object.values(free));
  const own = keysIn(
    mine.map((one) => jsonOf(one.exchange.response?.body)),
    Object.keys(free),
  );
  // A word may be a key of made-up material by chance.
  const isField = (name: string) => signature.includes(`.${name}`) || !made.has(name) || own.has(name);
  const isMasked = (name: string) =>
    mine.some((one) => masked.test(factsIn(one.exchange.response?.body, [name]).join()));
  const names = isByStatus ? [] : [...new Set(words)].filter((name) => isField(name) && !isMasked(name));
  const values = mine.flatMap((one) => [
    ...sentBy(one.exchange, names).map((fact) => `0>${fact}`),
    ...factsIn(one.exchange.response?.body, names).map((fact) => `${one.number}>${fact}`),
  ]);
  const facts = normal(values);
  /** Whether a fact is compared with something. The beginning of a list does not show its content. */
  const isCompared = (fact: string, place: number): boolean => {
    const [, field, value] = /^\d+>("\w+"):(.*)$/.exec(fact) ?? [];
    if (!fact.startsWith(`${number}>`) || field === '"-"' || value === '[' || value === '{') return false;
    const [, told] = /"([^"]*)"$/.exec(values[place] ?? '') ?? [];
    if (!value?.startsWith('text') || isId(told)) return true;
    return facts.some((other, at) => at !== place && (other.endsWith(`:${value}`) || other.includes(`>${field}:`)));
  };
  const tells = isByStatus || / missing$/.test(signature) || facts.some(isCompared);
  const same = `[ "$(status ${number})" = ${codeOf(exchange)} ] && [ "$(kind ${number})" = ${kindOf(exchange.response?.body)} ]`;
  const isScattered = names.some((name) => facts.filter((fact) => fact.startsWith(`${number}>"${name}":`)).length > 1);
  const shown = stateIn(exchange.response?.body);
  const named = contract().states.filter((state) => words.includes(state));
  const isOfState =
    (named.length > 0 && !named.some((state) => state === shown)) ||
    facts.some((fact) => fact.startsWith(`${number}>`) && fact.endsWith(`:"${shown}"`));
  return {
    step,
    lines: [
      kind,
      showsState,
      ...(isRefusal
        ? [`reproduced() { ${same}; }`]
        : [
            factsOf(mine, names, word),
            `was_seen=${posix.word(facts.join('\n'))}`,
            `reproduced() { ${same} && [ "$(facts)" = "$was_seen" ]; }`,
            `nearly() { grep -E '^${number}>${names.length === 0 ? '("-"|"[A-Za-z_]+":"[a-z])' : `"(${['-', ...names].join('|')})"`}' | sed 's/:-\\{0,1\\}[0-9].*/:number/'; }`,
          ]),
    ],
    end: [
      ...(tells ? [`if reproduced; then echo 'It was reproduced.'; exit 0; fi`] : []),
      ...(isByStatus ? [] : [`was ${number} ${codeOf(exchange)}`]),
      `case $(status ${number}) in ${codeOf(exchange)}) ;; 000|401|403|408|425|429|5??) cannot "request ${number} was answered $(status ${number})";; esac`,
      ...(isRefusal
        ? []
        : [
            `! { ${same} && [ "$(facts | nearly)" = "$(echo "$was_seen" | nearly)" ]; } || cannot '${
              tells
                ? 'the answers are similar to those of the run: compare them with what was seen'
                : 'no status or plain field shows it: compare the answers with what was seen'
            }'`,
          ]),
      ...(isScattered
        ? [`cannot 'a field of that name is in several places of the answer: compare it with what was seen'`]
        : []),
      ...circumstances(signature, step, groups, isOfState),
      `echo 'It was not reproduced.'; exit 1`,
    ],
  };
}

/**
 * What has to be as it was before a script may say that the violation is gone. The state that the step shows may be what is
 * wrong (`isOfState`); those of the other answers have to be the same.
 */
function circumstances(
  signature: string,
  step: Step,
  groups: readonly (readonly Step[])[],
  isOfState: boolean,
): string[] {
  const states = groups.flat().flatMap((one) => {
    const state = stateIn(one.exchange.response?.body);
    return state === undefined || (one === step && isOfState) ? [] : [`shows ${one.number} ${state}`];
  });
  const beside = groups.find((group) => group.includes(step)) ?? [];
  const isRace = beside.some((one) => one !== step && one.exchange.request.method !== 'GET');
  return [
    ...states,
    ...(/… m?s\b/.test(signature) ? [`cannot 'it shows in how long something takes: compare the times'`] : []),
    ...(codeOf(step.exchange) === overLimit ? [`cannot 'whether there is room depends on what else is going on'`] : []),
    ...(isRace ? [`cannot 'what is sent at the same time may come in another order: try it again'`] : []),
  ];
}

const showsState = `shows() { grep -qE "\\": *\\"$2\\"" "$answers/$1" || cannot "request $1 does not show the status $2, as it did when this was recorded"; }`;

const kind = `kind() {
  text=$(sed '1,/^.\\{0,1\\}$/d' "$answers/$1" | tr -d '\\r\\n\\t ')
  case $text in '') echo none;; '{'*'}' | '['*']' | '"'*'"') echo json;; *[!-0-9.eE+]*) echo not-json;; *) echo json;; esac
}`;

const factsOf = (steps: readonly Step[], names: readonly string[], word: (text: string) => string): string =>
  `# facts: what is compared of the answers so far. Texts are named by when they were first there, times by their order.
fields() {
  tr '\\r\\n\\t' '   ' | sed 's/" *: */":/g' | LC_ALL=C grep -oE ${posix.word(pairs(names))} | head -n ${mostFacts} |
    LC_ALL=C sed 's/:".*\\\\.*"$/:"~"/; s/:".*[^ -~].*"$/:"~"/' | sed "s/^/$1>/"
}
facts() {
  {
${steps.map(({ exchange, number }) => `    echo ${word(sentBy(exchange, names).join(' '))} | fields 0\n    if [ -f "$answers/${number}" ]; then sed '1,/^.\\{0,1\\}$/d' "$answers/${number}" | fields ${number}; fi`).join('\n')}
  } | LC_ALL=C awk '{ at = index($0, ":"); head[NR] = substr($0, 1, at); value[NR] = substr($0, at + 1) }
    value[NR] ~ /^"[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[-+0-9:.Z]*"$/ { times[value[NR]] = 1 }
    END {
      for (one in times) { rank[one] = 1; for (other in times) if (other "" < one "") rank[one]++ }
      for (n = 1; n <= NR; n++) {
        one = value[n]
        if (one in rank) print head[n] "time" rank[one]
        else if (one !~ /^"/ || one ~ /^${constant}$/) print head[n] one
        else { if (!(one in known)) known[one] = ++count; print head[n] "text" known[one] }
      }
    }'
}`;

/** The state that an answer shows. */
export const stateIn = (body: Body | undefined): string | undefined => {
  const { states } = contract();
  if (body?.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return undefined;
  return Object.values(body.value).find((one): one is string => typeof one === 'string' && states.includes(one));
};

/** A `grep -E` pattern for an answer with one of these states. */
const showing = (states: readonly string[]): string => `": *"(${states.join('|')})"`;
