import { expect } from 'vitest';
import type { AgentProfile } from '../../../generated/types.js';
import { managedFlags } from '../../support/profiles.js';
import { cookie, expectRefused, lasting, settings, type World } from '../world.js';

export const copyRules = {
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
};
