/** Sends the steps of a sequence, with the ids of the things that they name. */
import { plainFlags } from '../../../generated/flags.js';
import { isTerminal } from '../../../generated/lifecycle.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, refused, startedId } from '../../engine/outcome/read.js';
import { asText, idsOf, listOf, sameName } from '../../engine/rule/values.js';
import type { List } from '../../engine/send/journal/journal.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { isNew } from '../copies/separate-copies.js';
import { allOrThrow, type Driver } from '../driver.js';
import { isItemOfSuite } from '../profiles/plain-items.js';
import { lists } from '../profiles/restorable.js';
import { coupledFlags } from '../profiles/settings.js';
import { type Single, type Start, type Step, singles, source, thingsIn, type Update } from './steps.js';

/** How often an update is sent again if its answer is lost. */
const mostLost = 3;

/** The profiles and executions of an exploration, by the names that steps use for them. */
export interface Things {
  readonly profiles: Map<string, { readonly id: string; now: Fields }>;
  readonly executions: Map<string, string>;
  /** An update that changes nothing, and that the service accepts. */
  noop: Fields;
  /** Makes the names that it gives different from those of other runs. */
  readonly tag: string;
}

/** Kept for odd requests, which come after sequences and may start executions too. */
const spare = 4;
export const executionsLeft = (driver: Driver): number => Math.max(0, driver.budget.executionsLeft - spare);

/** Sequences run on the copies as earlier sequences left them, or on new ones. */
export type Placement = 'used' | 'new';

/** Whether the budget has enough copies and executions for the steps. */
export function isAffordable(driver: Driver, steps: readonly Step[], where: Placement): boolean {
  const all = steps.flatMap(singles);
  const count = (kind: Single['kind']) => all.filter((one) => one.kind === kind).length;
  const renewed = where === 'new' ? copiesIn(steps).length : 0;
  return count('duplicate') + renewed <= driver.budget.copiesLeft && count('start') <= executionsLeft(driver);
}

/**
 * Sends the steps one after the other, and resolves to all their exchanges. Reads their profiles first. At the end,
 * follows executions to their ends, and resets the copies.
 */
export async function perform(
  driver: Driver,
  things: Things,
  steps: readonly Step[],
  { number, where }: { readonly number: number; readonly where: Placement },
): Promise<readonly Exchange[]> {
  const from = driver.sent.length;
  driver.sequence = number;
  try {
    if (where === 'new')
      for (const as of copiesIn(steps)) await single(driver, things, { kind: 'duplicate', profile: source, as }, {});
    for (const profile of profilesIn(steps)) await single(driver, things, { kind: 'look', profile }, {});
    for (const step of steps) await one(driver, things, step);
    for (const id of startedBy(steps, things))
      if (!driver.executions.hasEnded(id)) await driver.follow(id, 'the end', isTerminal);
    for (const profile of updatedIn(steps)) await clear(driver, things, profile);
  } finally {
    driver.sequence = undefined;
  }
  return driver.sent.slice(from).filter(({ mark }) => mark?.sequence === number);
}

/** The profiles that exist before the steps. */
function profilesIn(steps: readonly Step[]): string[] {
  const made = steps.flatMap(singles).flatMap((step) => ('as' in step ? step.as : []));
  return profilesAfter(steps).filter((name) => !made.includes(name));
}

const updatedIn = (steps: readonly Step[]): Set<string> =>
  new Set(steps.flatMap(singles).flatMap((step) => (step.kind === 'update' ? step.profile : [])));

/** The profiles that exist after the steps. */
const profilesAfter = (steps: readonly Step[]): string[] => {
  const named = steps.flatMap(singles).flatMap((step) => {
    if ('execution' in step) return [];
    return step.kind === 'start' ? (step.profile ?? []) : thingsIn(step);
  });
  return [...new Set(named)];
};

const copiesIn = (steps: readonly Step[]): string[] => profilesIn(steps).filter((name) => name !== source);

const startedBy = (steps: readonly Step[], things: Things): string[] =>
  steps.flatMap(singles).flatMap((step) => (step.kind === 'start' ? (things.executions.get(step.as) ?? []) : []));

/** Settings of a copy that can be reset to those of its source. */
const settings = [...plainFlags, ...coupledFlags, 'description', 'extensionIds'];

/** Reads a copy, and resets it, so that the next steps on it begin as on a new one. */
async function clear(driver: Driver, things: Things, profile: string): Promise<void> {
  await send(driver, things, profile, { step: 'look', body: things.noop });
  const now = things.profiles.get(profile)?.now ?? {};
  const original = things.profiles.get(source)?.now ?? {};
  const items = lists.flatMap((list): [string, unknown][] => {
    const ids = idsOf(listOf(now[list]).filter(isItemOfSuite));
    return ids.length > 0 ? [[`${list}ToDelete`, ids]] : [];
  });
  const body = settings.flatMap((field): [string, unknown][] => (field in original ? [[field, original[field]]] : []));
  await send(driver, things, profile, { step: 'clear', body: Object.fromEntries([...body, ...items]) });
}

/** A service may let only one update at a time through. */
type AtOnce = { readonly unjudged?: true; readonly withoutSpacing?: true };

async function one(driver: Driver, things: Things, step: Step): Promise<void> {
  if (step.kind === 'together')
    await allOrThrow(step.steps.map((each) => single(driver, things, each, { unjudged: true, withoutSpacing: true })));
  else await single(driver, things, step, {});
}

/** Sends a step. A step on something that could not be made is skipped. */
async function single(driver: Driver, things: Things, step: Single, more: AtOnce): Promise<void> {
  switch (step.kind) {
    case 'look':
      return send(driver, things, step.profile, { step: 'look', body: things.noop, ...more });
    case 'update':
      return update(driver, things, step, more);
    case 'duplicate': {
      const from = things.profiles.get(step.profile);
      if (from === undefined || driver.budget.copiesLeft <= 0) return;
      const { id, now } = from;
      const made = await driver.send({ step: 'duplicate', operation: 'duplicateProfile', id, ...more });
      const copy = accepted(made) ? answerBody(made) : undefined;
      if (typeof copy?.id === 'string' && copy.id !== id && isNew(copy, now))
        things.profiles.set(step.as, { id: copy.id, now: copy });
      return;
    }
    case 'start':
      return start(driver, things, step, more);
    case 'delete again':
      await driver.send({ step: 'delete', operation: 'deletePool', id: driver.id(driver.facts.pool), ...more });
      return;
    case 'follow': {
      const id = things.executions.get(step.execution);
      if (id !== undefined && !driver.executions.hasEnded(id)) await driver.follow(id, 'the end', isTerminal);
      return;
    }
    default: {
      const id = things.executions.get(step.execution);
      const operation = step.kind === 'read' ? 'getExecution' : 'listExecutionFiles';
      if (id !== undefined)
        await driver.send({ step: step.kind === 'read' ? 'reading' : 'listing', operation, id, ...more });
    }
  }
}

async function send(
  driver: Driver,
  { profiles }: Things,
  profile: string,
  ask: Omit<RequestSpec, 'operation' | 'id'>,
): Promise<void> {
  const subject = profiles.get(profile);
  if (!subject) return;
  const update = () => driver.send({ operation: 'updateProfile', id: subject.id, ...ask });
  let exchange = await update();
  // An answer that is only sometimes lost says nothing. The next answer shows whether the update took effect.
  for (let again = 0; again < mostLost && isLost(exchange); again += 1) {
    driver.exclude(exchange);
    exchange = await update();
  }
  if (accepted(exchange)) subject.now = answerBody(exchange) ?? subject.now;
  // A service may refuse risky values because of limits that are not shown.
  if (ask.mayBeRefused && refused(exchange)) driver.markUnjudged(exchange);
}

async function update(driver: Driver, things: Things, step: Update, more: AtOnce): Promise<void> {
  const { wrong, risky } = step;
  const subject = things.profiles.get(step.profile);
  const body = subject && bodyOf(step, things, subject.now, `${things.tag}-${driver.sequence}`);
  if (!body) return;
  const rule = wrong ?? (step.nameOf !== undefined ? takenName : undefined);
  await send(driver, things, step.profile, {
    step: 'update',
    body,
    ...(rule && { probe: { ...rule, twins: ['explore/update'] } }),
    ...(risky && { mayBeRefused: true }),
    ...more,
  });
}

const unique = ['name', 'inboxEmailPrefix'];
const tagged = (value: unknown, tag: string): unknown => String(value).replace(/^conformance-/, `conformance-${tag}-`);

const takenName = { rule: 'profile-name-is-unique', fault: "another profile's name" } as const;

/** The body of an update; undefined if something that it names does not exist. */
function bodyOf(
  { body, gone = {}, nameOf, profile }: Update,
  things: Things,
  now: Fields,
  tag: string,
): Fields | undefined {
  const other = nameOf === undefined ? undefined : things.profiles.get(nameOf)?.now.name;
  if (nameOf !== undefined && (typeof other !== 'string' || nameOf === profile)) return undefined;
  const named = (list: List, name: string) => listOf(now[list]).filter((item) => sameName(item.name, name));
  const { credentialsToUpdate, ...rest } = body;
  const renewed = listOf(credentialsToUpdate).filter(({ name }) => named('credentials', asText(name)).length > 0);
  const deletions = lists.flatMap((list): [string, unknown][] => {
    const ids = idsOf((gone[list] ?? []).flatMap((name) => named(list, name)));
    return ids.length > 0 ? [[`${list}ToDelete`, ids]] : [];
  });
  return {
    ...rest,
    // Names must be unique: a longer sequence may already have used these.
    ...Object.fromEntries(unique.flatMap((field) => (field in rest ? [[field, tagged(rest[field], tag)]] : []))),
    ...(other !== undefined && { name: other }),
    ...(renewed.length > 0 && { credentialsToUpdate: renewed }),
    ...Object.fromEntries(deletions),
  };
}

async function start(driver: Driver, things: Things, step: Start, more: AtOnce): Promise<void> {
  const profile = step.profile === undefined ? undefined : things.profiles.get(step.profile)?.id;
  if ((step.profile !== undefined && profile === undefined) || executionsLeft(driver) <= 0) return;
  const ask = {
    step: 'start',
    operation: step.operation,
    id: step.workflow,
    body: { ...step.body, ...(profile !== undefined && { profileId: profile }) },
  };
  // The last free profile goes to one of the two.
  const isContested = more.unjudged && step.body.profileGroupId !== undefined;
  const exchange = await (isContested
    ? driver.startOnce({ ...ask, ...more, mayBeAtCapacity: true })
    : driver.start({ ...ask, ...(more.withoutSpacing && { withoutSpacing: true }) }));
  const id = startedId(exchange);
  if (id !== undefined) things.executions.set(step.as, id);
}
