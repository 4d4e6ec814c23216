import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import targetSchema from '../../conformance/settings/target/target.schema.json' with { type: 'json' };

/** openapi/rules.yaml: what the interface demands of a service and of its callers, leaves open, or says beyond judging. */
export interface Register {
  /** The sections of the interface: a short name to the heading, and those above it. */
  sections: Record<string, string>;
  rules: (Statement & {
    effect: 'read' | 'execute' | 'write' | 'delete';
    needs?: string[];
    stateless?: boolean;
    where?: string;
  })[];
  gaps: { id: string; asks: string; observable?: boolean }[];
  callers: Statement[];
  excluded: { source: string; says: string; why: string }[];
}

interface Statement {
  id: string;
  level: 'MUST' | 'SHOULD';
  on: string[] | 'all';
  source: string;
  says: string;
}

const id = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' };
const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', minItems: 1, uniqueItems: true, items: text };
const statement = {
  id,
  level: { enum: ['MUST', 'SHOULD'] },
  on: { anyOf: [{ const: 'all' }, texts] },
  source: text,
  says: text,
};
const listOf = (properties: object, required: string[]) => ({
  type: 'array',
  items: { type: 'object', properties, required, additionalProperties: false },
});

const shape = {
  type: 'object',
  additionalProperties: false,
  required: ['sections', 'rules', 'gaps', 'callers', 'excluded'],
  properties: {
    sections: { type: 'object', additionalProperties: text },
    rules: listOf(
      {
        ...statement,
        effect: { enum: ['read', 'execute', 'write', 'delete'] },
        needs: texts,
        stateless: { type: 'boolean' },
        where: text,
      },
      [...Object.keys(statement), 'effect'],
    ),
    gaps: listOf({ id, asks: text, observable: { type: 'boolean' } }, ['id', 'asks']),
    callers: listOf(statement, Object.keys(statement)),
    excluded: listOf({ source: text, says: text, why: text }, ['source', 'says', 'why']),
  },
};

/** Reads and checks a register. Throws one error that lists every mistake with the entry that has it. */
export function readRegister(file: string, operationIds: readonly string[]): Register {
  const register = parseRegister(file);
  refuse(file, [...nameMistakes(register, operationIds)]);
  return register;
}

/** Reads a register without holding its names against anything. */
export function parseRegister(file: string): Register {
  let register: unknown;
  try {
    register = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
  refuse(file, [...shapeMistakes(register)]);
  return register as Register;
}

function refuse(file: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(`${file}:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
}

function* shapeMistakes(register: unknown): Generator<string> {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(shape);
  if (validate(register)) return;
  for (const { instancePath, message, params } of validate.errors ?? []) {
    const [list, index, ...rest] = instancePath.split('/').slice(1);
    const entry = (register as Record<string, { id?: unknown }[] | undefined>)[list ?? '']?.[Number(index)];
    const where = [list, index && (typeof entry?.id === 'string' ? entry.id : index), ...rest]
      .filter(Boolean)
      .join('.');
    const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: string[] };
    yield `${where || 'the register'} ${message}${additionalProperty ? `: ${additionalProperty}` : ''}${allowedValues ? `: ${allowedValues.join(', ')}` : ''}`;
  }
}

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

interface Settings {
  readonly properties?: Readonly<Record<string, Settings>>;
  readonly [keyword: string]: unknown;
}

/** Whether a target file can declare it: `profile`, `workflows.completes`. */
const isSetting = (name: string): boolean =>
  name.split('.').reduce<Settings | undefined>((within, step) => within?.properties?.[step], targetSchema) !==
  undefined;
