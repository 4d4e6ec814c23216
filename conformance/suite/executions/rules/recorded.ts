/** What a start was given is in the execution. interface: Execution. */
import type { RuleId } from '../../../../generated/rules.js';
import { memoizeLatest } from '../../../engine/memoize.js';
import { accepted, answer, type Fields, isFields, sent } from '../../../engine/outcome/read.js';
import { type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, behindMs, precedes } from '../../../engine/outcome/when.js';
import { broken, kept } from '../../../engine/rule/findings.js';
import { sameButMasked } from '../../../engine/rule/masked.js';
import { howSpoiled } from '../../../engine/rule/spoiled.js';
import { equal, sameId, sameName, under } from '../../../engine/rule/values.js';
import { shorten, shown } from '../../../engine/rule/words.js';
import type { Evidence, Exchange, Finding, Judge, ProfileHistory, Trace } from '../../../engine/vocabulary.js';
import { account } from '../../profiles/view.js';
import { inheritedOptions, softTimeout } from '../inherited-options.js';
import { hasBegun } from '../view.js';

/** What a start gives, and where an execution shows it; undefined where they do not. */
interface Recorded {
  readonly name: string;
  readonly given: (body: Fields) => unknown;
  readonly of: (execution: Fields) => unknown;
  /** Whatever is odd about a start that was taken, this of it has one meaning. */
  readonly isPlain?: true;
}

/** What was given, and what each reading shows of it. Null stands for nothing. */
function history({ start, readings: all }: Trace, { given, of, isPlain }: Recorded) {
  const value = start && !start.mark?.probe && (isPlain || !start.mark?.odd) ? given(sent(start) ?? {}) : undefined;
  if (!start || value === undefined) return undefined;
  const seen = readings(all).map(({ exchange, execution, status }) => ({
    exchange,
    status,
    value: of(execution) ?? undefined,
  }));
  return { start, value, seen };
}

const besideSequences = ['explore', 'sweep'];

/** Whether the name of a profile changed without the run: what it was in between nobody saw. */
const isRenamed = (history: ProfileHistory): boolean =>
  account(history).updates.some(
    ({ foreign, changes }) => foreign.includes('name') || changes.some(({ setting }) => setting === 'name'),
  );

/** Executions that show a profile under a name that it was never seen to have: what the run was shown of it begins before any change. */
function namesOfOthers({ traces, profiles }: Evidence): Finding[] {
  return traces.flatMap(({ readings: all }) => {
    const wrong = readings(all).find(({ exchange, execution: { agentProfileId, agentProfileName: name } }) => {
      // What sequences named is evidence of their own: neither there nor after them all names are known.
      if (!exchange.mark || besideSequences.includes(exchange.mark.journey)) return false;
      const history = profiles.find(({ profileId }) => sameId(profileId, agentProfileId));
      if (history && isRenamed(history)) return false;
      const names = (history?.exchanges ?? []).flatMap((one) =>
        accepted(one) ? [answer(one)?.name, sent(one)?.name].filter(text) : [],
      );
      return typeof name === 'string' && names.length > 0 && !names.some((one) => sameName(one, name));
    });
    return wrong
      ? broken(wrong.exchange, 'agentProfileName, a name of the profile', shown(wrong.execution.agentProfileName))
      : [];
  });
}

/** Of pairs the first that is wrong is told, and how it came back. */
function differs(name: string, at: { exchange: Exchange; value: unknown }, start: Exchange, given: unknown): Finding {
  const back = at.value;
  const other = othersIn(back, given)[0];
  if (name === attached.name && other && pairsAreThere(back, given) && pairsAgree(back, given) !== false)
    return broken(
      [at.exchange, start],
      `no ${name} that its start did not give`,
      `${shorten(other[0], 40)}: ${shown(other[1])}`,
    );
  const wrong = pairsOf(given).find(([key, one]) => isFields(back) && !sameButMasked(under(back, key), one));
  const { required, seen } =
    wrong && isFields(back)
      ? howSpoiled(`${name}.${shorten(wrong[0], 40)}`, wrong[1], under(back, wrong[0]))
      : { required: `${name} ${shown(given)}`, seen: shown(back) };
  return broken([at.exchange, start], `${required}, as given at the start`, seen);
}

/**
 * Seen: a reading that shows what was given. Kept where every one shows it as it was given, broken where one shows it
 * otherwise, or, once a run has begun, not all of it. `agrees` is undefined where a reading shows nothing that tells.
 */
const agreement = (
  recorded: Recorded,
  agrees: (recorded: unknown, given: unknown) => boolean | undefined,
  isWhole: (recorded: unknown, given: unknown) => boolean = () => true,
): Judge => ({
  trace(trace) {
    const { start, value, seen } = history(trace, recorded) ?? {};
    if (!start || !seen) return undefined;
    // One reading after the other shows the same.
    const holds = memoizeLatest((one: unknown) => (one === undefined ? undefined : agrees(one, value)));
    const holdsAll = memoizeLatest((one: unknown) => one === undefined || isWhole(one, value));
    // Before that a service may be at it, and a replica may be behind.
    const isSettled = ({ exchange, status }: (typeof seen)[number]) =>
      (hasBegun(status) || exchange.at - answeredAt(start) >= behindMs) &&
      !seen.some(
        (later) =>
          precedes(exchange, later.exchange) &&
          later.exchange.at - exchange.at < behindMs &&
          later.value !== undefined &&
          holdsAll(later.value),
      );
    const wrong =
      seen.find((one) => holds(one.value) === false) ?? seen.find((one) => !holdsAll(one.value) && isSettled(one));
    const last = seen.findLast((one) => holds(one.value) !== undefined);
    return wrong ? differs(recorded.name, wrong, start, value) : last && kept([last.exchange, start]);
  },
});

/**
 * Seen: a reading once the run has begun (before that a service may be at it). Kept where the last one shows it, and no
 * other has lost it again; broken as well where `inQueue` and an execution that waits in the queue does not show it.
 */
const presence = (
  recorded: Recorded,
  isThere: (recorded: unknown, given: unknown) => boolean = () => true,
  { inQueue = false } = {},
): Judge => ({
  trace(trace) {
    const { start, value, seen = [] } = history(trace, recorded) ?? {};
    const isIn = memoizeLatest((one: unknown) => one !== undefined && isThere(one, value));
    const shows = (one: { readonly value: unknown }) => isIn(one.value);
    const last = seen.findLast(({ status }) => hasBegun(status));
    const isLate = ({ exchange, status }: (typeof seen)[number]) =>
      status === 'queued' && start !== undefined && exchange.at - answeredAt(start) >= behindMs;
    const waiting = inQueue ? seen.find((one) => isLate(one) && !shows(one)) : undefined;
    if (start && waiting) return differs(recorded.name, waiting, start, value);
    if (!start || !last) return undefined;
    const first = seen.find(shows);
    // A replica that is behind shows for a moment what was before.
    const isBehind = ({ exchange, status }: (typeof seen)[number]) =>
      first !== undefined &&
      exchange.at - answeredAt(first.exchange) < behindMs &&
      seen.some((one) => one.status === status && precedes(one.exchange, first.exchange));
    const lost = first && seen.find((one) => precedes(first.exchange, one.exchange) && !shows(one) && !isBehind(one));
    const wrong = lost ?? (shows(last) ? undefined : last);
    return wrong ? differs(recorded.name, wrong, start, value) : kept([last.exchange, start]);
  },
});

const filled = (value: unknown) => (isFields(value) && Object.keys(value).length > 0 ? value : undefined);
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

const inputs: Recorded = { name: 'inputs', given: (body) => filled(body.inputs), of: (execution) => execution.inputs };
const metadata: Recorded = {
  name: 'metadata',
  given: (body) => filled(body.metadata),
  of: (execution) => execution.metadata,
};
/** All that a start attached, which may be nothing. What no body tells is not known. */
const attached: Recorded = {
  ...metadata,
  given: (body) => (Object.keys(body).length > 0 ? (body.metadata ?? {}) : undefined),
};
const options: Recorded = { name: 'softTimeoutMins', given: softTimeout, of: softTimeout };
const profile: Recorded = {
  name: 'agentProfileId',
  given: ({ profileId }) => text(profileId),
  of: ({ agentProfileId }) => agentProfileId,
  isPlain: true,
};
const groupProfile: Recorded = {
  name: 'agentProfileId, a profile of the group',
  given: ({ profileGroupId }) => text(profileGroupId),
  of: ({ agentProfileId }) => agentProfileId,
};

const pairsOf = (value: unknown) => Object.entries(isFields(value) ? value : {});

/** Whether the given pairs that are shown have the values that were given. */
const pairsAgree = (pairs: unknown, value: unknown): boolean | undefined => {
  if (!isFields(pairs)) return false;
  const both = pairsOf(value).filter(([name]) => under(pairs, name) !== undefined);
  return both.length > 0 ? both.every(([name, one]) => sameButMasked(under(pairs, name), one)) : undefined;
};
const pairsAreThere = (pairs: unknown, value: unknown): boolean =>
  isFields(pairs) && pairsOf(value).every(([name, one]) => one === null || under(pairs, name) !== undefined);

const optionsAreThere = presence(options, equal);
const showsOptions = ({ execution }: Reading): boolean => isFields(execution.executionOptions);

/** Pairs that were not given. */
const othersIn = (pairs: unknown, value: unknown) =>
  pairsOf(pairs).filter(([name, one]) => one !== null && under(isFields(value) ? value : {}, name) === undefined);

export const recorded = {
  'inputs-are-recorded': agreement(inputs, pairsAgree),
  'inputs-are-shown': presence(inputs, pairsAreThere),
  'metadata-is-recorded': agreement(
    attached,
    pairsAgree,
    (pairs, value) => pairsAreThere(pairs, value) && othersIn(pairs, value).length === 0,
  ),
  'metadata-is-shown': presence(metadata, isFields, { inQueue: true }),
  /**
   * Seen: a start with options, and its execution. Kept where that shows them, broken where it shows others. executionOptions
   * are optional: of a service that never shows them nothing is said.
   */
  'options-are-recorded': {
    trace: (trace, facts) => (readings(trace.readings).some(showsOptions) ? optionsAreThere.trace?.(trace, facts) : []),
    run: (evidence, facts) => [
      ...(evidence.traces.some(({ readings: all }) => readings(all).some(showsOptions))
        ? evidence.traces
            .filter(({ readings: all }) => !readings(all).some(showsOptions))
            .flatMap((trace) => optionsAreThere.trace?.(trace, facts) ?? [])
        : []),
      ...inheritedOptions(evidence),
    ],
  },
  'profile-is-recorded': agreement(profile, sameId),
  'used-profile-is-shown': { ...presence(profile), run: namesOfOthers },
  // A group is no profile.
  'group-profile-is-recorded': presence(groupProfile, (profileId, groupId) => !sameId(profileId, groupId)),
} satisfies Partial<Record<RuleId, Judge>>;
