/** Generates the next steps of a sequence: a pure function of the model, of what the run may do, and a seed. */

import { couplings, plainFlags, words } from '../../../generated/flags.js';
import { samples } from '../../../generated/samples.js';
import type { AgentProfileUpdate, ExecuteRequest } from '../../../generated/types.js';
import type { Fields } from '../../engine/outcome/read.js';
import { type Material, wide } from '../../engine/scenario/material/material.js';
import type { List } from '../../engine/send/journal/journal.js';
import { allows } from '../../engine/settings/needs.js';
import type { Facts } from '../../engine/vocabulary.js';
import { free } from '../executions/view.js';
import { oneFlag } from '../profiles/restorable.js';
import { textBounds } from '../profiles/text-bounds.js';
import { after, type Model } from './model.js';
import { type Single, type Start, type Step, source, type Update } from './steps.js';

/** Numbers of steps that a generated sequence may have. */
const lengths = [4, 5, 6, 7, 8, 10, 12] as const;
/** More than any sequence has. So each can number the things that it makes without clashes. */
export const mostSteps = 100;

type Change = Omit<Update, 'kind' | 'profile'>;
type Make<T> = () => T;

/** A sequence; empty if nothing may be done. */
export function sequence(model: Model, facts: Facts, material: Material): Step[] {
  const steps: Step[] = [];
  // The effects of steps show only on the same thing, so most steps are on few things.
  const few = material.shuffled([...model.copies]).slice(0, material.pick([1, 2, 2, 3]));
  let now: Model = { ...model, copies: new Map(few) };
  for (let left: number = material.pick(lengths); left > 0; left -= 1) {
    const next = nextSteps(now, facts, material);
    steps.push(...next);
    now = next.reduce(after, now);
  }
  return steps;
}

/** What to do next: usually one step, or several if one alone would show nothing. */
export function nextSteps(model: Model, facts: Facts, material: Material): readonly Step[] {
  const possible = [
    ...(allows(facts.allow, 'write') && facts.profile !== undefined ? onProfiles(model, material) : []),
    ...(allows(facts.allow, 'execute') ? onExecutions(model, facts, material) : []),
    ...(allows(facts.allow, 'delete') && facts.pool !== undefined
      ? [weighed(1, () => [{ kind: 'delete again' }])]
      : []),
  ];
  const make = possible.length > 0 ? material.pick(possible.flat()) : undefined;
  return make?.() ?? [];
}

/** Repeats an option, so that it is picked more often. */
const weighed = (weight: number, make: Make<readonly Step[]>): Make<readonly Step[]>[] =>
  Array.from({ length: weight }, () => make);

function onProfiles(model: Model, material: Material): Make<readonly Step[]>[][] {
  const { pick } = bound(material);
  const copies = [...model.copies.keys()];
  const all = [source, ...copies];
  const duplicate = (count: number): readonly Single[] => {
    const profile = pick(all);
    return Array.from({ length: count }, (_, place) => ({
      kind: 'duplicate',
      profile,
      as: `copy ${model.made + 1}${place === 0 ? '' : ` (${place + 1})`}`,
    }));
  };
  const onCopies = copies.length === 0 ? [] : changing(model, material, copies);
  return [
    ...(model.copiesLeft > 0 ? [weighed(copies.length === 0 ? 20 : 3, () => duplicate(1))] : []),
    ...(model.copiesLeft > 1 ? [weighed(1, () => atOnce(duplicate(2)))] : []),
    weighed(1, () => [{ kind: 'look', profile: pick(all) }]),
    ...onCopies,
  ];
}

/** Updates of copies, one after the other and at the same time. */
function changing(model: Model, material: Material, copies: readonly string[]): Make<readonly Step[]>[][] {
  const { pick, shuffled } = bound(material);
  const update = (profile: string, change: Change): Update => ({ kind: 'update', profile, ...change });
  const change = (profile: string) =>
    shuffled(changes(model, profile, material))
      .slice(0, pick([1, 1, 1, 2, 2, 3, 4]))
      .reduce<Change>((all, make) => merged(all, make()), { body: {} });
  const several = (): readonly Step[] => {
    const profile = pick(copies);
    const parts = shuffled(changes(model, profile, material)).slice(0, pick([2, 3, 4]));
    return [...atOnce(parts.map((make) => update(profile, make()))), { kind: 'look', profile }];
  };
  const toOneName = (): readonly Step[] => {
    const [one = '', other = ''] = shuffled(copies);
    const name = { body: { name: `conformance-${model.made}` } };
    const look = (profile: string): Step => ({ kind: 'look', profile });
    return [...atOnce([update(one, name), update(other, name)]), look(one), look(other), look(one)];
  };
  const wrong = (): readonly Step[] => {
    const profile = pick(copies);
    return [update(profile, pick(wrongs)), { kind: 'look', profile }];
  };
  const taken = (): readonly Step[] => {
    const [profile = '', other = source] = shuffled(copies);
    return [update(profile, { body: {}, nameOf: pick([other, source]) })];
  };
  return [
    weighed(14, () => {
      const profile = pick(copies);
      return [update(profile, change(profile))];
    }),
    weighed(3, several),
    ...(copies.length > 1 ? [weighed(1, toOneName)] : []),
    weighed(1, wrong),
    weighed(1, taken),
  ];
}

const atOnce = (steps: readonly Single[]): readonly Step[] => [{ kind: 'together', steps }];

const tooLong = textBounds.description.maximum + 1;

const wrongs: readonly Change[] = [
  {
    body: { description: 'Never to be seen.', name: '' },
    wrong: { rule: 'profile-name-length', fault: 'a name of 0 characters' },
  },
  {
    body: { description: 'd'.repeat(tooLong), ...oneFlag(() => true) },
    wrong: { rule: 'profile-description-length', fault: `a description of ${tooLong} characters` },
  },
  {
    body: { description: 'Never to be seen.', cookiesToAdd: [{ name: 'conformance' }] },
    wrong: { rule: 'update-body-is-typed', fault: 'a cookie without its required fields' },
  },
];

/** The changes that an update may make to a copy. */
function changes(model: Model, profile: string, material: Material): Make<Change>[] {
  const { pick, shuffled } = bound(material);
  const here = model.copies.get(profile);
  const flag = () => pick([true, false]);
  const set = (body: AgentProfileUpdate): Change => ({ body: { ...body } });
  const risky = (body: AgentProfileUpdate): Change => ({ ...set(body), risky: true });
  const numbered = (list: string) =>
    Array.from({ length: pick([1, 1, 2, 3]) }, (_, place) => `conformance-${list}-${model.made}-${place + 1}`);
  const cookie = (name: string) => ({
    ...samples.Cookie.minimal,
    domain: pick(['conformance.example.com', 'other.conformance.example.com']),
    httpOnly: flag(),
    key: name,
    name,
    secure: flag(),
    value: pick(['crumbs', '', 'a=b&c', material.word()]),
    ...(flag() && { expiry: '2040-01-01T00:00:00Z' }),
  });
  const going = (list: List): Make<Change>[] =>
    here && here[list].length > 0
      ? [() => ({ body: {}, gone: { [list]: shuffled(here[list]).slice(0, pick([1, 1, 2])) } })]
      : [];
  const renewed = (): Change[] =>
    shuffled(here?.credentials ?? [])
      .slice(0, 1)
      .map((name) =>
        set({ credentialsToUpdate: [{ name: pick([name, name.toUpperCase()]), data: `renewed ${model.made}` }] }),
      );
  return [
    () => set({ name: `conformance-${model.made}` }),
    () => risky({ name: material.phrase(`conformance-${model.made} ${pick(wide)}`, 120) }),
    () => set({ description: `Changed by the conformance suite in step ${model.made}.` }),
    () => risky({ description: material.phrase(`Changed by the conformance suite (${model.made}):`, 300) }),
    ...(plainFlags.length > 0
      ? [
          () => set({ [pick(plainFlags)]: flag() }),
          () => set({ [pick(plainFlags)]: flag(), [pick(plainFlags)]: flag() }),
        ]
      : []),
    ...couplings.flatMap(({ flag: needing, needs }) => [
      () => set({ [needs]: true, [needing]: flag() }),
      () => set({ [needing]: false, [needs]: flag() }),
    ]),
    () => set({ extensionIds: [] }),
    () => set({ cookiesToAdd: numbered('cookie').map(cookie) }),
    () => set({ credentialsToAdd: numbered('credential').map((name) => ({ name, data: `of step ${model.made}` })) }),
    ...going('cookies'),
    ...going('credentials'),
    ...(here && here.credentials.length > 0 ? [() => renewed()[0] ?? set({})] : []),
    () => risky({ inboxEmailPrefix: `conformance-${model.made}` }),
    ...words.map(
      ({ field, word }) =>
        () =>
          risky({ [field]: word }),
    ),
  ];
}

/** Two changes in one update. Deleted items are not updated. */
const merged = (a: Change, b: Change): Change => ({
  body: { ...a.body, ...b.body },
  ...((a.gone || b.gone) && { gone: { ...a.gone, ...b.gone } }),
  ...((a.risky || b.risky) && { risky: true }),
});

function onExecutions(model: Model, facts: Facts, material: Material): Make<readonly Step[]>[][] {
  const { pick } = bound(material);
  const { completes } = facts.workflows;
  const { agentHardTimeoutMins: hard } = facts;
  const executionOptions = hard === undefined ? {} : { softTimeoutMins: hard - 1 };
  const entries = [...model.executions];
  const going = entries.filter(([, one]) => one.going);
  const marked = (): Fields => {
    const conformanceMarker = `sequence-${model.made}`;
    return free({ conformanceMarker, ...material.inputs() }, { conformanceMarker, ...material.metadata() });
  };
  const as = (place = 1) => `execution ${model.made + 1}${place === 1 ? '' : ` (${place})`}`;
  const start = (): Start => ({
    kind: 'start',
    operation: pick(['execute', 'execute', 'execute', 'executeSync']),
    workflow: completes ?? '',
    as: as(),
    body: {
      ...marked(),
      ...pick<Partial<ExecuteRequest>>([{}, {}, { head: true }, { executionOptions }]),
    },
    // A profile in use may be refused.
    ...(going.every(([, { profile }]) => profile === undefined) &&
      allows(facts.allow, 'write') &&
      model.copies.size > 0 &&
      pick([true, false]) && { profile: pick([...model.copies.keys()]) }),
  });
  const equal = (): readonly Step[] => {
    const body = marked();
    const one = (place: number): Start => ({
      kind: 'start',
      operation: 'execute',
      workflow: completes ?? '',
      as: as(place),
      body,
    });
    return atOnce([one(1), one(2)]);
  };
  const { capacity } = facts;
  const lastFree = (): readonly Step[] => {
    const one = (place: number): Start => ({
      kind: 'start',
      operation: 'execute',
      workflow: capacity?.workflow ?? '',
      as: as(place),
      body: { ...marked(), profileGroupId: capacity?.profileGroup },
    });
    const size = capacity?.size ?? 0;
    const holding = Array.from({ length: size - 1 }, (_, place) => one(place + 3));
    return [...holding, ...atOnce([one(1), one(2)])];
  };
  const executions = entries.map(([name]) => name);
  return [
    ...(completes !== undefined && model.executionsLeft > 0 ? [weighed(3, () => [start()])] : []),
    ...(completes !== undefined && model.executionsLeft > 1 ? [weighed(1, equal)] : []),
    ...(capacity && going.length === 0 && model.executionsLeft > capacity.size && capacity.size < 5
      ? [weighed(1, lastFree)]
      : []),
    ...(executions.length > 0
      ? [
          weighed(2, () => [{ kind: 'read', execution: pick(executions) }]),
          weighed(1, () => [{ kind: 'list', execution: pick(executions) }]),
        ]
      : []),
    ...(going.length > 0 ? [weighed(2, () => [{ kind: 'follow', execution: pick(going.map(([name]) => name)) }])] : []),
  ];
}

const bound = (material: Material) => ({
  pick: <T>(of: readonly T[]): T => material.pick(of),
  shuffled: <T>(of: readonly T[]): T[] => material.shuffled(of),
});
