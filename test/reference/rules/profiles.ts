import { expect } from 'vitest';
import { ofFlags } from '../../../deviations/flags.js';
import { type CouplingRule, couplings } from '../../../generated/flags.js';
import type { AgentProfile } from '../../../generated/types.js';
import { managedFlags } from '../../support/profiles.js';
import {
  cookie,
  expectRefused,
  extension,
  lasting,
  nobody,
  otherWords,
  refusesUpdates,
  settings,
  type World,
} from '../world.js';

const turnedOn = Object.fromEntries(ofFlags([4], (flag) => [flag, true]));

const shownData = (world: World, data: string) =>
  world.choices['credential-data-visible'] === 'masked' ? '********' : data;

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
};
