/** Unusual ways to update and show profiles. */

import { couplings, plainFlags } from '../../generated/flags.js';
import { samples } from '../../generated/samples.js';
import type { Deviation } from '../../reference/deviation.js';
import { Refusal, refuseParameter } from '../../reference/errors.js';
import {
  answering,
  bodyOf,
  type Fields,
  failing,
  isFields,
  isRefusal,
  keepingWrong,
  refusing,
  showingProfiles,
  type Way,
  without,
} from '../change.js';
import { behaving, type Variation } from '../variation.js';

/** How long a name that a profile gave up stays taken. */
const freeAfterMs = 1500;

/** Refuses an empty list of cookies to add, and to delete a cookie that does not exist. */
const nothingToDo: Deviation = {
  id: 'nothing-to-do',
  behaviour: (base) => ({
    ...refusing('cookiesToAdd', ({ cookiesToAdd: all }) => Array.isArray(all) && all.length === 0)(base),
    ...failing('deleteCookies', (cookies, ids) => {
      const known = cookies.map((cookie) => cookie.id);
      return ids.some((id) => !known.includes(id.toLowerCase())) && new Refusal(404, 'There is no such cookie.');
    })(base),
  }),
};

const reversed = <T>(items: readonly T[]): T[] => [...items].reverse();

const low = ({ name }: Fields): string => String(name).toLowerCase();

/** Changes how credentials show their data (gap credential-data-visible). `isNew`: this request sent it. */
const showingData = (show: (data: string, isNew: boolean) => string): Way =>
  answering((answer, { body: sent }) => {
    if (isRefusal(answer) || !isFields(answer.body) || !Array.isArray(answer.body.credentials)) return answer;
    const asked = isFields(sent) ? sent : {};
    const given = new Set(itemsOf(asked.credentialsToAdd, asked.credentialsToUpdate).map(low));
    const credentials = itemsOf(answer.body.credentials).map((one) => ({
      ...one,
      data: show(String(one.data), given.has(low(one))),
    }));
    return { ...answer, body: { ...answer.body, credentials } };
  });

/** 400 days after the beginning of the proof. */
const cap = new Date(Date.UTC(2026, 0, 1) + 400 * 86_400_000).toISOString();

const itemsOf = (...given: unknown[]): Fields[] => given.flat().filter(isFields);

export const profileVariations: readonly Variation[] = [
  ...behaving({
    'expiries-are-any-value': [keepingWrong(/expiry/), { warns: ['update-body-is-typed'] }],
    'cookies-are-any-value': [keepingWrong(/^cookiesToAdd.*\d.*\./), { warns: ['update-body-is-typed'] }],
    'flags-are-any-value': [
      keepingWrong(new RegExp(`^(?:${[...plainFlags, ...couplings.map(({ flag }) => flag)].join('|')})$`)),
      { warns: ['update-body-is-typed'] },
    ],
    'proxies-have-a-bypass': bodyOf('updateProfile', (body) =>
      isFields(body.customProxy)
        ? { ...body, customProxy: { ...body.customProxy, bypass: 'localhost', password: null } }
        : body,
    ),
    'other-orders': showingProfiles((shown) => ({
      ...shown,
      cookies: reversed(shown.cookies),
      credentials: reversed(shown.credentials),
      extensionIds: reversed(shown.extensionIds),
    })),
    'no-item-ids': showingProfiles((shown) => {
      const plain = <T extends object>(items: readonly T[]) => items.map((item) => without(item, 'id') as unknown as T);
      return { ...shown, cookies: plain(shown.cookies), credentials: plain(shown.credentials) };
    }),
    'names-put-right': () => ({
      checkName: ({ profiles }, profile) => {
        const isTaken = (name: string) =>
          [...profiles.values()].some((one) => one.name === name && one.id !== profile.id);
        const asked = [...profile.name].slice(0, 245).join('');
        let { name } = profile;
        for (let number = 2; isTaken(name); number += 1) name = `${asked} (${number})`;
        Object.assign(profile, { name });
        return undefined;
      },
    }),
  }),
  { id: 'no-updates-of-nothing', options: { choices: 'empty-update=refused', faults: [nothingToDo] } },
  ...behaving({
    'updates-need-a-name': [
      refusing('name', (body, operation) => operation === 'updateProfile' && !('name' in body)),
      { open: true, notes: [/is refused; one with only description got 400\. It may lack a required field/] },
    ],
    'prefixes-are-refused': [
      failing(
        'checkName',
        (_organization, profile) => profile.inboxEmailPrefix !== undefined && new Refusal(400, 'That is no prefix.'),
      ),
      { open: true, notes: [/^Each inboxEmailPrefix was refused, the last one with 400: "\d+"/] },
    ],
    'browsers-keep-cookies': (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          shown += 1;
          const met = { ...samples.Cookie.minimal, domain: 'met.example', key: 'met', name: 'met' };
          return shown < 4
            ? profile
            : { ...profile, cookies: [...profile.cookies, { ...met, value: shown < 8 ? 'once' : 'again' }] };
        },
      };
    },
    'prefixes-shown-to-who-sets-them': answering((answer, { body: asked }) =>
      isFields(answer.body) && !(isFields(asked) && 'inboxEmailPrefix' in asked)
        ? { ...answer, body: without(answer.body, 'inboxEmailPrefix') }
        : answer,
    ),
    'masked-cookies': showingProfiles((profile) => ({
      ...profile,
      cookies: profile.cookies.map((cookie) => ({ ...cookie, value: '••••••' })),
    })),
    'encrypted-credentials': (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          const encrypted = () => `vault:v1:${(shown++).toString(36)}`;
          return { ...profile, credentials: profile.credentials.map((one) => ({ ...one, data: encrypted() })) };
        },
      };
    },
    'no-updates-while-used': (base) => ({
      checkName: (organization, profile) =>
        organization.profilesInUse.has(profile.id)
          ? new Refusal(409, `The profile ${profile.id} is in use.`)
          : base.checkName(organization, profile),
    }),
    'names-free-again-later': (base) => {
      const left = new Map<string, number>();
      return {
        checkName: (organization, profile) => {
          const before = organization.profiles.get(profile.id)?.name;
          if (before === profile.name) return undefined;
          if (profile.updatedAt - (left.get(profile.name) ?? 0) < freeAfterMs)
            return refuseParameter(400, 'name', 'is the name of another profile');
          if (before !== undefined) left.set(before, profile.updatedAt);
          return base.checkName(organization, profile);
        },
      };
    },
    'default-prefixes-are-shown': showingProfiles((shown) => ({
      ...shown,
      inboxEmailPrefix: shown.inboxEmailPrefix ?? shown.id.slice(0, 8),
    })),
    'data-shown-once': showingData((data, isNew) => (isNew ? data : '')),
    'data-shown-in-part': showingData((data) => (data.length > 20 ? `${data.slice(0, 4)}…${data.slice(-4)}` : data)),
    'dotted-domains': showingProfiles((shown) => ({
      ...shown,
      cookies: shown.cookies.map((one) => ({ ...one, domain: `.${one.domain.replace(/^\./, '')}` })),
    })),
    'capped-expiry': showingProfiles((shown) => ({
      ...shown,
      cookies: shown.cookies.map((one) =>
        one.expiry !== undefined && Date.parse(one.expiry) > Date.parse(cap) ? { ...one, expiry: cap } : one,
      ),
    })),
    'updated-credentials-are-new': (base) => ({
      updateCredentials: (credentials, updated, ...rest) =>
        base
          .updateCredentials(credentials, updated, ...rest)
          .map((one, place) => (one === credentials[place] ? one : { ...one, id: String(one.id).replace(/^./, 'e') })),
    }),
    'cookies-are-simple': [
      refusing('body', ({ cookiesToAdd }) =>
        itemsOf(cookiesToAdd).some(
          ({ id, secure, expiry, domain, value }) =>
            id !== undefined ||
            secure === false ||
            String(expiry ?? '') > cap ||
            /\.example$/.test(String(domain)) ||
            !/^[\w-]+$/.test(String(value)),
        ),
      ),
      { untested: ['cookie-expiry-is-shown'] },
    ],
    'credentials-are-json': refusing('body', ({ credentialsToAdd, credentialsToUpdate }) =>
      itemsOf(credentialsToAdd, credentialsToUpdate).some(
        ({ data }) => typeof data === 'string' && !/^\{.*\}$/.test(data),
      ),
    ),
  }),
];
