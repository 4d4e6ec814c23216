import { type Choices, choices } from './choices.js';
import { unknown } from './mistakes.js';

type Values = Record<string, string>;
const ids = Object.keys(choices) as (keyof Choices)[];
const valuesOf = (id: keyof Choices): string[] => Object.keys(choices[id].values);
const fill = (pick: (id: keyof Choices) => string | undefined): Values =>
  Object.fromEntries(ids.map((id) => [id, pick(id) ?? choices[id].default]));

/** Sets of choices by name. Every value of a set is checked by the compiler; what a set leaves out is the default. */
const named = {
  default: {},
  lenient: {
    'queue-with-temp-files': 'taken',
    'header-names-interchangeable': 'yes',
    'key-in-both-headers': 'either',
    'unsupported-media-type': 'parsed',
    'tracing-without-admin': 'ignored',
    'managed-proxy-flags': 'taken',
    'popup-without-adblock': 'adblock-on',
    'cookie-id-sent': 'kept',
    'duplicate-inbox-prefix': 'kept',
    'pool-delete-success': '200-body',
  },
  strict: {
    'exclusivity-status': '422',
    'variant-key-status': '422',
    'unknown-workflow-status': '422',
    'queue-with-temp-files': '422',
    'key-in-both-headers': 'both',
    'auth-before-validation': 'no',
    'empty-update': 'refused',
    'unknown-request-fields': 'refused',
    'custom-proxy-request': 'refused',
    'credential-data-visible': 'masked',
    'rate-limit-headers': 'ratelimit',
  },
  minimal: {
    'standard-error-optional-fields': 'none',
    'optional-fields': 'none',
    'unstated-required-fields': 'few',
    'unnamed-profile-fields': 'none',
    'trigger-sources': 'none',
    'variant-key-slug': 'hidden',
    'custom-proxy-request': 'ignored',
    'credential-data-visible': 'masked',
  },
} as const satisfies Record<string, Partial<Choices>>;

/** Choices that go together, by the name of the set. */
export const choiceSets: Readonly<Record<string, Choices>> = {
  ...Object.fromEntries(
    Object.entries<Partial<Choices>>(named).map(([name, set]) => [name, fill((id) => set[id]) as Choices]),
  ),
  // Everywhere another answer than the default one.
  other: fill((id) => valuesOf(id).find((value) => value !== choices[id].default)) as Choices,
};

/**
 * Reads `strict`, `exclusivity-status=422,empty-update=refused`, or a set and what differs from it, the later over the
 * earlier. Throws an error that names what is unknown and what was likely meant.
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
