import type { Handlers } from '../../generated/handlers.js';
import type { AgentProfileUpdate } from '../../generated/types.js';
import { found, Refusal, refuseOn, refuseParameter } from '../errors.js';
import type { Service } from '../service.js';
import type { Profile } from '../store.js';
import type { Context } from './context.js';

/** How long a deletion takes that goes on after its answer. */
const deletionMs = 3000;

/** The operations on agent profiles and their pools. */
export function profileHandlers({ behaviour, clock, limits, newId, store }: Service) {
  const find = (profileId: string, { organization }: Context) =>
    found(behaviour.findProfile(organization, profileId), () => behaviour.profileNotFound(profileId));
  const present = (profile: Profile) => behaviour.presentProfile(profile, behaviour.inboxOf(profile));

  function changed(profile: Profile, update: AgentProfileUpdate, isAdmin: boolean): Profile {
    const now = clock.now();
    let next = behaviour.changeSettings(profile, update);
    next = behaviour.changeInbox(next, update);
    next = behaviour.changeProxy(next, update);
    next = behaviour.changeOpenFlags(next, update, isAdmin);
    next = behaviour.changeCoupledFlags(next);
    const kept = behaviour.deleteCookies(next.cookies, update.cookiesToDelete ?? []);
    const credentials = behaviour.deleteCredentials(next.credentials, update.credentialsToDelete ?? []);
    return behaviour.touch(
      {
        ...next,
        cookies: behaviour.addCookies(kept, update.cookiesToAdd ?? [], newId, now),
        credentials: behaviour.addCredentials(
          behaviour.updateCredentials(credentials, update.credentialsToUpdate ?? []),
          update.credentialsToAdd ?? [],
          newId,
          now,
        ),
      },
      now,
    );
  }

  return {
    async updateProfile({ profileId, body }, context) {
      const profile = find(profileId, context);
      refuseOn(behaviour.checkEmptyUpdate(body));
      const next = changed(profile, body, context.key.admin);
      refuseOn(behaviour.checkName(context.organization, next));
      if (Buffer.byteLength(JSON.stringify(next)) > limits.profileBytes)
        throw new Refusal(400, `A profile can have at most ${limits.profileBytes} bytes.`);
      if (Object.keys(body).length > 0) behaviour.storeProfile(context.organization, next);
      return { status: 200, body: present(Object.keys(body).length > 0 ? next : profile) };
    },

    async duplicateProfile({ profileId, body }, context) {
      const source = find(profileId, context);
      const organizationId = behaviour.targetOrganization(source, body);
      const organization = found(behaviour.findOrganization(store.organizations, context.key, organizationId), () =>
        refuseParameter(400, 'organizationId', `${organizationId} was not found`),
      );
      const names = new Set([...organization.profiles.values()].map(({ name }) => name));
      const name = behaviour.copyName(source.name, (taken) => names.has(taken));
      const copy = behaviour.copyProfile(source, name, organization, newId, clock.now());
      behaviour.storeCopy(organization, copy, limits.copies);
      return { status: behaviour.duplicateStatus(), body: present(copy) };
    },

    async deletePool({ poolId }, { organization }) {
      const pool = found(behaviour.findPool(organization, poolId), () => behaviour.poolNotFound(poolId));
      const answer = behaviour.deletedAnswer();
      const remove = () => behaviour.deletePool(organization, pool);
      if (answer.status === 202) clock.setTimeout(remove, deletionMs);
      else remove();
      return answer;
    },
  } satisfies Partial<Handlers<Context>>;
}
