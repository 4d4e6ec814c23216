import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readRegister } from '../../../scripts/generate/register.js';
import { temporaryFolder } from '../contract-copy.js';

const rule = { id: 'a-rule', level: 'MUST', on: ['execute'], effect: 'read', source: 'Errors', says: 'Something.' };
const { effect: _, ...caller } = { ...rule, id: 'a-caller' };
const register = {
  sections: { Errors: 'Errors' },
  rules: [rule],
  gaps: [{ id: 'a-gap', asks: 'What?' }],
  callers: [caller],
  excluded: [{ source: 'Errors', says: 'Something.', why: 'Nobody sees it.' }],
};

function read(content: unknown) {
  const file = join(temporaryFolder(), 'rules.yaml');
  writeFileSync(file, stringify(content));
  return readRegister(file, ['execute', 'getExecution']);
}

test('a register in order is read as it stands', () => {
  expect(read(register)).toEqual(register);
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
  ['an id that is no slug', { gaps: [{ id: 'A gap', asks: 'What?' }] }, 'gaps.A gap.id must match pattern'],
  ['no id', { gaps: [{ asks: 'What?' }] }, "gaps.0 must have required property 'id'"],
  [
    'an operation that does not exist',
    { rules: [{ ...rule, on: ['exceute'] }] },
    'a-rule is on exceute, which is no operation; there are execute, getExecution',
  ],
  [
    'a need that no target file declares',
    { rules: [{ ...rule, needs: ['execution|workflows.complets'] }] },
    'a-rule needs workflows.complets, which is no setting of a target file',
  ],
  ['an id that is taken', { callers: [{ ...caller, id: 'a-gap' }] }, 'callers.a-gap has an id that is taken'],
  [
    'an unknown section',
    { callers: [{ ...caller, source: 'Eros' }] },
    'the source "Eros" of "Something." is none of the sections',
  ],
])('%s is refused, with the entry named', (_, change, message) => {
  expect(() => read({ ...register, ...change })).toThrow(message);
});
