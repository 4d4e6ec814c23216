import { expect, test } from 'vitest';
import { missingIds } from '../../../conformance/suite/missing-ids.js';
import { gather } from '../../../conformance/suite/views.js';
import { facts, ids, inOrder, type Sketch } from '../../support/evidence.js';

const deletion = (more: Partial<Sketch>): Sketch => ({
  operation: 'deletePool',
  resource: ids.pool,
  mark: { scenario: 'pool', step: 'delete', credential: 'primary' },
  ...more,
});
const lost = deletion({ failure: { kind: 'broken', message: 'cut' } });

test.each<[string, readonly Sketch[], string[]]>([
  ['is missing if every request for it gets a 404', [deletion({ status: 404 })], ['pool']],
  ['is not missing if a deletion with a lost answer may have removed it', [lost, deletion({ status: 404 })], []],
])('a pool %s', (_, sketches, missing) => {
  const found = missingIds(gather(inOrder(sketches)), facts({ pool: ids.pool }));
  expect(found.map(({ declaredAs }) => declaredAs)).toEqual(missing);
});
