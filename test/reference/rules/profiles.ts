import { expect } from 'vitest';
import { ofFlags } from '../../../deviations/flags.js';
import { type CouplingRule, couplings, words } from '../../../generated/flags.js';
import { samples } from '../../../generated/samples.js';
import type { AgentProfile } from '../../../generated/types.js';
import { flags, managedFlags, setIds, setWords } from '../../support/profiles.js';
import { expectRefused, nobody, type World } from '../world.js';

const extension = '12121212-0000-4000-8000-000000000000';
const cookie = samples.Cookie.minimal;
const settings = {
  name: 'Changed',
  description: 'Changed.',
  ...Object.fromEntries(flags.map((flag) => [flag, true])),
  ...Object.fromEntries(couplings.map(({ flag }) => [flag, false])),
  extensionIds: [extension],
  inboxEmailPrefix: 'changed',
  ...Object.assign({}, ...setWords, ...setIds),
} as const;

const otherWords = words.map(({ field }) => ({ [field]: 'other' }));
const turnedOn = Object.fromEntries(ofFlags([4], (flag) => [flag, true]));

/** All but what every change moves. */
const lasting = ({ updatedAt: _, ...rest }: AgentProfile) => rest;
const shownData = (world: World, data: string) =>
  world.choices['credential-data-visible'] === 'masked' ? '********' : data;

async function refusesUpdates(world: World, right: object, ...wrong: unknown[]): Promise<void> {
  const { profile } = world.target;
  await world.update(profile, right);
  for (const body of wrong) expectRefused(await world.call('updateProfile', profile, { body }), 400);
}

export const profileRules = {
  'update-applies': async (world: World) => {
    const { otherProfile } = world.target;
    expect(await world.update(otherProfile, settings)).toMatchObject(settings);
    expect(await world.update(otherProfile, { description: 'Once more.' })).toMatchObject({
      ...settings,
      description: 'Once more.',
    });
    expect(await world.update(otherProfile, managedFlags)).toMatchObject(managedFlags);
  },
  'update-is-partial': async (world: World) => {
    const before = await world.profile(world.target.profile);
    for (const [field, value] of Object.entries({ name: 'Another', ...turnedOn, extensionIds: [] }))
      expect(lasting(await world.update(world.target.profile, { [field]: value }))).toEqual(
        lasting(Object.assign(before, { [field]: value })),
      );
  },
  'update-is-atomic': async (world: World) => {
    const { profile, otherProfile } = world.target;
    const taken = (await world.profile(otherProfile)).name;
    const before = await world.profile(profile);
    for (const wrong of [
      { name: taken },
      ...otherWords,
      { credentialsToUpdate: [{ name: 'nobody', data: 'x' }] },
      ...(world.choices['flag-without-another'] === 'refused'
        ? couplings.map(({ needs }) => ({ [needs]: false }))
        : []),
    ])
      expectRefused(
        await world.call('updateProfile', profile, {
          body: {
            description: 'Half done.',
            cookiesToAdd: [cookie],
            credentialsToDelete: [before.credentials[0]?.id],
            ...wrong,
          },
        }),
      );
    expect(lasting(await world.profile(profile))).toEqual(lasting(before));
  },
  'update-keeps-identity': async (world: World) => {
    const { profile } = world.target;
    const [one, two] = [await world.update(profile, { name: 'A' }), await world.update(profile, { name: 'B' })];
    for (const field of ['id', 'organizationId', 'createdAt'] as const) expect(two[field]).toBe(one[field]);
    expect(Date.parse(two.updatedAt)).toBeGreaterThan(Date.parse(one.updatedAt));
  },
  'profile-name-length': async (world: World) => {
    await refusesUpdates(world, { name: 'x' }, { name: '' }, { name: 'x'.repeat(256) });
    const characters = world.choices['text-length-unit'] === 'characters' ? 255 : 127;
    for (const name of ['x'.repeat(255), '😀'.repeat(characters)]) await world.update(world.target.profile, { name });
  },
  'profile-description-length': (world: World) =>
    refusesUpdates(world, { description: 'x'.repeat(1000) }, { description: 'x'.repeat(1001) }),
  'profile-name-is-unique': async (world: World) => {
    const { name } = await world.profile(world.target.otherProfile);
    await refusesUpdates(world, { name: `${name}2` }, { name });
    await world.update(world.target.otherProfile, { name });
  },
  ...(Object.fromEntries(
    couplings.map(({ rule, flag, needs }) => [
      rule,
      async (world: World) => {
        const { profile } = world.target;
        await world.update(profile, { [needs]: true, [flag]: true });
        const isConsistent = (shown: AgentProfile) => !shown[flag] || shown[needs];
        for (const body of [{ [needs]: false }, { [needs]: false, [flag]: true }]) {
          const answer = await world.call('updateProfile', profile, { body });
          if (world.choices['flag-without-another'] === 'refused') expectRefused(answer, 400);
          else expect(isConsistent(answer.body)).toBe(true);
          expect(isConsistent(await world.profile(profile))).toBe(true);
        }
        const off = { [needs]: false, [flag]: false };
        expect(await world.update(profile, off)).toMatchObject(off);
      },
    ]),
  ) as Record<CouplingRule, (world: World) => Promise<void>>),
  'update-body-is-typed': async (world: World) => {
    await refusesUpdates(
      world,
      { description: 'x' },
      ...flags.map((flag) => ({ [flag]: 'yes' })),
      { extensionIds: ['x'] },
      ...otherWords,
      { cookiesToAdd: [{ ...cookie, domain: undefined }] },
      { cookiesToDelete: ['x'] },
      { credentialsToAdd: [{ name: 'x' }] },
      { name: null },
      [],
    );
    expectRefused(await world.call('updateProfile', world.target.profile, { raw: '{"name":' }), 400);
  },
  'cookies-are-added': async (world: World) => {
    const before = await world.profile(world.target.profile);
    const full = { ...cookie, expiry: '2030-01-01T00:00:00Z', id: extension };
    const { cookies } = await world.update(world.target.profile, { cookiesToAdd: [cookie, full] });
    expect(cookies).toMatchObject([...before.cookies, cookie, { ...cookie, expiry: full.expiry }]);
    expect(cookies.at(-1)?.id === extension).toBe(world.choices['cookie-id-sent'] === 'kept');
    expect(new Set(cookies.map(({ id }) => id)).size).toBe(cookies.length);
  },
  'cookie-expiry-is-shown': async (world: World) => {
    const expiry = '2030-01-01T00:00:00Z';
    const { cookies } = await world.update(world.target.profile, { cookiesToAdd: [{ ...cookie, expiry }, cookie] });
    expect(cookies.slice(-2).map((one) => one.expiry)).toEqual([expiry, undefined]);
  },
  'cookies-are-deleted': async (world: World) => {
    const { profile } = world.target;
    const { cookies } = await world.update(profile, { cookiesToAdd: [cookie, { ...cookie, name: 'm' }] });
    const [, gone] = cookies;
    expect((await world.update(profile, { cookiesToDelete: [gone?.id, nobody] })).cookies).toEqual(
      cookies.filter((other) => other !== gone),
    );
  },
  'credentials-are-added': async (world: World) => {
    const { credentials } = await world.update(world.target.profile, {
      credentialsToAdd: [{ name: 'Mail', data: 'secret' }],
    });
    expect(credentials).toHaveLength(2);
    expect(credentials.at(-1)).toMatchObject({
      name: world.choices['stored-normalised'] === 'texts' ? 'mail' : 'Mail',
      data: shownData(world, 'secret'),
    });
  },
  'credentials-are-deleted': async (world: World) => {
    const { profile } = world.target;
    const { credentials } = await world.update(profile, { credentialsToAdd: [{ name: 'Mail', data: 'x' }] });
    expect((await world.update(profile, { credentialsToDelete: [credentials[0]?.id] })).credentials).toEqual(
      credentials.slice(1),
    );
  },
  'credentials-update-ignores-case': async (world: World) => {
    const { profile } = world.target;
    const { credentials } = await world.update(profile, { credentialsToAdd: [{ name: 'Mail', data: 'old' }] });
    const updated = await world.update(profile, { credentialsToUpdate: [{ name: 'mAIL', data: 'new' }] });
    expect(updated.credentials).toEqual(
      credentials.map((credential) =>
        credential.name === 'Mail' ? { ...credential, data: shownData(world, 'new') } : credential,
      ),
    );
    const body = { credentialsToUpdate: [{ name: 'nobody', data: 'x' }] };
    expectRefused(await world.call('updateProfile', profile, { body }), 400);
  },
  'proxy-password-is-hidden': async (world: World) => {
    const { profile } = world.target;
    const proxy = { server: 'proxy.example.com:3128', username: 'nordwind' };
    expect((await world.update(profile, { description: '' })).customProxy).toEqual(proxy);
    expect((await world.duplicate(profile)).customProxy).toEqual(proxy);
    const answer = await world.call('updateProfile', profile, {
      body: { customProxy: { server: 's', username: 'u', password: 'hush' } },
    });
    expect(answer.text).not.toContain('hush');
  },
  'inbox-default-prefix': async (world: World) => {
    for (const { id, inboxEmail, inboxEmailPrefix } of [
      await world.update(world.target.profile, { description: 'x' }),
      await world.duplicate(world.target.profile),
    ]) {
      expect(inboxEmailPrefix).toBeUndefined();
      expect(inboxEmail).toBe(`${id.slice(0, 8)}@inbox.example.com`);
    }
  },
  'inbox-custom-prefix': async (world: World) => {
    const { profile } = world.target;
    const own = await world.update(profile, { inboxEmailPrefix: 'nordwind' });
    expect([own.inboxEmailPrefix, own.inboxEmail]).toEqual(['nordwind', 'nordwind@inbox.example.com']);
    const unset = await world.update(profile, { inboxEmailPrefix: '' });
    expect([unset.inboxEmailPrefix, unset.inboxEmail]).toEqual([undefined, `${profile.slice(0, 8)}@inbox.example.com`]);
  },
  'unknown-profile-is-404': async ({ call }: World) => {
    expectRefused(await call('updateProfile', nobody, { body: { name: 'x' } }), 404);
    expectRefused(await call('duplicateProfile', nobody), 404);
  },

  'duplicate-is-new': async (world: World) => {
    const { profile } = world.target;
    const copies = [await world.duplicate(profile), await world.duplicate(profile)];
    expect(new Set([profile, ...copies.map(({ id }) => id)]).size).toBe(3);
  },
  'duplicate-is-independent': async (world: World) => {
    const { profile } = world.target;
    const before = await world.profile(profile);
    const copy = await world.duplicate(profile);
    expect(copy.id).not.toBe(profile);
    await world.update(copy.id, { description: 'Of the copy.', cookiesToDelete: copy.cookies.map(({ id }) => id) });
    expect(lasting(await world.profile(profile))).toEqual(lasting(before));
  },
  'duplicate-copies-settings': async (world: World) => {
    const { otherProfile } = world.target;
    const source = await world.update(otherProfile, { ...settings, ...managedFlags });
    const strip = (profile: AgentProfile) => {
      const { id: _, name, createdAt, updatedAt, inboxEmail, inboxEmailPrefix, ...rest } = profile;
      return rest;
    };
    expect(strip(await world.duplicate(otherProfile))).toEqual(strip(source));
  },
  'duplicate-copies-cookies': async (world: World) => {
    const strip = ({ cookies }: AgentProfile) => cookies.map(({ id: _, ...rest }) => rest);
    const source = await world.update(world.target.profile, { cookiesToAdd: [cookie] });
    const copy = await world.duplicate(world.target.profile);
    expect(strip(copy)).toEqual(strip(source));
    for (const { id } of copy.cookies) expect(source.cookies.some((other) => other.id === id)).toBe(false);
  },
  'duplicate-copies-credentials': async (world: World) => {
    const strip = ({ credentials }: AgentProfile) => credentials.map(({ id: _, ...rest }) => rest);
    const source = await world.update(world.target.profile, { credentialsToAdd: [{ name: 'Mail', data: 'x' }] });
    expect(strip(await world.duplicate(world.target.profile))).toEqual(strip(source));
  },
  'duplicate-name-is-unique': async (world: World) => {
    const { profile } = world.target;
    await world.update(profile, { name: 'x'.repeat(255) });
    const names = [];
    for (let number = 0; number < 3; number++) names.push((await world.duplicate(profile)).name);
    expect(new Set([...names, 'x'.repeat(255)]).size).toBe(4);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(255);
  },
  'duplicate-stays-in-organization': async (world: World) => {
    const { organizationId } = await world.update(world.target.profile, { description: '' });
    for (const body of [undefined, {}])
      expect((await world.duplicate(world.target.profile, body)).organizationId).toBe(organizationId);
    const empty = await world.call('duplicateProfile', world.target.profile, { raw: '' });
    expect(empty.body.organizationId).toBe(organizationId);
  },
  'duplicate-into-organization': async (world: World) => {
    const { profile, otherOrganization } = world.target;
    const copy = await world.duplicate(profile, { organizationId: otherOrganization });
    expect(copy.organizationId).toBe(otherOrganization);
    expectRefused(await world.call('updateProfile', copy.id, { body: { name: 'x' } }), 404);
  },
  'duplicate-into-unknown-organization': async (world: World) => {
    const { call, target } = world;
    expectRefused(await call('duplicateProfile', target.profile, { body: { organizationId: nobody } }), 400);
  },

  'pool-is-deleted': async ({ call, target }: World) => {
    expect([200, 204]).toContain((await call('deletePool', target.pool)).status);
  },
  'deleted-pool-is-gone': async ({ call, target }: World) => {
    await call('deletePool', target.pool);
    expectRefused(await call('deletePool', target.pool), 404);
  },
  'deleted-pool-cannot-run': async ({ call, clock, target }: World) => {
    const ask = { body: { profileGroupId: target.pool } };
    expect((await call('execute', target.workflows.completes, ask)).status).toBe(202);
    await clock.advance(500);
    await call('deletePool', target.pool);
    expectRefused(await call('execute', target.workflows.completes, ask));
  },
  'unknown-pool-is-404': async ({ call }: World) => expectRefused(await call('deletePool', nobody), 404),
};
