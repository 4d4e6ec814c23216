/** What a run makes of one request that is lost where much depends on it. */
import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { createReference } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';
import { keys } from '../../reference/index.js';
import { profileAlone } from '../support/interrupted.js';
import { losingOne } from '../support/lossy.js';
import { poolAlone, usualTarget } from '../support/usual-run.js';

const ofVerdict = ({ rules }: Run, wanted: readonly string[]) =>
  rules.flatMap(({ id, verdict, why }) => (wanted.includes(verdict) ? [`${id}: ${why}`] : []));

const { fixtures: target } = createReference();
const isDeletion = ({ method, url, headers }: Request) =>
  method === 'DELETE' && url.endsWith(`${target.pool}`) && [...headers.values()].includes(keys.full);

test('a change of a copy makes no rule inconclusive if its answer is lost after the change', async () => {
  const { gateway, lost } = losingOne(
    ({ method }, body) => method === 'PATCH' && body.includes('A copy made by the conformance suite'),
    'a connection that breaks after it',
  );
  const run = await checkInProcess({ gateway }, { target: usualTarget(profileAlone) });
  expect(lost()).toMatch(/^PATCH .*agent-profiles/);
  expect(ofVerdict(run, ['violated', 'inconclusive'])).toEqual([]);
});

test('a deletion of the pool whose answer is lost violates no rule, and is reported', async () => {
  const { gateway, lost } = losingOne(isDeletion, 'a connection that breaks after it');
  const run = await checkInProcess({ gateway }, { target: usualTarget(poolAlone) });
  expect(lost()).toMatch(/^DELETE .*agent-profile-pools/);
  expect(ofVerdict(run, ['violated'])).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)).toEqual([
    'pool-is-deleted',
    'deleted-pool-is-gone',
    'deleted-pool-cannot-run',
  ]);
  const [deleted] = run.leftBehind.filter(({ kind }) => kind === 'deleted pool');
  expect(deleted?.note).toBe('maybe: an answer was lost. The target file allows it');
});

test('a reading that is lost right after the pool was deleted does not hide the deletion', async () => {
  let isDeleted = false;
  const { gateway, lost } = losingOne((request) => {
    const { method, headers } = request;
    const isLook = isDeleted && method === 'GET' && ![...headers.values()].includes(keys.full);
    isDeleted ||= isDeletion(request);
    return isLook;
  }, 'a page in its place');
  const run = await checkInProcess({ gateway }, { target: usualTarget(poolAlone) });
  expect(lost()).toMatch(/^GET .*executions/);
  expect(ofVerdict(run, ['violated', 'inconclusive'])).toEqual([]);
  expect(run.rules.find(({ id }) => id === 'pool-is-deleted')?.verdict).toBe('passed');
});
