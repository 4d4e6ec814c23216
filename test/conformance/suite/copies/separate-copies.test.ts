import { describe, expect, test } from 'vitest';
import { isApart, isNew } from '../../../../conformance/suite/copies/separate-copies.js';
import { gather } from '../../../../conformance/suite/views.js';
import { inOrder, type Sketch } from '../../../support/evidence.js';
import { baseline, cookie, duplicate, idOf, known, update } from '../../../support/profiles.js';
import { another } from '../../../support/runs.js';

describe('what answered a duplication is new', () => {
  const source = { updatedAt: '2026-03-02T12:00:10.200Z' };
  test.each([
    [true, 'where it was made after the last change of its source', { createdAt: '2026-03-02T12:00:10.900Z' }],
    [true, 'where the clocks of two instances lie apart', { createdAt: '2026-03-02T12:00:09.100Z' }],
    [false, 'where it was there before', { createdAt: '2026-03-01T09:30:11.400Z' }],
    [false, 'where nothing says when it was made', {}],
    [
      true,
      'where it has what the run put into the source',
      { createdAt: '2026-03-01T09:30:11.400Z', credentials: [{ name: 'Conformance-1' }] },
    ],
  ])('%s: %s', (expected, _, copy) => {
    expect(isNew(copy, source)).toBe(expected);
  });

  test('not where nothing is known of the source', () => {
    expect(isNew({ createdAt: '2026-03-02T12:00:10.900Z' }, undefined)).toBe(false);
  });
});

describe('cookies can be deleted from a copy', () => {
  const copy = another.profile;
  const a = known(cookie('a'), 'a');
  const b = known(cookie('b'), 'b');
  const ofCopy = (sent: unknown, cookies: object[]): Sketch => update(sent, { id: copy, cookies }, { resource: copy });
  const apart = (...sketches: Sketch[]) => isApart(copy, 'cookies', gather(inOrder(sketches), []));
  const source = baseline({ cookies: [a, b] });

  test('where they have ids of their own', () => {
    expect(apart(source, duplicate({ id: copy, cookies: [known(cookie('a'), 'c')] }))).toBe(true);
  });

  test('not where the source has them as well, for all that is known', () => {
    expect(apart(source, duplicate({ id: copy, cookies: [a, b] }))).toBe(false);
  });

  const both = [source, duplicate({ id: copy, cookies: [a, b] }), ofCopy({ cookiesToDelete: [idOf('a')] }, [b])];

  test('where one was, and the source has it still', () => {
    expect(apart(...both, update({}, { cookies: [a, b] }))).toBe(true);
  });

  test('not where the source lost it as well', () => {
    expect(apart(...both, update({}, { cookies: [b] }))).toBe(false);
  });

  test('not where nobody looked at the source since', () => {
    expect(apart(...both)).toBe(false);
  });

  test('not where the copy was never seen', () => {
    expect(apart(source)).toBe(false);
  });

  test('not where the source was seen to change with a copy, whatever the ids', () => {
    const mine = [known(cookie('a'), 'c')];
    const told = update(
      { description: 'Changed.' },
      { id: copy, description: 'Changed.', cookies: mine },
      { resource: copy },
    );
    const changed = [source, duplicate({ id: copy, cookies: mine }), told];
    expect(apart(...changed, update({}, { cookies: [a, b] }))).toBe(true);
    expect(apart(...changed, update({}, { cookies: [a, b], description: 'Changed.' }))).toBe(false);
  });
});
