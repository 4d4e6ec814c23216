/** How a script recognises a violation: what of the answers is compared with those of the recording. */
import { contract } from '../contract.js';
import { isFields, isId } from '../outcome/read.js';
import { equal } from '../rule/values.js';
import { suite } from '../suite.js';
import type { Body, Exchange, Violation } from '../vocabulary.js';
import { posix } from './curl.js';

/** A request and its number in the script. */
export interface Step {
  readonly exchange: Exchange;
  readonly number: number;
}

/** How the script recognises the violation. */
export interface Telling {
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
  const plain = suite().withoutFreeFields(value);
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
  const idsSeen: string[] = [];
  return lines.map((line, index) => {
    const value = values[index] ?? '';
    const head = line.slice(0, line.length - value.length);
    if (times.includes(value)) return `${head}time${times.indexOf(value) + 1}`;
    if (!value.startsWith('"') || new RegExp(`^${constant}$`).test(value)) return line;
    if (!idsSeen.includes(value)) idsSeen.push(value);
    return `${head}text${idsSeen.indexOf(value) + 1}`;
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

/** The words of a signature that name a field of the answers in question: not made-up material, and no secret. */
function fieldsNamed(
  signature: string,
  words: readonly string[],
  steps: readonly Step[],
  mine: readonly Step[],
): readonly string[] {
  const answers = mine.map(({ exchange }) => exchange.response?.body);
  const free = Object.assign({}, ...steps.map(({ exchange: { request } }) => freeFieldsOf(request.body)));
  const made = keysIn(Object.values(free));
  const own = keysIn(answers.map(jsonOf), Object.keys(free));
  // A word may be a key of made-up material by chance.
  const isField = (name: string) => signature.includes(`.${name}`) || !made.has(name) || own.has(name);
  const isMasked = (name: string) => answers.some((body) => masked.test(factsIn(body, [name]).join()));
  return [...new Set(words)].filter((name) => isField(name) && !isMasked(name));
}

/**
 * The step that shows the violation, and how: by its status if the signature ends with one, else by the fields that the
 * signature names, compared with those of the other requests. `word` quotes a text, with new ids in place of the
 * recorded ones.
 */
export function telling(
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
  const names = isByStatus ? [] : fieldsNamed(signature, words, steps, mine);
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
export const showing = (states: readonly string[]): string => `": *"(${states.join('|')})"`;
