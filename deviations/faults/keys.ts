/** Faults in authentication and permission. */

import { isUuid } from '../../common/values.js';
import { type OperationId, operationIds, operations } from '../../generated/operations.js';
import { Refusal } from '../../reference/errors.js';
import { executionIds, keys, organizationIds, poolIds, profileIds, workflowIds } from '../../reference/fixtures.js';
import type { Organization } from '../../reference/store.js';
import { changing, type Fields, isFields, restated, shownKey } from '../change.js';
import { breaking, type Fault } from '../fault.js';
import type { Declared } from '../variation.js';

const valid: readonly string[] = Object.values(keys);

const missing = (shown: string | null) => shown === null;
const invalid = (shown: string | null) => shown !== null && !valid.includes(shown);

/** Looks for the key in one header only, whichever the operation takes it in. */
const only =
  (header: string, of: readonly OperationId[]): Fault['behaviour'] =>
  (base) => ({
    presentedKeys: (operation, headers) =>
      of.includes(operation) ? { shown: headers.get(header), other: null } : base.presentedKeys(operation, headers),
  });

const restricted = (shown: string | null) => shown === keys.restricted;

/** With a pool that was there before the run, another client may have deleted it. */
const ownPool: Declared = { hooks: { makePool: 'make-pool' } };

/** The operations that change something. */
const changes = ['execute', 'executeSync', 'updateProfile', 'duplicateProfile', 'deletePool'] as const;

/** Performs requests with keys of this kind, but answers that the key is refused. */
const doneAndRefused =
  (operation: OperationId, status: 401 | 403, is: (shown: string | null) => boolean): Fault['behaviour'] =>
  (base) => {
    const done = new WeakSet<Headers>();
    return {
      receive: (call) => {
        const received = base.receive(call);
        if (received.operation !== operation || !is(shownKey(received))) return received;
        const headers = new Headers(received.headers);
        headers.set(operations[operation].keyHeader, keys.full);
        done.add(headers);
        return { ...received, headers };
      },
      answer: (call, answer) =>
        done.has(call.headers)
          ? { ...answer, status, body: { code: status, message: 'This key may not do that.' } }
          : base.answer(call, answer),
    };
  };

/** Lets any key of the service perform the operation. */
const mayAnyKey =
  (operation: OperationId): Fault['behaviour'] =>
  (base) => ({ mayCall: (key, called) => called === operation || base.mayCall(key, called) });

const seeded = new Set<string>(
  [executionIds, workflowIds, profileIds, poolIds].flatMap((ids) => Object.values(ids).map(String)),
);

/** Treats keys of this kind as the full key if the request is about something that exists. */
const letsInWhereItExists =
  (operation: OperationId, is: (shown: string | null) => boolean): Fault['behaviour'] =>
  (base) => {
    const there = new Set(seeded);
    return {
      presentStarted: (run, status) => {
        there.add(run.id);
        return base.presentStarted(run, status);
      },
      copyProfile: (...args) => {
        const copy = base.copyProfile(...args);
        there.add(copy.id);
        return copy;
      },
      receive: (call) => {
        const received = base.receive(call);
        const isThere = there.has(received.id);
        if (received.operation !== operation || !isThere || !is(shownKey(received))) return received;
        const headers = new Headers(received.headers);
        headers.set(operations[operation].keyHeader, keys.full);
        return { ...received, headers };
      },
    };
  };

/** Checks the permission unless the body is of this kind. */
const letsInWith = (operation: OperationId, is: (body: Fields) => boolean): Fault['behaviour'] =>
  changing('receive', (received) => {
    if (received.operation !== operation || shownKey(received) !== keys.restricted) return received;
    const headers = new Headers({ [operations[operation].keyHeader]: keys.full });
    let body: unknown;
    return {
      ...received,
      headers,
      get body() {
        return body;
      },
      // The body is set when it has been read, before anything is done.
      set body(value) {
        if (!isFields(value) || !is(value)) throw new Refusal(403, 'The API key lacks the permission.');
        body = value;
      },
    };
  });

/** Accepts keys that are nearly right. */
const takesNearKeys = (isNear: (shown: string) => boolean): Fault['behaviour'] =>
  changing('presentedKeys', (presented) => {
    const { shown, other } = presented;
    return shown !== null && shown !== '' && other === null && invalid(shown) && isNear(shown)
      ? { ...presented, shown: keys.full }
      : presented;
  });

export const keyFaults: readonly Fault[] = [
  ...breaking('missing-key-is-401', {
    'duplicateProfile-needs-no-key-where-it-exists': letsInWhereItExists('duplicateProfile', missing),
    'deletePool-needs-no-key-where-it-exists': letsInWhereItExists('deletePool', missing),
    'what-runs-is-read-by-anybody': [
      (base) => {
        const slow = new Set<string>();
        const asked = new WeakMap<Headers, string>();
        return {
          receive: (call) => {
            if (call.operation === 'getExecution') asked.set(call.headers, call.id);
            return base.receive(call);
          },
          presentedKeys: (operation, headers) =>
            slow.has(asked.get(headers) ?? '')
              ? { shown: keys.full, other: null }
              : base.presentedKeys(operation, headers),
          presentStarted: (run, status) => {
            if (run.workflow.id === workflowIds.slow) slow.add(run.id);
            return base.presentStarted(run, status);
          },
        };
      },
      'invalid-key-is-401',
    ],
    'any-token-is-as-good-as-a-key': changing('presentedKeys', (presented, _operation, headers) =>
      presented.shown === null && presented.other === null && headers.has('Authorization')
        ? { ...presented, shown: keys.full }
        : presented,
    ),
    'gone-pools-need-no-key': [
      (base) => {
        const gone = new Set<string>();
        return {
          deletePool: (organization, pool) => {
            gone.add(pool.id);
            base.deletePool(organization, pool);
          },
          answer: (call, answer) =>
            base.answer(
              call,
              call.operation === 'deletePool' && gone.has(call.id) && answer.status === 401
                ? restated(answer, 404)
                : answer,
            ),
        };
      },
      'invalid-key-is-401',
    ],
  }),
  ...breaking('invalid-key-is-401', {
    'duplicateProfile-takes-any-key-where-it-exists': letsInWhereItExists('duplicateProfile', invalid),
    'empty-keys-are-taken': letsInWhereItExists('getExecution', (shown) => shown === ''),
    'keys-are-prefixes': takesNearKeys((shown) => keys.full.startsWith(shown)),
    'keys-may-be-preceded': takesNearKeys((shown) => shown.endsWith(keys.full)),
    'keys-ignore-hyphens': takesNearKeys((shown) => shown.replaceAll('-', '') === keys.full.replaceAll('-', '')),
    'keys-ignore-blanks': takesNearKeys((shown) => shown.replaceAll(/\s/g, '') === keys.full),
    'keys-may-be-undefined': takesNearKeys((shown) => shown === 'undefined'),
    'keys-may-be-null': takesNearKeys((shown) => shown === 'null'),
    'keys-are-patterns': takesNearKeys((shown) => /^[*?%]+$/.test(shown)),
    'keys-are-put-into-queries': takesNearKeys((shown) => shown.includes("'")),
    'keys-are-uuids': takesNearKeys(isUuid),
    'keys-are-numbers': takesNearKeys((shown) => /^\d+$/.test(shown)),
    'keys-may-be-short': takesNearKeys((shown) => /^[a-z]{1,4}$/.test(shown)),
    'keys-are-parsed': takesNearKeys((shown) => /^[[{]/.test(shown)),
    'keys-may-be-hyphens': takesNearKeys((shown) => shown === '-'),
    'keys-may-be-tokens': takesNearKeys((shown) => /^bearer /i.test(shown)),
    'keys-are-lists': takesNearKeys((shown) => shown.split(',').includes(keys.full)),
    'keys-are-first-words': takesNearKeys((shown) => shown.split(' ')[0] === keys.full),
    'keys-ignore-case': takesNearKeys((shown) => shown.toLowerCase() === keys.full),
  }),
  ...breaking('insufficient-permission-is-403', {
    'duplicateProfile-needs-no-permission': mayAnyKey('duplicateProfile'),
    'deletePool-needs-no-permission': mayAnyKey('deletePool'),
    'duplicateProfile-needs-no-permission-where-it-exists': letsInWhereItExists('duplicateProfile', restricted),
    'deletePool-needs-no-permission-where-it-exists': letsInWhereItExists('deletePool', restricted),
    'empty-updates-need-no-permission': letsInWith('updateProfile', (body) => Object.keys(body).length === 0),
    'duplicating-elsewhere-needs-no-permission': letsInWith(
      'duplicateProfile',
      ({ organizationId }) => organizationId === organizationIds.other,
    ),
  }),
  ...breaking('key-is-taken-where-shown', {
    'keys-count-in-x-api-key-alone': only('X-Api-Key', operationIds),
    'keys-count-in-the-service-header-alone': only('X-Service-Agents-Api-Key', operationIds),
    'listings-take-the-key-of-readings': only('X-Service-Agents-Api-Key', ['listExecutionFiles']),
  }),
  ...changes.flatMap((operation) =>
    (
      [
        ['without-a-key', 401, missing],
        ['with-a-wrong-key', 401, invalid],
        ['without-permission', 403, restricted],
      ] as const
    ).map(
      ([id, status, is]): Fault => ({
        id: `${operation}-is-done-${id}`,
        breaks: ['key-refusal-does-nothing'],
        behaviour: doneAndRefused(operation, status, is),
        ...(operation === 'deletePool' && { declared: ownPool }),
      }),
    ),
  ),
  {
    id: 'refused-deletions-are-done',
    breaks: ['key-refusal-does-nothing'],
    declared: ownPool,
    behaviour: (base) => {
      let organization: Organization | undefined;
      return {
        selectPool: (of, id) => {
          organization = of;
          return base.selectPool(of, id);
        },
        answer: (call, answer) => {
          const pool =
            call.id === poolIds.deletable && [401, 403].includes(answer.status) && organization?.pools.get(call.id);
          if (pool && organization && call.operation === 'deletePool') base.deletePool(organization, pool);
          return base.answer(call, answer);
        },
      };
    },
  },
];
