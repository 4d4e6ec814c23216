import { type Choices, choices, sets } from './choices.js';
import { unknown } from './mistakes.js';

type Values = Record<string, string>;
const ids = Object.keys(choices) as (keyof Choices)[];
const valuesOf = (id: keyof Choices): string[] => Object.keys(choices[id].values);
const fill = (pick: (id: keyof Choices) => string | undefined): Values =>
  Object.fromEntries(ids.map((id) => [id, pick(id) ?? choices[id].default]));

/** The sets of choices by name, with all gaps filled. */
export const choiceSets: Readonly<Record<string, Choices>> = {
  ...Object.fromEntries(
    Object.entries<Partial<Choices>>(sets).map(([name, set]) => [name, fill((id) => set[id]) as Choices]),
  ),
  // A value other than the default for every gap.
  other: fill((id) => valuesOf(id).find((value) => value !== choices[id].default)) as Choices,
};

/**
 * Parses `strict`, `exclusivity-status=422,empty-update=refused`, or a set followed by exceptions: later ones win.
 * Throws an error that names what is unknown, and suggests what was likely meant.
 */
export function chooseFrom(given: string | Partial<Choices>): Choices {
  const pairs = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : Object.entries(given);
  const chosen: Values = { ...choiceSets.default };
  for (const part of pairs) {
    const [id, value] = typeof part === 'string' ? part.split('=', 2).map((word) => word.trim()) : part;
    if (id === undefined || id === '') continue;
    if (value === undefined) {
      if (!Object.hasOwn(choiceSets, id)) throw unknown('the set of choices', id, Object.keys(choiceSets));
      Object.assign(chosen, choiceSets[id]);
    } else {
      if (!Object.hasOwn(choices, id)) throw unknown('the gap', id, ids);
      const known = valuesOf(id as keyof Choices);
      if (!known.includes(value)) throw unknown(`${id}: the value`, value, known);
      chosen[id] = value;
    }
  }
  return chosen as Choices;
}
