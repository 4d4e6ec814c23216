import { describe, expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../conformance/engine/http/transport.js';
import { ofFlags } from '../../deviations/flags.js';
import { type Surroundings, variations } from '../../deviations/index.js';
import { couplings } from '../../generated/flags.js';
import { checkInProcess } from '../../proof/in-process.js';
import { profileIds } from '../../reference/fixtures.js';
import { changedItself, profileAlone, stage, unjudged } from '../support/interrupted.js';
import { isHeldBack, usualRun, usualTarget } from '../support/usual-run.js';

const target = usualTarget(profileAlone);

const remarksOf = async (id: string): Promise<string> => {
  const variation = variations.find((one) => one.id === id);
  const faults = variation && 'behaviour' in variation ? [variation] : [];
  const { gateway } = (variation ?? {}) as Partial<Surroundings>;
  const { remarks } = await checkInProcess({ latencyMs: 20, faults, gateway }, { ...unjudged, target });
  return remarks.join('\n');
};

test('a run tells what somebody else changed on the profile while it went on', async () => {
  const remarks = await remarksOf('others-describe');
  expect(remarks).toContain(`Somebody else changed the profile ${profileIds.profile} during the run: description`);
});

test('a run tells of a browser that used the profile', async () => {
  const remarks = await remarksOf('browser-at-work');
  expect(remarks).toContain(`A browser used the profile ${profileIds.profile} during the run`);
});

test('a run says nothing of others where there were none', async () => {
  expect((await usualRun()).remarks.map(isHeldBack)).toEqual([true]);
});

/** A colleague who changes the profile right before the request of a step. */
function colleague(step: string, change: object): (service: Transport) => Transport {
  let isDone = false;
  return (service) => async (request: WireRequest) => {
    if (request.mark.step === step && !isDone) {
      isDone = true;
      const url = request.url.replace(/agent-profiles\/[^/]+.*$/, `agent-profiles/${profileIds.profile}`);
      const { status } = await service({ ...request, url, body: JSON.stringify(change) });
      expect(status).toBe(200);
    }
    return service(request);
  };
}

const edits: readonly [setting: string, change: Record<string, unknown>][] = [
  ['description', { description: 'For invoices only: ask Kari in Oslo' }],
  ['name', { name: 'Kari in Oslo, invoices' }],
  ['extensionIds', { extensionIds: ['20000001-0000-4000-8000-0000000000aa'] }],
];

describe('what a colleague changes meanwhile is kept and named', () => {
  test('where a copy is changed in the place of the profile', async () => {
    const all = [
      ...edits,
      ...ofFlags([2], (flag) => [flag, { [flag]: true }] as const),
      ...couplings.map(({ flag, needs }) => [needs, { [needs]: false, [flag]: false }] as const),
    ];
    const change: Record<string, unknown> = Object.assign({}, ...all.map(([, one]) => one));
    const { run, profile, close } = stage({}, profileAlone, colleague('many-added', change));
    const before = await profile();
    const ended = await run(undefined, unjudged);
    expect(await profile()).toEqual({ ...before, ...change });
    for (const [setting] of all)
      expect(ended?.remarks.join()).toMatch(
        new RegExp(
          `Somebody else changed the profile ${before.id} during the run: .*${setting}.* Kept: [^.]*${setting}`,
        ),
      );
    expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
    await close();
  });

  // The description also tells that the profile is changed.
  test.each([
    ['lists-kept', edits.slice(0, 1)],
    ['restore-read', edits.slice(0, 2)],
    ['flags-off', edits],
  ])('where the profile itself is changed right before %s', async (step, own) => {
    const change: Record<string, unknown> = Object.assign({}, ...own.map(([, one]) => one));
    const { run, profile, close } = stage({}, changedItself, colleague(step, change));
    const before = await profile();
    const ended = await run();
    expect(await profile()).toEqual({ ...before, ...change });
    for (const [setting] of own)
      expect(ended?.remarks.join()).toMatch(new RegExp(`during the run: .*${setting}.* Kept: .*${setting}`));
    expect(ended?.rules.filter(({ verdict, level }) => verdict === 'violated' && level === 'MUST')).toEqual([]);
    expect(ended?.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
    await close();
  });

  test('also what is added and deleted', async () => {
    const own = { name: 'Kari', data: 'not-the-suites' };
    const { run, profile, close } = stage(
      {},
      profileAlone,
      colleague('many-added', { credentialsToAdd: [own], cookiesToDelete: [] }),
    );
    const before = await profile();
    const ended = await run(undefined, unjudged);
    expect((await profile()).credentials).toHaveLength((before.credentials as unknown[]).length + 1);
    expect(ended?.remarks.join()).toContain('Kept: credentials');
    await close();
  });

  test('also by the run that puts back what a killed one left, without its state', async () => {
    const { run, profile, close } = stage({}, changedItself);
    const before = await profile();
    await run({ how: 'kill', nth: 140, handled: true });
    const own = { credentialsToAdd: [{ name: 'Kari', data: 'not-the-suites' }] };
    await profile(undefined, own);
    await run(undefined, unjudged);
    const { credentials, ...after } = await profile();
    const { credentials: were, ...others } = before;
    expect(after).toEqual(others);
    expect((credentials as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(
      [...(were as { name: string }[]).map(({ name }) => name), 'Kari'].toSorted(),
    );
    await close();
  });
});
