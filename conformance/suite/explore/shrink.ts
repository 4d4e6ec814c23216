/** Shrinks a sequence that shows something. Pure, but for the trial that tells whether a smaller one still shows it. */

import { isFields } from '../../engine/outcome/read.js';
import { lists } from '../profiles/restorable.js';
import { type Single, type Step, singles, source, thingsIn, type Update } from './steps.js';

/**
 * The smallest sequence that was found: no step or part of a step can be left out, unless the trials ran out. `shows`
 * tries a smaller one; `trials` is the most that are tried.
 */
export async function smallestSequence(
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<boolean>,
  trials: number,
): Promise<readonly Step[]> {
  let best = steps;
  const ideas = smallerSequences(steps);
  let idea = ideas.next();
  for (let left = trials; left > 0 && !idea.done; left -= 1) {
    const candidate = idea.value;
    const isShown = await shows(candidate);
    if (isShown) best = candidate;
    idea = ideas.next(isShown);
  }
  return best;
}

/**
 * Yields smaller sequences, the boldest first: only the steps on one thing; without half of the steps; without one;
 * without a part of one. It is told whether each still shows it, and continues from the smallest that does.
 */
export function* smallerSequences(steps: readonly Step[]): Generator<readonly Step[], void, boolean> {
  let best = steps;
  for (const on of eachThing(best))
    if (yield on) {
      best = on;
      break;
    }
  for (let size = Math.ceil(best.length / 2), isSmaller = false; size >= 1; ) {
    isSmaller = false;
    // Start at the end: the steps after the fault can go at once.
    for (let end = best.length; end > 0; end -= size) {
      const rest = [...best.slice(0, Math.max(0, end - size)), ...best.slice(end)];
      if (rest.length === 0 || !(yield rest)) continue;
      best = rest;
      isSmaller = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!isSmaller) break;
  }
  for (let place = 0; place < best.length; place += 1)
    for (let isSimpler = true; isSimpler; ) {
      isSimpler = false;
      for (const simpler of simplerSteps(best[place] as Step)) {
        const candidate = best.with(place, simpler);
        if (!(yield candidate)) continue;
        best = candidate;
        isSimpler = true;
        break;
      }
    }
}

/** For each thing the steps on it, if there are others. */
function eachThing(steps: readonly Step[]): (readonly Step[])[] {
  const things = new Set(steps.flatMap(singles).flatMap(thingsIn));
  return [...things]
    .filter((thing) => thing !== source)
    .map((thing) => steps.filter((step) => singles(step).some((one) => thingsIn(one).includes(thing))))
    .filter((on) => on.length < steps.length);
}

/** The step without one of its parts. */
function simplerSteps(step: Step): Step[] {
  if (step.kind !== 'together') return simplerSingles(step);
  const fewer = step.steps.map((_, place): Step => {
    const rest = step.steps.toSpliced(place, 1);
    const [only] = rest;
    return rest.length === 1 && only ? only : { ...step, steps: rest };
  });
  return [
    ...(step.steps.length > 1 ? fewer : []),
    ...step.steps.flatMap((one, place) =>
      simplerSingles(one).map((simpler): Step => ({ ...step, steps: step.steps.with(place, simpler) })),
    ),
  ];
}

function simplerSingles(step: Single): Single[] {
  if (step.kind === 'start')
    return Object.keys(step.body)
      .filter((field) => field !== 'profileGroupId')
      .map((field) => ({ ...step, body: without(step.body, field) }));
  if (step.kind !== 'update') return [];
  return [{ kind: 'look', profile: step.profile }, ...(step.wrong ? [] : simplerUpdates(step))];
}

/** Without a field, or without one item of a list or of what it deletes. */
function simplerUpdates(step: Update): Update[] {
  const { body, gone = {} } = step;
  const fields = [...Object.keys(body), ...Object.keys(gone)];
  return [
    ...(fields.length > 1
      ? [
          ...Object.keys(body).map((field) => ({ ...step, body: without(body, field) })),
          ...Object.keys(gone).map((list) => ({ ...step, gone: without(gone, list) })),
        ]
      : []),
    ...Object.entries(body).flatMap(([field, value]) =>
      Array.isArray(value) && value.length > 1 && isFields(value[0])
        ? value.map((_, place) => ({ ...step, body: { ...body, [field]: value.toSpliced(place, 1) } }))
        : [],
    ),
    ...lists.flatMap((list) => {
      const names = gone[list] ?? [];
      return names.length > 1
        ? names.map((_, place) => ({ ...step, gone: { ...gone, [list]: names.toSpliced(place, 1) } }))
        : [];
    }),
  ];
}

const without = <Of extends object>(fields: Of, field: string): Of =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field)) as Of;
