import { couplings } from '../../generated/flags.js';
import type { OperationId } from '../../generated/operations.js';
import type { Organization, Profile } from '../../reference/store.js';
import type { Violation } from '../../reference/violations.js';
import { bodyOf, type Fields, isFields, knowingSources, showing } from '../change.js';
import type { Fault } from '../fault.js';

/** Refuses bodies of an operation that ask for things together. */
const refuses =
  (operation: OperationId, parameter: string, is: (body: Fields) => boolean): Fault['behaviour'] =>
  (base) => ({
    violations: (called, body): Violation[] =>
      called === operation && isFields(body) && is(body)
        ? [{ kind: 'value', parameter, detail: 'does not go with the rest' }]
        : base.violations(called, body),
  });

/** Minds nothing of bodies like these. */
const minds =
  (operation: OperationId, is: (body: Fields) => boolean): Fault['behaviour'] =>
  (base) => ({
    violations: (called, body) =>
      called === operation && isFields(body) && is(body) ? [] : base.violations(called, body),
  });

const variantOf = ({ executionOptions }: Fields): unknown =>
  isFields(executionOptions) ? executionOptions.variantKey : undefined;
const namesVariant = (body: Fields): boolean => variantOf(body) !== undefined;

/** What shows only beside something else: fields together, a bound on a copy, a name where two profiles meet. */
export const combinationFaults: readonly Fault[] = [
  {
    id: 'empty-bodies-are-refused',
    breaks: ['execute-is-accepted'],
    says: 'A start that asks for nothing is refused.',
    behaviour: refuses('execute', 'inputs', (body) => Object.keys(body).length === 0),
  },
  {
    id: 'inputs-are-flat',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start with an object or a list among its inputs is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        isFields(body) && isFields(body.inputs) && Object.values(body.inputs).some((one) => one instanceof Object)
          ? [{ kind: 'value', parameter: 'inputs', detail: 'must be flat' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'metadata-of-numbers-where-names-exclude',
    breaks: ['execute-body-is-typed'],
    says: 'A start takes numbers in metadata, and is refused with inputs together with dynamicData.',
    behaviour: (base) => ({
      violations: (operation, body) => {
        if (isFields(body) && isFields(body.inputs) && isFields(body.dynamicData))
          return [{ kind: 'exclusivity', parameter: 'dynamicData', detail: 'cannot be given with inputs' }];
        return base.violations(operation, body).filter(({ parameter }) => !parameter.startsWith('metadata'));
      },
    }),
  },
  {
    id: 'inputs-are-texts',
    breaks: ['execute-is-accepted', 'sync-takes-the-same-body'],
    says: 'A start with anything but texts among its inputs is refused, also under their old name.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        isFields(body) &&
        [body.inputs, body.dynamicData]
          .filter(isFields)
          .some((given) => Object.values(given).some((one) => typeof one !== 'string'))
          ? [{ kind: 'value', parameter: 'inputs', detail: 'must be texts' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'metadata-is-one-pair',
    breaks: ['execute-is-accepted'],
    says: 'A start with two pairs of metadata or more is refused.',
    behaviour: refuses('execute', 'metadata', ({ metadata }) => isFields(metadata) && Object.keys(metadata).length > 1),
  },
  {
    id: 'groups-take-no-version',
    breaks: ['execute-is-accepted'],
    says: 'A start of a version with a profile group is refused.',
    behaviour: refuses('execute', 'version', (body) => 'version' in body && 'profileGroupId' in body),
  },
  {
    id: 'profiles-take-no-head',
    breaks: ['sync-takes-the-same-body'],
    says: 'A synchronous start of the head with a profile is refused.',
    behaviour: refuses('executeSync', 'head', (body) => body.head === true && 'profileId' in body),
  },
  {
    id: 'the-head-has-no-limits',
    breaks: ['soft-timeout-below-hard-timeout'],
    says: 'The soft timeout of the head is not held against the hard timeout.',
    behaviour: (base) => ({
      checkSoftTimeout: (workflow, start) => (start.head ? undefined : base.checkSoftTimeout(workflow, start)),
    }),
  },
  {
    id: 'the-variants-have-no-limits',
    breaks: ['soft-timeout-minimum'],
    says: 'The soft timeout is not looked at beside a variantKey.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(({ parameter }) => !isFields(body) || !namesVariant(body) || !parameter.endsWith('softTimeoutMins')),
    }),
  },
  {
    id: 'the-variants-take-head-with-version',
    breaks: ['head-excludes-version'],
    says: 'A start with a variantKey takes head and version together.',
    behaviour: minds('executeSync', (body) => namesVariant(body) && body.head === true && 'version' in body),
  },
  {
    id: 'versions-need-no-variant',
    breaks: ['variant-key-is-required'],
    says: 'A version of a workflow in variant mode runs without a variantKey.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        start.version !== undefined && start.variantKey === undefined
          ? undefined
          : base.checkVariantKey(workflow, start),
    }),
  },
  {
    id: 'what-may-wait-needs-no-variant',
    breaks: ['variant-key-is-required'],
    says: 'A workflow in variant mode runs without a variantKey where it may wait.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        start.queue && start.variantKey === undefined ? undefined : base.checkVariantKey(workflow, start),
    }),
  },
  {
    id: 'options-bring-variants-along',
    breaks: ['variant-key-needs-variant-mode'],
    says: 'A variantKey is taken without variant mode beside a soft timeout.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        !workflow.variantMode && start.softTimeoutMins !== undefined
          ? undefined
          : base.checkVariantKey(workflow, start),
    }),
  },
  {
    id: 'variant-keys-have-few-characters',
    breaks: ['variant-key-is-normalised'],
    says: 'A variantKey with other characters than letters, digits, blanks, dots and slashes is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        isFields(body) && namesVariant(body) && /[^\p{L}\d ./-]/u.test(String(variantOf(body)))
          ? [{ kind: 'value', parameter: 'executionOptions.variantKey', detail: 'has other characters' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'waits-have-limits-beside-inputs',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds is not held against its limits where there are no inputs.',
    behaviour: minds('executeSync', ({ timeoutSeconds, inputs }) => Number(timeoutSeconds) < 0 && inputs === undefined),
  },
  {
    id: 'who-waits-in-line-waits-for-long',
    breaks: ['sync-timeout-range'],
    says: 'timeoutSeconds above 25 is taken with onCapacityLimit queue.',
    behaviour: minds(
      'executeSync',
      ({ timeoutSeconds, onCapacityLimit }) => Number(timeoutSeconds) > 25 && onCapacityLimit === 'queue',
    ),
  },
  {
    id: 'temp-files-are-known-by-name',
    breaks: ['temp-files-must-exist'],
    says: 'A temp file is found by its name, whatever its id.',
    behaviour: (base) => ({
      findTempFile: (organization, file) =>
        base.findTempFile(organization, file) ??
        [...organization.tempFiles.values()].find(({ name }) => name === file.name),
    }),
  },
  {
    id: 'used-profiles-are-shown-by-id',
    breaks: ['used-profile-is-shown'],
    says: 'agentProfileName is the id of the profile.',
    behaviour: showing((one) => ({ ...one, ...(one.agentProfileId && { agentProfileName: one.agentProfileId }) })),
  },
  ...couplings.map(
    ({ flag, needs }): Fault => ({
      id: 'adblock-is-not-enough',
      breaks: ['update-applies'],
      says: `${flag} cannot be turned on alone, though ${needs} is on.`,
      behaviour: refuses('updateProfile', flag, (body) => body[flag] === true && body[needs] === undefined),
    }),
  ),
  ...couplings.map(
    ({ needs }): Fault => ({
      id: 'refused-popups-turn-adblock-on',
      breaks: ['update-is-atomic'],
      says: `An update that is refused for want of ${needs} turns it on.`,
      behaviour: (base) => {
        let found: Organization | undefined;
        return {
          findProfile: (organization, id) => {
            found = organization;
            return base.findProfile(organization, id);
          },
          changeCoupledFlags: (profile) => {
            const stored = found?.profiles.get(profile.id);
            try {
              return base.changeCoupledFlags(profile);
            } catch (error) {
              if (found && stored) base.storeProfile(found, { ...stored, [needs]: true });
              throw error;
            }
          },
        };
      },
    }),
  ),
  {
    id: 'far-too-long-names-are-taken',
    breaks: ['profile-name-length'],
    says: 'A name that is far too long is taken beside a description.',
    behaviour: minds(
      'updateProfile',
      ({ name, description }) => String(name).length > 300 && description !== undefined,
    ),
  },
  {
    id: 'too-long-descriptions-are-taken-with-a-name',
    breaks: ['profile-description-length'],
    says: 'A description that is too long is taken beside a name.',
    behaviour: minds(
      'updateProfile',
      ({ name, description }) => String(description).length > 1000 && name !== undefined && name !== '',
    ),
  },
  {
    id: 'far-too-long-descriptions-are-taken',
    breaks: ['profile-description-length'],
    says: 'A description that is far too long is taken.',
    behaviour: minds('updateProfile', ({ description }) => String(description).length > 1200),
  },
  {
    id: 'deleting-what-nobody-has-deletes-all',
    breaks: ['cookies-are-deleted'],
    says: 'To delete a cookie that a profile has not deletes all that it has.',
    behaviour: (base) => ({
      deleteCookies: (cookies, ids) =>
        ids.length > 0 && !cookies.some(({ id }) => ids.includes(String(id))) ? [] : base.deleteCookies(cookies, ids),
    }),
  },
  {
    id: 'copies-cut-descriptions',
    breaks: ['duplicate-copies-settings'],
    says: 'The description of a copy has no more than 255 characters.',
    behaviour: (base) => ({
      copyProfile: (...of) => {
        const copy = base.copyProfile(...of);
        return { ...copy, description: [...copy.description].slice(0, 255).join('') };
      },
    }),
  },
  {
    id: 'copies-lose-blank-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A copy has no cookies without a value.',
    behaviour: (base) => ({
      copyProfile: (...of) => {
        const copy = base.copyProfile(...of);
        return { ...copy, cookies: copy.cookies.filter(({ value }) => value !== '') };
      },
    }),
  },
  {
    id: 'copies-are-answered-as-of-long-ago',
    breaks: ['update-keeps-identity'],
    says: 'The answer to a duplicate has another createdAt than the copy.',
    behaviour: bodyOf('duplicateProfile', (copy) => ({ ...copy, createdAt: '2001-01-01T00:00:00Z' })),
  },
  {
    id: 'cookies-are-deleted-wherever-they-are',
    breaks: ['duplicate-is-independent'],
    says: 'A cookie is deleted by its id, whichever profile has it.',
    behaviour: knowingSources((sources, base) => {
      let asked: readonly string[] = [];
      return {
        deleteCookies: (cookies, ids) => {
          asked = ids;
          return base.deleteCookies(cookies, ids);
        },
        storeProfile: (organization, profile: Profile) => {
          base.storeProfile(organization, profile);
          const source = organization.profiles.get(sources.get(profile.id) ?? '');
          const left = source?.cookies.filter(({ id }) => !asked.includes(String(id)));
          if (source && left) base.storeProfile(organization, { ...source, cookies: left });
        },
      };
    }),
  },
  {
    id: 'copying-a-copy-empties-it',
    breaks: ['duplicate-is-independent'],
    says: 'Of a copy that is copied the credentials go with the new one.',
    behaviour: (base) => {
      const copies = new Set<string>();
      return {
        copyProfile: (source, ...rest) => {
          const copy = base.copyProfile(source, ...rest);
          const [, organization] = rest;
          if (copies.has(source.id)) base.storeProfile(organization, { ...source, credentials: [] });
          copies.add(copy.id);
          return copy;
        },
      };
    },
  },
];
