import { expect, test } from 'vitest';
import type { Document, Operation } from '../../../scripts/generate/document.js';
import { flagsModule } from '../../../scripts/generate/flags.js';

const flag = { type: 'boolean' };
const document = {
  components: {
    schemas: {
      Lamp: { type: 'object', properties: { lit: flag, dimmed: flag, warm: flag } },
      LampSettings: { type: 'object', properties: { lit: flag } },
      MoreLampSettings: { type: 'object', properties: { dimmed: flag } },
    },
  },
} as unknown as Document;

const schema = (name: string) => ({ body: { schema: { $ref: `#/components/schemas/${name}` } } });
const update = (method: string, sends: string, effect = 'changes', resource = 'profile') =>
  ({
    method,
    traits: { effect, resource, subject: 'profile' },
    request: schema(sends),
    responses: [{ success: true, ...schema('Lamp') }],
  }) as unknown as Operation;

/** The names in a list of the generated module. */
function listed(list: string, ...operations: Operation[]): string[] {
  const text = flagsModule(document, operations, { rules: [], statements: [] });
  const start = text.indexOf(`export const ${list}`);
  return [...text.slice(text.indexOf('=', start), text.indexOf(';\n', start)).matchAll(/'?(lit|dimmed|warm)'?/g)].map(
    ([, name = '']) => name,
  );
}

test.each<[string, Operation[], { plain: string[]; derived: string[] }]>([
  ['those of an update', [update('PATCH', 'LampSettings')], { plain: ['lit'], derived: ['dimmed', 'warm'] }],
  [
    'those of two updates of a profile',
    [update('PATCH', 'LampSettings'), update('POST', 'MoreLampSettings')],
    { plain: ['lit', 'dimmed'], derived: ['warm'] },
  ],
  ['not those of a PUT, which replaces the whole', [update('PUT', 'LampSettings')], { plain: [], derived: [] }],
  [
    'not those of a PUT beside an update',
    [update('PUT', 'MoreLampSettings'), update('PATCH', 'LampSettings')],
    { plain: ['lit'], derived: ['dimmed', 'warm'] },
  ],
  [
    'not those of another resource that belongs to a profile',
    [update('POST', 'LampSettings', 'changes', 'note')],
    { plain: [], derived: [] },
  ],
  [
    'not those of an operation that makes a copy',
    [update('POST', 'LampSettings', 'copies')],
    { plain: [], derived: [] },
  ],
])('flags that an update sets are %s', (_, operations, want) => {
  expect({ plain: listed('plainFlags', ...operations), derived: listed('derivedFlags', ...operations) }).toEqual(want);
});
