import { type Complain, flags, typedUpdate } from './checks.js';
import type { Surroundings } from './starts.js';
import { type Call, copyOf, type Fields, fieldsOf, listOf, type Profile, type Value } from './state.js';

const sets = ['cookiesToAdd', 'cookiesToDelete', 'credentialsToAdd', 'credentialsToDelete', 'credentialsToUpdate'];

const textsOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
const lower = (value: Value | undefined): string => String(value).toLowerCase();

/** Updates and copies profiles. */
export class Profiles {
  readonly #of: Surroundings;
  #copies = 0;

  constructor(of: Surroundings) {
    this.#of = of;
  }

  update(profile: Profile, call: Call, complain: Complain): void {
    const { way, hooks } = this.#of;
    const before = copyOf(profile);
    try {
      this.#change(profile, call, complain);
    } catch (error) {
      Object.assign(profile, copyOf(before));
      hooks.refused(profile, call);
      throw error;
    }
    const { updatedAt: _, updates: __, ...now } = profile;
    const { updatedAt: ___, updates: ____, ...then } = before;
    if (way.touches === 'request' || JSON.stringify(now) !== JSON.stringify(then)) profile.updatedAt = call.now;
    profile.updates += 1;
    hooks.updates(profile, before, call);
  }

  #change(profile: Profile, call: Call, complain: Complain): void {
    const { way, state } = this.#of;
    const names = Object.values(way.proxyNames);
    const body = typedUpdate(call.body, [...names, 'password'], way.strictFields, complain);
    if (Object.keys(body).length === 0 && !way.emptyUpdate) complain('empty-update', 'There is nothing to change.');
    const { name, description } = body;
    if (typeof name === 'string') {
      if ([...name].length < 1) complain('out-of-bounds', 'name has 1 to 255 characters.', 'name-empty');
      if ([...name].length > 255) complain('out-of-bounds', 'name has 1 to 255 characters.', 'name');
      const taken = [...state.profiles.values()].some(
        (one) => one.id !== profile.id && one.organizationId === profile.organizationId && one.settings.name === name,
      );
      if (taken) complain('name-taken', 'There is a profile of this name.', 'name');
    }
    if (typeof description === 'string' && [...description].length > 1000) {
      complain('out-of-bounds', 'description has at most 1000 characters.', 'description');
    }
    const { settings } = profile;
    const known = [...flags, 'name', 'description', 'extensionIds', 'inboxEmailPrefix', 'proxyType', ...names];
    for (const field of [...known, 'proxyGatewayPresetId']) {
      if (body[field] !== undefined) settings[field] = copyOf(body[field]);
    }
    if (body.customProxy !== undefined) {
      const { password: _, ...shown } = fieldsOf(body.customProxy);
      settings.customProxy = copyOf(shown);
    }
    if (settings.popupBlockerActive === true && settings.adblockActive !== true) {
      complain('popup', 'popupBlockerActive requires adblock.', 'popupBlockerActive' in body ? 'popup' : 'adblock');
    }
    if (body.captchaSolverActive === true && settings[way.proxyNames.mode] !== 'managed') {
      if (way.conditional === 'refused')
        complain('wrong-type', 'captchaSolverActive needs a managed proxy.', 'captcha');
      if (way.conditional === 'ignored') settings.captchaSolverActive = false;
    }
    if (body.tracingEnabled === true) {
      if (way.conditional === 'refused') complain('forbidden', 'tracingEnabled is for admins.', 'tracing');
      if (way.conditional === 'ignored') settings.tracingEnabled = false;
    }
    if (sets.some((set) => body[set] !== undefined)) this.#changeSets(profile, body, call, complain);
  }

  #changeSets(profile: Profile, body: Fields, call: Call, complain: Complain): void {
    const { way, newId } = this.#of;
    const createdAt = way.time(call.now);
    for (const kind of ['cookies', 'credentials'] as const) {
      const gone = new Set(textsOf(body[`${kind}ToDelete`]).map(lower));
      const there = new Set(profile[kind].map((one) => lower(one.id)));
      if (way.unknownInSets === 'refused' && [...gone].some((id) => !there.has(id))) {
        complain('not-found', `There is no such id in ${kind}.`, `${kind}ToDelete`);
      }
      profile[kind] = profile[kind].filter((one) => !gone.has(lower(one.id)));
    }
    for (const { data, name } of listOf(body.credentialsToUpdate)) {
      const found = profile.credentials.filter((one) => lower(one.name) === lower(name));
      if (found.length === 0 && way.unknownInSets === 'refused') {
        complain('not-found', `There is no such credential.`, 'credentialsToUpdate');
      }
      for (const one of found) if (data !== undefined) one.data = data;
    }
    for (const { id: _, createdAt: __, ...cookie } of listOf(body.cookiesToAdd)) {
      profile.cookies.push({ ...copyOf(cookie), id: newId(), createdAt });
    }
    for (const { data, name } of listOf(body.credentialsToAdd)) {
      if (data === undefined || name === undefined) continue;
      if (profile.credentials.some((one) => lower(one.name) === lower(name))) {
        complain('name-taken', 'There is a credential of this name.', 'credentialsToAdd');
      }
      profile.credentials.push({ data, name, id: newId(), createdAt });
    }
  }

  duplicate(source: Profile, call: Call, complain: Complain): Profile {
    const { way, state, hooks, newId } = this.#of;
    const asked = call.body.organizationId;
    if (asked !== undefined && typeof asked !== 'string')
      complain('wrong-type', 'organizationId is a uuid.', 'organizationId');
    const organizationId = typeof asked === 'string' ? asked.toLowerCase() : source.organizationId;
    if (![state.organization, state.otherOrganization].includes(organizationId)) {
      complain('unknown-organization', 'There is no such organization.', 'organizationId');
    }
    this.#copies += 1;
    const fresh = (one: Fields): Fields => ({ ...copyOf(one), id: newId() });
    const copy: Profile = {
      id: newId().toLowerCase(),
      organizationId,
      createdAt: call.now,
      updatedAt: call.now,
      settings: { ...copyOf(source.settings), name: way.copyName(String(source.settings.name), this.#copies) },
      cookies: source.cookies.map(fresh),
      credentials: source.credentials.map(fresh),
      updates: 0,
      copyOf: source.id,
    };
    hooks.copies(copy, source, call);
    state.profiles.set(copy.id, copy);
    return copy;
  }
}
