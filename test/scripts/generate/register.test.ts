import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type Document, kindsOf } from '../../../scripts/generate/document.js';
import { readRegister } from '../../../scripts/generate/register.js';
import { temporaryFolder } from '../../support/folder.js';

const statement = { id: 'it-fails', standing: 'stated', by: 'rule', where: 'Errors', says: 'It may fail.' };
const open = { ...statement, id: 'how-it-fails', standing: 'open' };
const rule = {
  id: 'a-rule',
  level: 'MUST',
  on: ['execute'],
  effect: 'read',
  source: 'Errors',
  statements: ['it-fails'],
  says: 'Something.',
};
const { effect: _, ...caller } = { ...rule, id: 'a-caller' };
const register = {
  sections: { Errors: 'Errors' },
  rules: [rule],
  gaps: [{ id: 'a-gap', statements: ['how-it-fails'], asks: 'What?' }],
  callers: [caller],
  excluded: [{ source: 'Errors', statements: ['it-fails'], says: 'Something.', why: 'Nobody sees it.' }],
};

function read(content: unknown, statements: readonly object[] = [statement, open], refusable: readonly string[] = []) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rules.yaml'), stringify(content));
  writeFileSync(join(folder, 'statements.yaml'), stringify({ statements }));
  writeFileSync(join(folder, 'schema.yaml'), 'properties: {code: {type: integer}}');
  return readRegister(join(folder, 'rules.yaml'), ['execute', 'getExecution'], {
    ...kindsOf({ paths: {} } as Document),
    'refusable body': refusable,
  });
}

test('a register in order is read as it stands, with its statements', () => {
  expect(read(register)).toEqual({ ...register, statements: [statement, open], idle: [] });
});

describe('a rule on all operations with a body, except those of another rule,', () => {
  const beside = { ...rule, id: 'others', on: { with: 'refusable body', beside: ['a-rule'] } };
  const readWith = (takers: readonly string[]) =>
    read({ ...register, rules: [rule, beside] }, [statement, open], takers);

  test('is on the other operations', () => {
    const { rules, idle } = readWith(['execute', 'getExecution']);
    expect(rules.map(({ id, on }) => [id, on])).toEqual([
      ['a-rule', ['execute']],
      ['others', ['getExecution']],
    ]);
    expect(idle).toEqual([]);
  });

  test('is left out when there is no other operation', () => {
    const { rules, idle } = readWith(['execute']);
    expect(rules.map(({ id }) => id)).toEqual(['a-rule']);
    expect(idle).toEqual(['others']);
  });
});

test('a statement may be answered by a place of the contract', () => {
  const said = { ...statement, id: 'it-has-a-code', contract: ['schema.yaml#/properties/code'] };
  expect(read(register, [statement, open, said]).statements).toContainEqual(said);
});

test.each<[string, readonly object[], string]>([
  ['that has no answer', [{ ...statement, id: 'lost' }], 'the statement lost is answered by no rule, gap'],
  ['with an id that exists twice', [statement], 'it-fails is there twice'],
  [
    'of an unknown standing',
    [{ ...statement, standing: 'known' }],
    'statements.it-fails.standing must be equal to one',
  ],
  ['of an unknown section', [{ ...statement, where: 'Eros' }], 'it-fails is in the section "Eros"'],
  [
    'with a file that does not exist',
    [{ ...statement, contract: ['a.yaml'] }],
    'it-fails is said by a.yaml, where nothing',
  ],
  [
    'with a place that does not exist',
    [{ ...statement, contract: ['schema.yaml#/properties/cod'] }],
    'it-fails is said by schema.yaml#/properties/cod, where nothing is',
  ],
])('a statement %s is refused with its name', (_, more, message) => {
  expect(() => read(register, [statement, open, ...more])).toThrow(message);
});

test.each<[string, object, string]>([
  ['no list of gaps', { gaps: undefined }, "the register must have required property 'gaps'"],
  ['an unknown list', { gasp: [] }, 'the register must NOT have additional properties: gasp'],
  ['an unknown key', { rules: [{ ...rule, sees: 'x' }] }, 'rules.a-rule must NOT have additional properties: sees'],
  ['a missing key', { rules: [{ ...rule, says: undefined }] }, "rules.a-rule must have required property 'says'"],
  [
    'an unknown level',
    { rules: [{ ...rule, level: 'WILL' }] },
    'rules.a-rule.level must be equal to one of the allowed values: MUST, SHOULD',
  ],
  [
    'an unknown effect',
    { rules: [{ ...rule, effect: 'look' }] },
    'rules.a-rule.effect must be equal to one of the allowed values: read, execute, write, delete',
  ],
  [
    'an id that is not a slug',
    { gaps: [{ id: 'A gap', statements: ['it-fails'], asks: 'What?' }] },
    'gaps.A gap.id must match pattern',
  ],
  ['no id', { gaps: [{ statements: ['it-fails'], asks: 'What?' }] }, "gaps.0 must have required property 'id'"],
  [
    'an operation that does not exist',
    { rules: [{ ...rule, on: ['exceute'] }] },
    'a-rule is on exceute, which is no operation; there are execute, getExecution',
  ],
  [
    'a need that target files cannot declare',
    { rules: [{ ...rule, needs: ['execution|workflows.complets'] }] },
    'a-rule needs workflows.complets, which is no setting of a target file',
  ],
  ['an id that is in use', { callers: [{ ...caller, id: 'a-gap' }] }, 'callers.a-gap has an id that is taken'],
  [
    'an unknown statement',
    { gaps: [{ id: 'a-gap', statements: ['how-it-fials'], asks: 'What?' }] },
    'gaps.a-gap rests on how-it-fials, which is no statement',
  ],
  [
    'a MUST without a stated statement',
    { rules: [{ ...rule, statements: ['how-it-fails'] }] },
    'a-rule is a MUST and rests on nothing that is stated',
  ],
  [
    'an unknown section',
    { callers: [{ ...caller, source: 'Eros' }] },
    'the source "Eros" of "Something." is none of the sections',
  ],
])('%s is refused, with the name of the entry', (_, change, message) => {
  expect(() => read({ ...register, ...change })).toThrow(message);
});
