/** interface: POST duplicate. */
import type { RuleId } from '../../../generated/rules.js';
import { saysTheSame } from '../../engine/outcome/alike.js';
import { isMeantToPass } from '../../engine/outcome/expected.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, answer, declined, type Fields, isStart, refused, sent, status } from '../../engine/outcome/read.js';
import { answeredAt, behindMs, precedes } from '../../engine/outcome/when.js';
import { broken, kept, notTaken } from '../../engine/rule/findings.js';
import { probesOf } from '../../engine/rule/probes.js';
import { isUuid, listOf, sameId, shows } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Evidence, Exchange, Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import { goneItems } from '../profiles/gone-items.js';
import { isBrowsers } from '../profiles/kept-items.js';
import { cookies, credentials, type List } from '../profiles/lists.js';
import { lasting, type Setting, sameSetting, shownSettings, touches } from '../profiles/settings.js';
import { isHidden, shownData } from '../profiles/shown-data.js';
import { differingUnnamed } from '../profiles/unnamed-settings.js';
import type { Duplication } from '../profiles/update.js';
import { goneAfter } from '../profiles/vanished-profiles.js';
import { account } from '../profiles/view.js';
import { areFilledElsewhere } from '../starts/asked.js';

/** Its own are the name and the inbox; cookies and credentials have rules of their own. */
const own: readonly Setting[] = ['name', 'inboxEmail', 'inboxEmailPrefix', 'cookies', 'credentials'];
const copied = shownSettings.filter((setting) => !own.includes(setting));
/** What names things of an organization: another one may not have them. */
const organizations: readonly Setting[] = ['extensionIds', 'proxyGatewayPresetId'];

type Copied = Duplication & Required<Pick<Duplication, 'source'>>;

/** A setting that the contract does not name, known by its value, and that the copy does not have. */
const lostUnnamed = ({ copy, source }: Copied): string | undefined => differingUnnamed(source.profile, copy);

const eachCopy = (judge: (duplication: Copied, history: ProfileHistory) => Finding | undefined): Judge => ({
  profile: (history) =>
    account(history).duplications.flatMap(
      ({ source, ...rest }) => (source && judge({ ...rest, source }, history)) ?? [],
    ),
});

/** Gap: tracing-without-admin. The run's own key is an admin's where it turned tracing on before, and here it copies. */
const mayTrace = ({ exchange: copying }: Copied, history: ProfileHistory): boolean =>
  copying.mark !== undefined &&
  account(history).updates.some(
    ({ exchange, sent: asked, profile }) =>
      exchange.mark !== undefined &&
      exchange.id < copying.id &&
      asked.tracingEnabled === true &&
      profile.tracingEnabled === true,
  );

/** Whether an update was neither taken nor refused. */
const mayHaveChanged = (one: Exchange, setting: Setting): boolean =>
  one.operation === 'updateProfile' && !accepted(one) && !declined(one) && touches(sent(one) ?? {}, setting);

/** Whether a copy shows other data than its source, at once or at the first look at it, where updates show data as it was sent. */
function data({ exchange, copy, source }: Duplication, profiles: readonly ProfileHistory[]): Finding | [] {
  if (!source) return [];
  const theirs = listOf(source.profile.credentials);
  const made = { sent: {}, profile: copy, before: source };
  const isOther = (item: Fields) => {
    const others = credentials.likely(theirs, item).filter((one) => one.name === item.name && one.data !== item.data);
    const was = others.length > 0 ? shownData(source, item.name) : undefined;
    return was !== undefined && others.some((one) => one.data === was) && !isHidden(item.data, was, made);
  };
  for (const look of [exchange, ...firstLook(copy, profiles)]) {
    const differing = listOf(answer(look)?.credentials).find(isOther);
    if (differing)
      return broken(
        [...new Set([look, exchange, source.exchange])],
        `${shown(differing.name)} with the data of the source`,
        'other data',
      );
  }
  return [];
}

/** The first update of a copy, where nothing can have changed its credentials by then. */
function firstLook({ id }: Fields, profiles: readonly ProfileHistory[]): Exchange[] {
  const history = profiles.find(({ profileId }) => sameId(profileId, id));
  const [update] = history ? account(history).updates : [];
  if (!history || !update || touches(update.sent, 'credentials')) return [];
  // What was lost on the way may have changed them.
  const isLost = history.exchanges.some((one) => mayHaveChanged(one, 'credentials') && !precedes(update.exchange, one));
  return isLost ? [] : [update.exchange];
}

/** Whether the source has what the copy has, as the next look at it tells: it was changed before it was copied, or with it. */
const isAlike = (setting: Setting, { copy, next }: Duplication): boolean =>
  next !== undefined && !touches(next.sent, setting) && sameSetting(setting, next.profile[setting], copy[setting]);

/** Whether the source was seen to change by itself, or by somebody else: then nobody knows what it was when it was copied. */
const isUnsteady = (setting: Setting, history: ProfileHistory): boolean => {
  const { updates } = account(history);
  return (
    updates.at(-1)?.restless.has(setting) === true ||
    updates.some(({ foreign, copies }) => foreign.includes(setting) && copies.length === 0)
  );
};

const target = (exchange: Exchange): unknown => sent(exchange)?.organizationId ?? undefined;
const atHome = ({ copy, source }: Copied) => sameId(copy.organizationId, source.profile.organizationId);

/**
 * Seen: a copy of a profile with such items. Kept where it has each of them; broken where one is missing, one that was
 * deleted is there, or there are more.
 */
const everyItem = (kind: List): Judge =>
  eachCopy(({ exchange, copy, source, next }) => {
    const { name: list, same, likely } = kind;
    // What the source has gained or lost by the next look at it somebody else may have changed before it was copied.
    const now = next && !touches(next.sent, list) ? listOf(next.profile[list]) : undefined;
    const isThere = (item: Fields) => now && likely(now, item).some((one) => same(item, one));
    const [were, are] = [listOf(source.profile[list]), listOf(copy[list])];
    const items = lasting(were, exchange).filter((item) => !isBrowsers(source, kind, item));
    const isIn = (item: Fields) => (one: Fields) => same(item, one) && (shows(one, 'expiry') || !shows(item, 'expiry'));
    const missing = items.find((item) => !likely(are, item).some(isIn(item)) && isThere(item) !== false);
    if (missing)
      return broken([exchange, source.exchange], `${shown(missing.name)} among ${list} of the copy`, 'no such');
    const ghost = goneItems(source, kind).find(
      ({ item }) =>
        likely(are, item).some((one) => same(item, one)) && !likely(items, item).some((one) => same(item, one)),
    );
    if (ghost)
      return broken([exchange, ghost.by], `${shown(ghost.item.name)} deleted, and not in the copy`, 'there again');
    const isNew = (item: Fields) => !likely(were, item).some((one) => same(item, one));
    const [more, than] = [are.filter((item) => !(isNew(item) && isThere(item))).length, were.length];
    if (more > than && !(kind === cookies && source.mayBeBrowsed))
      return broken([exchange, source.exchange], `${than} ${list}, as in the source`, `${more} of them`);
    return items.length > 0 ? kept([exchange, source.exchange]) : undefined;
  });

/** The duplications of a profile that the suite meant to be taken, and were not. */
const failures = ({ exchanges }: ProfileHistory, elsewhere: boolean) =>
  exchanges.filter(
    (one) =>
      one.operation === 'duplicateProfile' &&
      isMeantToPass(one) &&
      !accepted(one) &&
      (target(one) !== undefined) === elsewhere,
  );

const staysHome = ({ exchange }: Duplication) => target(exchange) === undefined;

/** Whether an update gave a copy another name than it was made with, before something else. */
const isRenamed = (profiles: readonly ProfileHistory[], id: unknown, before: Exchange): boolean =>
  profiles.some(
    ({ profileId, exchanges }) =>
      sameId(profileId, id) &&
      exchanges.some((one) => accepted(one) && typeof sent(one)?.name === 'string' && one.at <= answeredAt(before)),
  );

/** A start with a copy that was refused as one with a profile that does not exist, while the copy could be updated. */
function unknownToStarts({ exchange, copy }: Duplication, evidence: Evidence): Finding | [] {
  const starts = evidence.exchanges.filter(isStart);
  const unknown = probesOf(evidence, 'execute-profile-must-exist').find((one) => sent(one)?.profileId !== undefined);
  // What is said of other refusals as well tells nothing of the profile, unless it says that something is not found.
  const isTelling = (one: Exchange) =>
    status(one) === 404 ||
    starts.some((other) => refused(other) && status(other) === status(one) && !saysTheSame(other, one));
  const start = starts.find(
    (one) =>
      sameId(sent(one)?.profileId, copy.id) &&
      // A temp file may be gone.
      sent(one)?.tempFiles === undefined &&
      areFilledElsewhere(one, starts) &&
      one.at - answeredAt(exchange) >= behindMs &&
      refused(one) &&
      outcomeOf(one).kind === 'refused' &&
      unknown !== undefined &&
      saysTheSame(one, unknown) &&
      isTelling(one),
  );
  const updates = evidence.profiles.find(({ profileId }) => sameId(profileId, copy.id))?.exchanges ?? [];
  const update = start && updates.find((one) => accepted(one) && precedes(start, one));
  return update ? broken([start, exchange, update], 'a profile that starts find as updates do') : [];
}

export const duplicates = {
  /**
   * Seen: a duplication. Kept where its answer has an id of its own; broken where that is the id of the source or of
   * another copy, where no duplication is taken, or where a start is told that there is no such profile.
   */
  'duplicate-is-new': {
    exchange(exchange) {
      if (exchange.operation !== 'duplicateProfile' || !accepted(exchange)) return undefined;
      const id = answer(exchange)?.id;
      return isUuid(id) && !sameId(id, exchange.resource)
        ? kept(exchange)
        : broken(exchange, 'a profile of another id', `id ${shown(id)}`);
    },
    profile: (history) => {
      const { duplications } = account(history);
      return duplications.flatMap(({ exchange, copy }, index) => {
        const earlier = duplications.slice(0, index).find((one) => sameId(one.copy.id, copy.id));
        return earlier ? broken([exchange, earlier.exchange], 'a new id for each copy', shown(copy.id)) : [];
      });
    },
    run(evidence) {
      const { profiles } = evidence;
      const copies = profiles.flatMap((history) => account(history).duplications);
      if (copies.length > 0) return copies.flatMap((one) => unknownToStarts(one, evidence)).slice(0, 1);
      const failing = profiles.find((history) => failures(history, false).length > 0);
      const update = failing && account(failing).updates.find(({ exchange }) => exchange.mark);
      return failing
        ? failures(failing, false)
            .slice(0, 1)
            .map((one) => notTaken(one, update?.exchange, 'a 2xx with the copy'))
        : [];
    },
  },

  // Seen: an update of a copy. Broken where it is refused, or where the source changed while copies of it were made.
  'duplicate-is-independent': {
    profile: (history) =>
      account(history).updates.flatMap((update) =>
        update.changes
          .filter(({ cause }) => cause === 'copied')
          .slice(0, 1)
          .map(({ exchanges, setting, from, to }) =>
            broken(exchanges, `${setting} ${shown(from)}, whatever became of a copy or its source`, shown(to)),
          ),
      ),
    run({ profiles, exchanges: all }) {
      const copies = profiles.flatMap((history) => account(history).duplications);
      const vanished = copies.flatMap(({ exchange }) =>
        goneAfter(exchange, all)
          .filter(({ profileId }) => sameId(profileId, exchange.resource))
          .map(({ found, missed }) =>
            broken([missed, exchange, found], 'the source still there after it was duplicated'),
          ),
      );
      const updated = profiles.flatMap(({ profileId, exchanges }) => {
        const copy = copies.find((one) => sameId(one.copy.id, profileId));
        const tried = exchanges.filter((one) => one.operation === 'updateProfile' && isMeantToPass(one));
        const update = tried.find(accepted) ?? tried[0];
        if (!copy || !update || !copy.exchange.mark) return [];
        if (accepted(update)) return kept([copy.exchange, update]);
        return notTaken(update, copy.exchange, 'a copy that can be updated');
      });
      return [...vanished.slice(0, 1), ...updated];
    },
  },

  /**
   * Seen: a copy beside its source. Kept where all settings that are shown are the same, broken at the first that is not.
   */
  'duplicate-copies-settings': eachCopy((duplication, history) => {
    const { exchange, copy, source } = duplication;
    const isHome = atHome(duplication);
    const { others } = account(history);
    const differing = copied.find(
      (setting) =>
        (isHome || !organizations.includes(setting)) &&
        !others.has(setting) &&
        !sameSetting(setting, source.profile[setting], copy[setting]) &&
        !isAlike(setting, duplication) &&
        !isUnsteady(setting, history) &&
        !(setting === 'tracingEnabled' && copy[setting] === false && !(isHome && mayTrace(duplication, history))),
    );
    const both = [exchange, source.exchange];
    const lost = differing ?? lostUnnamed(duplication);
    return lost
      ? broken(both, `${lost} ${shown(source.profile[lost])}, as in the source`, shown(copy[lost]))
      : kept(both);
  }),

  'duplicate-copies-cookies': everyItem(cookies),
  /** As of cookies; broken as well where the copy shows other data than its source did. */
  'duplicate-copies-credentials': {
    ...everyItem(credentials),
    run: ({ profiles }) =>
      profiles.flatMap((history) => account(history).duplications.flatMap((one) => data(one, profiles))),
  },

  /**
   * Seen: a copy in the organization of its source. Kept where its name is not the name of the source, broken where it is,
   * or where another copy has it.
   */
  'duplicate-name-is-unique': {
    ...eachCopy((duplication) => {
      const { exchange, copy, source } = duplication;
      if (!atHome(duplication)) return undefined;
      return copy.name === source.profile.name
        ? broken([exchange, source.exchange], `a name other than ${shown(copy.name)}, the source's`, 'the same')
        : kept([exchange, source.exchange]);
    }),
    run({ profiles }) {
      // Recorded copies may have been renamed, or be gone.
      const copies = profiles
        .flatMap((history) => account(history).duplications)
        .filter(({ exchange }) => exchange.mark);
      return copies.flatMap(({ exchange, copy }, index) => {
        const twin = copies
          .slice(0, index)
          .find(
            (one) =>
              one.copy.name === copy.name &&
              !isRenamed(profiles, one.copy.id, exchange) &&
              sameId(one.copy.organizationId, copy.organizationId) &&
              !sameId(one.copy.id, copy.id),
          );
        return twin
          ? broken([exchange, twin.exchange], `a name other than ${shown(copy.name)}, another copy's`, 'the same')
          : [];
      });
    },
  },

  /**
   * Seen: a duplication without organizationId. Kept where the copy is in the organization of the source, broken where it
   * is elsewhere, or is refused though others are taken.
   */
  'duplicate-stays-in-organization': {
    profile(history) {
      const { updates, duplications } = account(history);
      // A profile never changes its organization, so any answer tells it.
      const home = updates.find(({ profile }) => shows(profile, 'organizationId'));
      return duplications.filter(staysHome).flatMap(({ exchange, copy }) => {
        if (!home) return [];
        const { organizationId } = home.profile;
        return sameId(copy.organizationId, organizationId)
          ? kept([exchange, home.exchange])
          : broken([exchange, home.exchange], `organizationId ${shown(organizationId)}`, shown(copy.organizationId));
      });
    },
    run({ profiles }) {
      const copies = profiles.flatMap((history) => account(history).duplications);
      const isHome = ({ exchange, source }: Duplication) => sameId(target(exchange), source?.profile.organizationId);
      const peer = copies.find(staysHome) ?? copies.find(isHome);
      return profiles
        .filter((history) => peer && account(history).updates.length > 0)
        .flatMap((history) => failures(history, false))
        .map((one) =>
          notTaken(one, peer?.exchange, 'a copy, as other requests without organizationId have, or with the same'),
        );
    },
  },

  /**
   * Seen: a duplication with organizationId. Kept where the copy is there, broken where it is elsewhere, or is refused
   * though one at home is taken.
   */
  'duplicate-into-organization': {
    exchange(exchange) {
      const wanted = target(exchange);
      const copy = exchange.operation === 'duplicateProfile' && accepted(exchange) ? answer(exchange) : undefined;
      if (!copy || wanted === undefined || exchange.mark?.probe) return undefined;
      return sameId(copy.organizationId, wanted)
        ? kept(exchange)
        : broken(exchange, `organizationId ${shown(wanted)}`, shown(copy.organizationId));
    },
    run({ profiles }) {
      const peer = profiles.flatMap((history) => account(history).duplications).find(staysHome);
      return profiles
        .flatMap((history) => failures(history, true))
        .map((one) => notTaken(one, peer?.exchange, 'a copy in the organization'));
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
