/** Reads and checks openapi/rules.yaml. */

import { dirname, join } from 'node:path';
import targetSchema from '../../conformance/suite/target/target.schema.json' with { type: 'json' };
import { type Kinds, kinds } from './document.js';
import { listOf, readSource, refuse, slug, text, texts } from './source.js';
import { readStatements, type Statement } from './statements.js';

/** The contents of openapi/rules.yaml: demands on services and callers, gaps, and what is not judged. */
export interface Register {
  /** Short names of the interface's sections, with the heading and those above it. */
  sections: Record<string, string>;
  rules: (Demand & {
    effect: 'read' | 'execute' | 'write' | 'delete';
    needs?: string[];
    stateless?: boolean;
    where?: string;
  })[];
  gaps: { id: string; statements: string[]; asks: string; observable?: boolean }[];
  callers: Demand[];
  excluded: { source: string; statements: string[]; says: string; why: string }[];
}

/** A demand on a service or a caller. */
interface Demand {
  id: string;
  /** The statements of the interface that it rests on. */
  statements: string[];
  level: 'MUST' | 'SHOULD';
  on: string[] | 'all';
  source: string;
  says: string;
}

/** In the file, `on` may name a kind of operations, and rules to whose operations it leaves them. */
interface OnKind {
  on: { with: keyof Kinds; beside?: string[] };
}

const demand = {
  id: slug,
  level: { enum: ['MUST', 'SHOULD'] },
  on: {
    anyOf: [
      { const: 'all' },
      texts,
      {
        type: 'object',
        required: ['with'],
        additionalProperties: false,
        properties: { with: { enum: kinds }, beside: texts },
      },
    ],
  },
  source: text,
  statements: texts,
  says: text,
};

const shape = {
  type: 'object',
  additionalProperties: false,
  required: ['sections', 'rules', 'gaps', 'callers', 'excluded'],
  properties: {
    sections: { type: 'object', additionalProperties: text },
    rules: listOf(
      {
        ...demand,
        effect: { enum: ['read', 'execute', 'write', 'delete'] },
        needs: texts,
        stateless: { type: 'boolean' },
        where: text,
      },
      [...Object.keys(demand), 'effect'],
    ),
    gaps: listOf({ id: slug, statements: texts, asks: text, observable: { type: 'boolean' } }, [
      'id',
      'statements',
      'asks',
    ]),
    callers: listOf(demand, Object.keys(demand)),
    excluded: listOf({ source: text, statements: texts, says: text, why: text }, [
      'source',
      'statements',
      'says',
      'why',
    ]),
  },
};

/**
 * Reads and checks a register, and the statements beside it. Throws one error that lists all mistakes. `idle`: the ids of
 * rules that are on no operation of this contract, which are left out.
 */
export function readRegister(
  file: string,
  operationIds: readonly string[],
  ofKind: Kinds,
): Register & { statements: Statement[]; idle: string[] } {
  const parsed = parseRegister(file);
  const register = { ...parsed, rules: placed(parsed.rules, ofKind), callers: placed(parsed.callers, ofKind) };
  const statements = readStatements(join(dirname(file), 'statements.yaml'), register.sections);
  refuse(file, [...nameMistakes(register, operationIds), ...restMistakes(register, statements)]);
  const [idle = [], rules = []] = [true, false].map((is) =>
    register.rules.filter(({ on }) => (on.length === 0) === is),
  );
  return { ...register, rules, idle: idle.map(({ id }) => id), statements };
}

/** Rules with the operations that they are on. */
export function placed<One extends { id: string; on?: unknown }>(
  rules: readonly One[],
  ofKind: Kinds,
): (One & Pick<Demand, 'on'>)[] {
  const others = (ids: readonly string[]) => rules.filter(({ id }) => ids.includes(id)).flatMap(({ on }) => on);
  return rules.map((rule) => {
    const on = (rule.on ?? []) as Demand['on'] | OnKind['on'];
    if (on === 'all' || Array.isArray(on)) return { ...rule, on };
    const taken = others(on.beside ?? []);
    return { ...rule, on: ofKind[on.with].filter((id) => !taken.includes(id)) };
  });
}

/** Reads a register without checking the names in it. */
export const parseRegister = (file: string): Register => readSource<Register>(file, 'the register', shape);

function* nameMistakes(register: Register, operationIds: readonly string[]): Generator<string> {
  const entries = (['rules', 'gaps', 'callers'] as const).flatMap((list) =>
    register[list].map((entry) => ({ ...entry, where: `${list}.${entry.id}` })),
  );
  for (const [index, { id, where }] of entries.entries())
    if (entries.findIndex((other) => other.id === id) < index)
      yield `${where} has an id that is taken; ids are unique in the whole register`;
  for (const { id, on } of [...register.rules, ...register.callers])
    for (const operation of on === 'all' ? [] : on)
      if (!operationIds.includes(operation))
        yield `${id} is on ${operation}, which is no operation; there are ${operationIds.join(', ')}`;
  for (const { id, needs = [] } of register.rules)
    for (const name of needs.flatMap((need) => need.split('|')))
      if (!isSetting(name)) yield `${id} needs ${name}, which is no setting of a target file`;
  for (const { source, says } of [...register.rules, ...register.callers, ...register.excluded])
    if (!Object.hasOwn(register.sections, source)) yield `the source "${source}" of "${says}" is none of the sections`;
}

/** Mistakes between the entries of the register and the statements. */
function* restMistakes(register: Register, statements: readonly Statement[]): Generator<string> {
  const standings = new Map(statements.map(({ id, standing }) => [id, standing]));
  for (const { where, statements: ids } of entriesOf(register))
    for (const id of ids) if (!standings.has(id)) yield `${where} rests on ${id}, which is no statement`;
  for (const { id, level, statements: ids } of [...register.rules, ...register.callers])
    if (level === 'MUST' && !ids.some((one) => standings.get(one) === 'stated'))
      yield `${id} is a MUST and rests on nothing that is stated`;
  const answered = new Set(entriesOf(register).flatMap((entry) => entry.statements));
  for (const { id, contract = [] } of statements)
    if (!answered.has(id) && contract.length === 0)
      yield `the statement ${id} is answered by no rule, gap, rule for callers, exclusion or place of the contract`;
}

const entriesOf = ({ rules, gaps, callers, excluded }: Register) => [
  ...Object.entries({ rules, gaps, callers }).flatMap(([list, entries]) =>
    entries.map(({ id, statements }) => ({ where: `${list}.${id}`, statements })),
  ),
  ...excluded.map(({ says, statements }) => ({ where: `the exclusion of "${says}"`, statements })),
];

interface Settings {
  readonly properties?: Readonly<Record<string, Settings>>;
  readonly [keyword: string]: unknown;
}

/** Whether a target file can declare this: `profile`, `workflows.completes`. */
const isSetting = (name: string): boolean =>
  name.split('.').reduce<Settings | undefined>((within, step) => within?.properties?.[step], targetSchema) !==
  undefined;
