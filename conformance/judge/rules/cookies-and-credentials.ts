/** interface: PATCH agent-profiles, the lists of a profile that change item by item. */
import type { RuleId } from '../../../generated/rules.js';
import { account, changesByItself, type RefusedUpdate, type Update } from '../../evidence/profiles.js';
import type { Fields } from '../../evidence/read.js';
import { answeredAt } from '../../evidence/runs.js';
import { lasting } from '../../evidence/settings.js';
import { isCookieGiven, livesAsAsked, sameDomain } from '../../evidence/shapes.js';
import { equal, listOf, sameId, sameInstant, sameName, shows } from '../../evidence/values.js';
import type { Finding, Judge } from '../../vocabulary.js';
import { excuse, heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';
import { shown } from '../words.js';

interface List {
  readonly name: 'cookies' | 'credentials';
  readonly toAdd: string;
  readonly toDelete: string;
  /** Ids and times aside. */
  readonly same: (a: Fields, b: Fields) => boolean;
  /** Whether what is shown is what was sent. */
  readonly shows: (given: Fields, one: Fields, answeredAt: number) => boolean;
  /** Whether adding the one may put it in the place of the other. */
  readonly replaces: (a: Fields, b: Fields) => boolean;
}

export const cookies: List = {
  name: 'cookies',
  toAdd: 'cookiesToAdd',
  toDelete: 'cookiesToDelete',
  same: (a, b) =>
    isCookieGiven(a, b) && (!shows(a, 'expiry') || !shows(b, 'expiry') || sameInstant(a.expiry, b.expiry)),
  shows: (given, one, answeredAt) =>
    isCookieGiven(given, one) &&
    (!shows(given, 'expiry') || !shows(one, 'expiry') || livesAsAsked(given.expiry, one.expiry, answeredAt)),
  replaces: (a, b) => sameDomain(a.domain, b.domain) && equal(a.name, b.name),
};

export const credentials: List = {
  name: 'credentials',
  toAdd: 'credentialsToAdd',
  toDelete: 'credentialsToDelete',
  // The data may be masked, and the name kept in lower case.
  same: (a, b) => equal(a.name, b.name),
  shows: (given, one) => sameName(given.name, one.name),
  replaces: (a, b) => sameName(a.name, b.name),
};

const nameOf = ({ name }: Fields) => shown(name);
const idsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * An item of before that an update asked neither to delete nor to replace, and that is gone all the same. Where a list
 * changes by itself, update-is-partial speaks of it.
 */
function swept({ exchange, before, sent, profile }: Update, list: List): Fields | undefined {
  if (!before || changesByItself(before, list.name)) return undefined;
  const is = listOf(profile[list.name]);
  return lasting(listOf(before.profile[list.name]), exchange)
    .filter(({ id }) => !idsIn(sent[list.toDelete]).some((one) => sameId(one, id)))
    .filter((item) => !listOf(sent[list.toAdd]).some((one) => list.replaces(one, item)))
    .find(
      (item) =>
        !is.some((one) => {
          // Whether what is updated keeps its id is not said.
          const updated = listOf(sent.credentialsToUpdate).some(({ name }) => sameName(name, item.name));
          if (updated && sameName(one.name, item.name)) return true;
          return shows(item, 'id') && shows(one, 'id') ? sameId(item.id, one.id) : list.same(item, one);
        }),
    );
}

/** What an update did to a list was in its answer, and is undone in the next one. */
function lost(update: Update, list: List, field: string): Finding | undefined {
  const change = update.changes.find(({ cause, setting }) => cause === 'lost' && setting === list.name);
  return change && idsIn(update.before?.sent[field]).length > 0
    ? broken(change.exchanges, `${list.name} as ${field} left them still there at the next update`, 'undone')
    : undefined;
}

/** Judges the updates that were taken, and those that the suite meant to be. */
const eachOfSuite = (
  judge: (update: Update) => Finding | undefined,
  judgeRefusal: (refusal: RefusedUpdate) => Finding | undefined,
): Judge => ({
  profile(history) {
    const { updates, refusals } = account(history);
    return [
      ...updates.flatMap((update) => judge(update) ?? []),
      ...refusals.filter(({ exchange }) => meantToPass(exchange)).flatMap((refusal) => judgeRefusal(refusal) ?? []),
    ];
  },
});

const added = (list: List): Judge =>
  eachOfSuite(
    (update) => {
      const { exchange, profile, sent } = update;
      const items = listOf(sent[list.toAdd]);
      const is = listOf(profile[list.name]);
      const missing = items.find((item) => !is.some((one) => list.shows(item, one, answeredAt(exchange))));
      if (missing)
        return broken(exchange, `${nameOf(missing)} among ${list.name}`, is.map(nameOf).join(', ') || 'none');
      const other = items.length > 0 && idsIn(sent[list.toDelete]).length === 0 && swept(update, list);
      if (other) return broken(exchange, `${nameOf(other)} kept beside what is added`, 'gone');
      return lost(update, list, list.toAdd) ?? (items.length > 0 ? kept(exchange) : undefined);
    },
    ({ exchange, sent }) =>
      listOf(sent[list.toAdd]).length > 0
        ? unclear(exchange, `An update with ${list.toAdd} was answered ${heard(exchange)}, for whatever reason.`)
        : undefined,
  );

const deleted = (list: List): Judge =>
  eachOfSuite(
    (update) => {
      const { exchange, profile, before, sent } = update;
      const gone = idsIn(sent[list.toDelete]);
      const isGone = ({ id }: Fields) => gone.some((one) => sameId(one, id));
      const is = listOf(profile[list.name]);
      const was = listOf(before?.profile[list.name]);
      // Under another id it would be there all the same.
      const others = [...was.filter((item) => !isGone(item)), ...listOf(sent[list.toAdd])];
      const left = [...is, ...was].find(
        (item) =>
          isGone(item) &&
          is.some(
            (one) => sameId(one.id, item.id) || (list.same(one, item) && !others.some((two) => list.same(two, item))),
          ),
      );
      if (left) return broken(exchange, `${nameOf(left)} deleted`, 'still there');
      const other = gone.length > 0 && swept(update, list);
      if (other) return broken(exchange, `only ${gone.join(', ')} deleted`, `${nameOf(other)} gone as well`);
      return lost(update, list, list.toDelete) ?? (was.some(isGone) ? kept(exchange) : undefined);
    },
    ({ exchange, sent, before }) => {
      const known = listOf(before?.profile[list.name]);
      const gone = idsIn(sent[list.toDelete]);
      if (!before || gone.length === 0 || Object.keys(sent).length > 1) return undefined;
      if (!gone.every((id) => known.some((item) => sameId(item.id, id)))) return undefined;
      const why = excuse(exchange);
      return why === undefined
        ? broken([exchange, before.exchange], `${gone.join(', ')} deleted`, heard(exchange))
        : unclear(exchange, why);
    },
  );

/** The data that an answer showed as it had been sent; undefined where it may be masked. */
export function shownData(update: Update | undefined, name: unknown): unknown {
  if (!update) return undefined;
  const given = [...listOf(update.sent.credentialsToAdd), ...listOf(update.sent.credentialsToUpdate)].find((item) =>
    sameName(item.name, name),
  );
  if (!given) return shownData(update.before, name);
  const is = listOf(update.profile.credentials).find((item) => sameName(item.name, name));
  return is?.data === given.data ? given.data : undefined;
}

/** A credential that an update names otherwise than the profile does, and what it was. */
function renamed({ sent, before }: Update | RefusedUpdate): { item: Fields; was: Fields } | undefined {
  for (const item of listOf(sent.credentialsToUpdate)) {
    const was = listOf(before?.profile.credentials).find(({ name }) => sameName(name, item.name));
    if (was && was.name !== item.name) return { item, was };
  }
  return undefined;
}

function updated(update: Update): Finding | undefined {
  const { exchange, sent, profile, before } = update;
  const items = listOf(sent.credentialsToUpdate);
  if (!before || items.length === 0) return undefined;
  const both = [exchange, before.exchange];
  const named = (list: unknown, { name }: Fields) => listOf(list).filter((one) => sameName(one.name, name));
  for (const item of items) {
    const [was, ...others] = named(before.profile.credentials, item);
    const [now, ...more] = named(profile.credentials, item);
    if (!was) continue;
    if (more.length > others.length)
      return broken(both, `${nameOf(was)} updated, and none added`, `${more.length + 1} of that name`);
    if (now && shownData(before, item.name) !== undefined && now.data !== item.data)
      return broken(both, `${nameOf(was)} with the data sent`, 'other data');
  }
  const other = idsIn(sent.credentialsToDelete).length === 0 && swept(update, credentials);
  if (other) return broken(both, `${nameOf(other)} kept, under its id`, 'gone');
  return renamed(update) && kept(both);
}

export const cookiesAndCredentials = {
  'cookies-are-added': added(cookies),
  'cookies-are-deleted': deleted(cookies),
  'credentials-are-added': added(credentials),
  'credentials-are-deleted': deleted(credentials),

  'credentials-update-ignores-case': {
    profile(history) {
      const { updates, refusals } = account(history);
      return [
        ...updates.flatMap((update) => updated(update) ?? []),
        ...refusals.flatMap((refusal) => {
          const pair = renamed(refusal);
          const { exchange, before } = refusal;
          if (!pair || !before || !meantToPass(exchange) || excuse(exchange) !== undefined) return [];
          return broken(
            [exchange, before.exchange],
            `${nameOf(pair.was)} found as ${nameOf(pair.item)}`,
            heard(exchange),
          );
        }),
      ];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
