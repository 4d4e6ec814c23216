/** The sequences of an exploration: generated, sent, judged, and shrunk if they break a rule. */

import { Material } from '../../engine/scenario/material/material.js';
import { seedFor } from '../../engine/send/seeded.js';
import { allows } from '../../engine/settings/needs.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { Editor } from '../profiles/editor.js';
import { chapterOf, earlierExchanges } from './chapters.js';
import { mostSteps, sequence } from './generate.js';
import { type Model, noItems, nothing } from './model.js';
import { executionsLeft, isAffordable, type Placement, perform, type Things } from './perform.js';
import { inWords, type Step, source } from './steps.js';
import type { ViolationFinder } from './violation-finder.js';

/** At most so many sequences that break a rule in a new way are shrunk. */
const mostFindings = 6;
/** Trials to shrink one. */
const mostTrials = 60;
/** The part of its budget that an exploration may spend ahead of its turn. */
const head = 0.2;
/** The step of a reading that waits for an end. Their number depends on how long executions take. */
const poll = 'read';

export interface Tried {
  /** Requests that were sent, apart from polls and from those that shrink a sequence. */
  readonly sent: number;
  /** What breaks rules, in words. */
  readonly found: readonly string[];
}

interface Found {
  readonly steps: readonly Step[];
  readonly exchanges: readonly Exchange[];
  readonly broken: ReadonlySet<string>;
}

type Attempt = (steps: readonly Step[], where: Placement) => Promise<Found>;

/** Sends about this many requests in sequences. Of those that break a rule, only the shortest is judged. */
export async function trySequences(
  driver: Driver,
  requests: number,
  seed: number,
  oracle: ViolationFinder,
): Promise<Tried> {
  const things: Things = {
    profiles: new Map(),
    executions: new Map(),
    noop: {},
    tag: seedFor(seed, 'sequences').toString(36),
  };
  const { facts } = driver;
  if (facts.profile !== undefined && allows(facts.allow, 'write')) {
    const editor = new Editor(driver, facts.profile);
    if (!(await editor.open())) return { sent: 0, found: [] };
    things.noop = editor.noop;
    things.profiles.set(source, { id: facts.profile, now: editor.now });
  }
  // Half of the copies are kept for shrinking.
  const budget = { copies: Math.ceil(driver.budget.copiesLeft / 2), executions: executionsLeft(driver) };
  const reserved = driver.budget.copiesLeft - budget.copies;
  const brokenBefore = new Set(oracle.inRun(driver.evidence));
  const found: string[] = [];
  let number = 0;
  /** What was made and deleted so far, and how many exchanges were searched for that. */
  const ground: Exchange[] = [];
  let seen = 0;

  const attempt: Attempt = async (steps, where) => {
    number += 1;
    ground.push(...earlierExchanges(driver.sent.slice(seen)));
    seen = driver.sent.length;
    const exchanges = await perform(driver, things, steps, { number, where });
    return { steps, exchanges, broken: oracle.inSequence(chapterOf(exchanges, ground, driver.failedWaits)) };
  };

  let sent = 0;
  for (let turn = 0; sent < requests; turn += 1) {
    // Kept for later turns, so that they have copies and executions too.
    const later = Math.max(0, 1 - sent / requests - head);
    const model = modelOf(things, driver, turn * mostSteps, {
      copies: reserved + Math.floor(budget.copies * later),
      executions: Math.floor(budget.executions * later),
    });
    const steps = sequence(model, facts, new Material(seed, 'sequence', String(turn)));
    if (steps.length === 0 || isSpent(model)) break;
    const first = await attempt(steps, 'used');
    sent += first.exchanges.filter(({ mark }) => mark?.step !== poll).length;
    const fresh = [...first.broken].find((way) => !brokenBefore.has(way));
    if (fresh === undefined) continue;
    const shown = found.length < mostFindings ? await madeShorter(driver, first, fresh, attempt) : first;
    for (const way of [...first.broken, ...shown.broken]) brokenBefore.add(way);
    found.push(
      `${fresh}, in ${shown.steps.length} steps (seed ${seed}, sequence ${turn + 1}): ${numbered(shown.steps)}`,
    );
  }
  return { sent, found };
}

/**
 * The shortest sequence that breaks a rule in this way; longer ones are excluded. It is searched on new copies, so that
 * it can be repeated by itself; or on the used ones, if it needs what earlier sequences did to these.
 */
async function madeShorter(driver: Driver, first: Found, way: string, attempt: Attempt): Promise<Found> {
  let best = first;
  const shows =
    (where: Placement) =>
    async (steps: readonly Step[]): Promise<boolean> => {
      if (!isAffordable(driver, steps, where)) return false;
      const next = await attempt(steps, where);
      if (!next.broken.has(way)) return false;
      // A longer sequence is kept if it breaks rules that the shorter one does not.
      if ([...best.broken].every((one) => next.broken.has(one)))
        for (const exchange of best.exchanges) driver.exclude(exchange);
      best = next;
      return true;
    };
  const where = (await shows('new')(first.steps)) ? 'new' : 'used';
  await shortestSequence(first.steps, shows(where), mostTrials);
  return best;
}

const numbered = (steps: readonly Step[]): string =>
  steps.map((step, place) => `${place + 1}. ${inWords(step)}`).join('; ');

/** Whether no sequence could change anything any more. */
const isSpent = ({ copies, copiesLeft, executionsLeft }: Model): boolean =>
  copies.size === 0 && copiesLeft === 0 && executionsLeft === 0;

function modelOf(
  { profiles }: Things,
  driver: Driver,
  made: number,
  later: Pick<Required<Facts['budget']>, 'executions' | 'copies'>,
): Model {
  const { facts } = driver;
  const { completes } = facts.workflows;
  const mayStart = allows(facts.allow, 'execute') && (completes !== undefined || facts.capacity !== undefined);
  return {
    ...nothing,
    copies: new Map([...profiles.keys()].filter((name) => name !== source).map((name) => [name, noItems])),
    copiesLeft: profiles.size > 0 ? Math.max(0, driver.budget.copiesLeft - later.copies) : 0,
    executionsLeft: mayStart ? Math.max(0, executionsLeft(driver) - later.executions) : 0,
    made,
  };
}

/**
 * The shortest sequence that was found: no step can be left out, unless the trials ran out. First half of the steps are
 * left out, then fewer. `shows` tries a shorter one; `trials` is the most that are tried.
 */
export async function shortestSequence(
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<boolean>,
  trials: number,
): Promise<readonly Step[]> {
  let best = steps;
  let left = trials;
  for (let size = Math.ceil(best.length / 2), isShorter = false; size >= 1; ) {
    isShorter = false;
    // Start at the end: the steps after the fault can go at once.
    for (let end = best.length; end > 0; end -= size) {
      const rest = [...best.slice(0, Math.max(0, end - size)), ...best.slice(end)];
      if (rest.length === 0) continue;
      if (left === 0) return best;
      left -= 1;
      if (!(await shows(rest))) continue;
      best = rest;
      isShorter = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!isShorter) break;
  }
  return best;
}
