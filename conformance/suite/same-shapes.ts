/** The objects of the contract, compared field by field: what a service adds to them says nothing of the contract's. */
import type { components } from '../../generated/types.js';
import { type Fields, isFields } from '../engine/outcome/read.js';
import { byKey } from '../engine/rule/items-by-key.js';
import { standsFor } from '../engine/rule/masked.js';
import { equal, instant, sameId, sameInstant, shows, textKey } from '../engine/rule/values.js';
import { propertiesOf } from './material/fields.js';

type Schemas = components['schemas'];
type Same = (a: unknown, b: unknown) => boolean;
/** How a field of the contract's is compared, where its format tells; else its value has to be equal. */
const byFormat: Readonly<Record<string, Same>> = { uuid: sameId, 'date-time': sameInstant };

/** How each field of a schema is compared. `own`: of those that are compared in a way of their own. */
const shapeOf = <Name extends keyof Schemas>(
  name: Name,
  own: { readonly [field in keyof Schemas[Name]]?: Same } = {},
) => {
  const fields = [...propertiesOf({ $ref: name })].map(([field, { format }]) => [
    field,
    byFormat[format ?? ''] ?? equal,
  ]);
  return { ...Object.fromEntries(fields), ...own } as Readonly<Record<string, Same>>;
};

const byShape =
  (shape: Readonly<Record<string, Same>>): Same =>
  (a, b) =>
    a === b ||
    (isFields(a) && isFields(b)
      ? Object.entries(shape).every(
          ([field, same]) => (!shows(a, field) && !shows(b, field)) || same(a[field], b[field]),
        )
      : equal(a, b));

export const sameResult = byShape(shapeOf('ExecutionResult'));

export const sameFailure = byShape(shapeOf('ScriptFailure'));

export const sameProxy = byShape(shapeOf('CustomProxy'));

/** A host, whatever its case. The dot before a domain says nothing since RFC 6265, 5.2.3. */
export const sameDomain: Same = (a, b) => equal(host(a), host(b));
const host = (domain: unknown) => (typeof domain === 'string' ? domain.toLowerCase().replace(/^\./, '') : domain);

/** Equal for cookies of the same name and domain. */
export const cookieKey = ({ domain, name }: Fields): string => `${textKey(host(domain))} ${textKey(name)}`;

const cookie = shapeOf('Cookie', {
  domain: sameDomain,
  // When it was stored says nothing of what is.
  createdAt: () => true,
});

export const sameCookie = byShape(cookie);

/** Whether a cookie that is shown is one that was given: ids and times aside, which the service may set. */
export const isCookieGiven = byShape({
  ...cookie,
  // As with the data of a credential, whether it is shown is not said.
  value: (given, one) => equal(given, one) || standsFor(one, given),
  expiry: () => true,
  id: () => true,
});

const dayMs = 86_400_000;

/** Whether a cookie lives as long as was asked: services cap what is far ahead, as browsers do, at some days from then. */
export function livesAsAsked(given: unknown, shown: unknown, answeredAt: number): boolean {
  const [asked, until] = [instant(given), instant(shown)];
  if (asked === undefined || until === undefined) return asked === until;
  return sameInstant(given, shown) || (asked - until > 2 * dayMs && until - answeredAt > 7 * dayMs);
}

/** Whether two lists have the same items, in whatever order. The same items have the same key. */
export function sameItems(
  a: readonly Fields[],
  b: readonly Fields[],
  same: Same,
  key: (item: Fields) => unknown = () => undefined,
): boolean {
  if (a === b || a.length !== b.length) return a === b;
  const left = byKey(b, key);
  return a.every((item) => {
    const group = left.get(key(item)) ?? [];
    const index = group.findIndex((other) => same(item, other));
    if (index < 0) return false;
    group.splice(index, 1);
    return true;
  });
}
