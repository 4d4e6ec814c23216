import { describe, expect, test } from 'vitest';
import { beforeRemoval, removalsOf } from '../../../../conformance/engine/outcome/removals.js';
import { exchange, ids } from '../../../support/evidence.js';
import { changeThing, deleteThing, deleteThings } from '../../../support/made-up.js';

const resource = ids.execution;
const asked = (at: number, status: number) =>
  exchange({ operation: deleteThing, resource, at, status, durationMs: 10 });

describe('the readings of a removed resource', () => {
  const [before, during, after] = [asked(0, 404), asked(100, 404), asked(500, 404)];
  const found = asked(600, 200);

  test.each([
    ['was accepted', asked(105, 204), [before, found]],
    ['may have been accepted', exchange({ operation: deleteThing, resource, at: 105 }), [before, found]],
    ['was refused', asked(105, 403), [before, during, after, found]],
    ['removed another one', exchange({ operation: deleteThing, resource: ids.profile, at: 105, status: 204 }), 'all'],
    ['only changed it', exchange({ operation: changeThing, resource, at: 105, status: 200 }), 'all'],
  ])('exclude only 404s that the removal explains, when it %s', (_, removal, left) => {
    const all = [before, during, after, found];
    expect(beforeRemoval(all, removalsOf([removal], 'thing', resource))).toEqual(left === 'all' ? all : left);
  });
});

test('exclude such 404s also when an operation removes several resources that its body names', () => {
  const ended = { ...exchange({ operation: deleteThings, at: 105, status: 207 }), resource: null };
  const all = [asked(0, 404), asked(500, 404)];
  expect(beforeRemoval(all, removalsOf([ended], 'thing', resource))).toEqual([all[0]]);
  expect(removalsOf([ended], 'execution', resource)).toEqual([]);
});
