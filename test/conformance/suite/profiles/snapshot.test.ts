import { expect, test } from 'vitest';
import { noJournal } from '../../../../conformance/engine/send/journal/journal.js';
import { Snapshot } from '../../../../conformance/suite/profiles/snapshot.js';
import { exchange, ids } from '../../../support/evidence.js';

const theirs = { id: '00000000-0000-4000-8000-000000000001', name: 'of a browser', domain: 'a.example' };
const mine = { id: '00000000-0000-4000-8000-000000000002', name: 'renamed by the service', domain: 'b.example' };
const adding = { cookiesToAdd: [{ name: 'mine', domain: 'b.example' }] };

const snapshot = () =>
  new Snapshot(
    {
      baseUrl: 'http://a.example',
      profile: ids.profile,
      startedAt: '2026-01-01T00:00:00Z',
      original: { id: ids.profile, cookies: [] },
      touched: [],
      added: { cookies: [], credentials: [] },
      tries: 0,
    },
    noJournal,
    new Set(['sent by the run']),
  );
const update = (sent: object, status: number, cookies: readonly object[] = []) =>
  exchange({ operation: 'updateProfile', resource: ids.profile, sent, status, body: { id: ids.profile, cookies } });
const ask = (body: object) => ({ step: 'update', operation: 'updateProfile', id: ids.profile, body }) as const;

const cases: [what: string, added: number, cookies: readonly object[], names: readonly string[]][] = [
  ['what comes with the answer to an update that adds', 200, [mine], ['renamed by the service']],
  ['nothing that comes after an update that was refused', 400, [theirs], []],
  ['what comes after an update whose answer was lost', 502, [mine], ['renamed by the service']],
];
test.each(cases)('the run takes for its own %s', async (_, status, cookies, names) => {
  const profile = snapshot();
  await profile.beforeSending(ask(adding));
  profile.noteAnswer(update(adding, status, status === 200 ? cookies : undefined), []);
  await profile.beforeSending(ask({}));
  profile.noteAnswer(update({}, 200, cookies), []);
  expect(profile.added('cookies').map(({ name }) => name)).toEqual(names);
});
