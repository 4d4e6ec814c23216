/** How a script for `sh` tells by the answers that it got whether they show a violation again. */
import { contract } from '../contract.js';
import type { Body, Exchange, Violation } from '../vocabulary.js';
import { posix } from './curl.js';

/** A request of the script, by its number in it. */
export interface Step {
  readonly exchange: Exchange;
  readonly number: number;
}

/** What of the answers shows the violation. */
export interface Telling {
  readonly step: Step;
  /** Lines that define `told`: whether what was recorded is there again. */
  readonly lines: readonly string[];
  /** Lines that end the script. */
  readonly end: readonly string[];
}

/** In the form that `grep -E` and JavaScript both read. Of a list or an object only that it is one. */
const text = String.raw`"([^"\\]|\\.)*"`;
const time = '"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9:]+)?"';
const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** Where a status is what shows it no field is named: then what it was answered by lies in times. */
const pairs = (names: readonly string[]): string =>
  names.length === 0
    ? `"-":${text}|"[A-Za-z_]+":${time}`
    : `"(${['-', ...names].join('|')})":(${text}|[-0-9tfn][-+.0-9a-zA-Z]*|[{[])`;
/** What reports put in the place of a secret: nothing to compare with. */
const masked = /\[(?:masked|signed) \d+\]|\[redacted\]/;
const mostFacts = 50;

const statusOf = ({ response }: Exchange): string => String(response?.status ?? '000');
const kindOf = (body: Body | undefined): string => body?.kind ?? 'none';

/** The fields of a body that are compared, each a name and a value. What `sed` would see otherwise is but a text. */
const factsIn = (body: Body | undefined, names: readonly string[]): string[] =>
  body?.kind === 'json'
    ? [...JSON.stringify(body.value).matchAll(new RegExp(pairs(names), 'g'))]
        .slice(0, mostFacts)
        .map(([pair]) => pair.replace(/:".*(?:\\|[^ -~]).*"$/, ':"~"'))
    : [];

/** Texts by when they were first there, times by their order: what they are is another each time. States are what they are. */
function normal(lines: readonly string[]): string[] {
  const values = lines.map((line) => line.replace(/^[^:]*:/, ''));
  const times = [...new Set(values.filter((value) => new RegExp(`^${time}$`).test(value)))].sort();
  const known: string[] = [];
  return lines.map((line, index) => {
    const value = values[index] ?? '';
    const head = line.slice(0, line.length - value.length);
    if (times.includes(value)) return `${head}time${times.indexOf(value) + 1}`;
    if (!value.startsWith('"') || contract().states.includes(value.slice(1, -1))) return line;
    if (!known.includes(value)) known.push(value);
    return `${head}text${known.indexOf(value) + 1}`;
  });
}

/** The ids and the fields that a request was sent with, as facts. */
const sentBy = ({ request }: Exchange, names: readonly string[]): string[] => [
  ...(request.url.match(new RegExp(uuid, 'g')) ?? []).map((id) => `"-":"${id}"`),
  ...factsIn(request.body, names),
];

/**
 * The step that shows it, and how: by its status where the signature ends with one; else by the fields that the signature
 * names, held against those of the other requests that show it. `word` writes a text with the ids of this time for those of
 * the recording.
 */
export function telling(
  { exchanges, signature }: Violation,
  steps: readonly Step[],
  word: (text: string) => string,
): Telling | undefined {
  const mine = steps.filter(({ exchange }) => exchanges.includes(exchange.id));
  const byPlace = mine.toSorted((a, b) => exchanges.indexOf(a.exchange.id) - exchanges.indexOf(b.exchange.id));
  const [, status] = /: ([1-5]\d\d)$/.exec(signature) ?? [];
  const step = byPlace.find(({ exchange }) => statusOf(exchange) === status) ?? byPlace[0];
  if (!step) return undefined;
  const { exchange, number } = step;
  const isByStatus = statusOf(exchange) === status;
  // A refusal says by itself what it is; what was accepted, only beside what came of it.
  const isRefusal = isByStatus && Number(status) >= 400;
  const names = [...new Set(isByStatus ? [] : signature.match(/[A-Za-z_]\w*/g))].filter(
    (name) => !mine.some((one) => masked.test(factsIn(one.exchange.response?.body, [name]).join())),
  );
  const facts = normal(
    mine.flatMap((one) => [
      ...sentBy(one.exchange, names).map((fact) => `0>${fact}`),
      ...factsIn(one.exchange.response?.body, names).map((fact) => `${one.number}>${fact}`),
    ]),
  );
  const own = facts.filter((fact) => fact.startsWith(`${number}>`));
  // That a list is there again does not tell what is in it.
  const isNamed = (fact: string) =>
    names.some((name) => fact.startsWith(`${number}>"${name}":`)) && !/:[[{]$/.test(fact);
  const tells = isByStatus || / missing$/.test(signature) || own.some(isNamed);
  const same = `[ "$(status ${number})" = ${statusOf(exchange)} ] && [ "$(kind ${number})" = ${kindOf(exchange.response?.body)} ]`;
  return {
    step,
    lines: [
      kind,
      ...(isRefusal
        ? [`told() { ${same}; }`]
        : [
            factsOf(mine, names, word),
            `was_seen=${posix.word(facts.join('\n'))}`,
            `told() { ${same} && [ "$(facts)" = "$was_seen" ]; }`,
            `nearly() { grep -E '^${number}>"(${['-', ...names].join('|')})"' | sed 's/:-\\{0,1\\}[0-9].*/:number/'; }`,
          ]),
    ],
    end: [
      ...(tells ? [`if told; then echo 'It was shown again.'; exit 0; fi`] : []),
      `case $(status ${number}) in ${statusOf(exchange)}) ;; 000|401|403|408|425|429|5??) cannot "request ${number} was answered $(status ${number})";; esac`,
      ...(isRefusal
        ? []
        : [
            `! { ${same} && [ "$(facts | nearly)" = "$(echo "$was_seen" | nearly)" ]; } || cannot 'these answers are much as they were, so compare them with what was seen'`,
          ]),
      `echo 'It was not shown again.'; exit 1`,
    ],
  };
}

const kind = `kind() {
  text=$(sed '1,/^.\\{0,1\\}$/d' "$answers/$1" | tr -d '\\r\\n\\t ')
  case $text in '') echo none;; '{'*'}' | '['*']' | '"'*'"') echo json;; *[!-0-9.eE+]*) echo not-json;; *) echo json;; esac
}`;

const factsOf = (steps: readonly Step[], names: readonly string[], word: (text: string) => string): string => {
  const { states } = contract();
  return `# facts: what is compared of the answers so far. Texts are named by when they were first there, times by their order.
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
      split("${states.join(' ')}", all, " "); for (n in all) plain["\\"" all[n] "\\""] = 1
      for (one in times) { rank[one] = 1; for (other in times) if (other "" < one "") rank[one]++ }
      for (n = 1; n <= NR; n++) {
        one = value[n]
        if (one in rank) print head[n] "time" rank[one]
        else if (one !~ /^"/ || one in plain) print head[n] one
        else { if (!(one in known)) known[one] = ++count; print head[n] "text" known[one] }
      }
    }'
}`;
};

/** A state that an answer shows, wherever in it. */
export const stateIn = (body: Body | undefined): string | undefined => {
  const { states } = contract();
  if (body?.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return undefined;
  return Object.values(body.value).find((one): one is string => typeof one === 'string' && states.includes(one));
};

/** A pattern of `grep -E` for an answer that shows one of these states. */
export const showing = (states: readonly string[]): string => `": *"(${states.join('|')})"`;
