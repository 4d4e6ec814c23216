import { expect, it } from 'vitest';
import { missedBreak } from '../../../scripts/diff/missed.js';
import type { RedoclyChange } from '../../../scripts/diff/redocly.js';
import type { Use } from '../../../scripts/diff/uses.js';

function change(typeName: string, property: string | undefined, before: unknown, after: unknown): RedoclyChange {
  const at = (value: unknown) => ({ pointer: '#/components/schemas/A/properties/a', value });
  const kind = after === undefined && property === undefined ? 'removed' : 'modified';
  return {
    typeName,
    kind,
    impact: 'patch',
    verdicts: [],
    ...(property && { property }),
    base: at(before),
    revision: at(after),
  };
}

const request: Use[] = ['request'];
const response: Use[] = ['response'];
const both: Use[] = ['request', 'response'];

it.each<[name: string, RedoclyChange, Use[], want: RegExp | undefined]>([
  [
    'a field shut out of a request',
    change('SchemaProperties', 'a', undefined, false),
    request,
    /^a may no longer be sent/,
  ],
  ['a field shut out of an answer', change('SchemaProperties', 'a', undefined, false), response, undefined],
  [
    'a field let into an answer',
    change('SchemaProperties', 'a', false, undefined),
    response,
    /^a may now be in an answer/,
  ],
  ['a field let into a request', change('SchemaProperties', 'a', false, undefined), request, undefined],
  ['a field let in, of both', change('SchemaProperties', 'a', false, undefined), both, /answer/],
  ['more beside a field sent', change('DependentRequired', 'a', ['b'], ['b', 'c']), request, /^More is required .*"c"/],
  ['less beside a field sent', change('DependentRequired', 'a', ['b', 'c'], ['b']), request, undefined],
  [
    'less beside a field answered',
    change('DependentRequired', 'a', ['b', 'c'], ['b']),
    response,
    /^Less is sure .*"b"/,
  ],
  [
    'nothing beside a field answered',
    change('DependentRequired', undefined, { a: ['b'] }, undefined),
    response,
    /^Less/,
  ],
  ['another default of a request', change('Schema', 'default', 25, 20), request, /from 25 to 20/],
  ['another default of an answer', change('Schema', 'default', 25, 20), response, undefined],
  ['a field gone from a request', change('Schema', undefined, {}, undefined), request, /^a is no longer a field/],
  ['another title', change('Schema', 'title', 'a', 'b'), both, undefined],
])('%s', (_, given, uses, want) => {
  const says = missedBreak(given, uses);
  if (want === undefined) expect(says).toBeUndefined();
  else expect(says).toMatch(want);
});
