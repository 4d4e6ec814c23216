/** The starts that must be refused: each makes one fault in a body that was accepted. */

import { isUuid } from '../../../common/values.js';
import type { OperationId } from '../../../generated/operations.js';
import type { GapId, RuleId } from '../../../generated/rules.js';
import { type Fields, isFields, isWaitingStart } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { itemsOf, sameId } from '../../engine/rule/values.js';
import type { Driver } from '../driver.js';
import { freeFields, groupOf, ifFull, roomField } from '../executions/view.js';
import { invalidBodies, someOfEach } from '../invalid-bodies.js';
import { leastSoftTimeoutMins, leastWaitSeconds, longestWaitSeconds } from '../operations.js';
import { alternativesOf } from './asked.js';
import { startOperations } from './requests.js';

interface Refusal {
  rule: RuleId;
  slug: string;
  fault: string;
  /** Fields that replace those of the accepted request; `undefined` leaves one out. */
  change?: Fields;
  raw?: string;
  /** Sends only the change: with other fields it may be refused because of those. */
  alone?: boolean;
  observes?: GapId[];
}

const belowLeast = leastSoftTimeoutMins - 1;
/** Of the wait, the values next to those that are allowed. */
const nearest = [leastWaitSeconds - 1, longestWaitSeconds + 1] as const;

export function refusedStarts(driver: Driver, operation: (typeof startOperations)[number]): Refusal[] {
  const { publishedVersion = 1, profile, tempFile, agentHardTimeoutMins: hard, capacity } = driver.facts;
  /** Prefer the group that the suite fills: a start that is wrongly accepted, and holds a profile, is noticed there. */
  const room = capacity?.profileGroup ?? driver.facts.profileGroup;
  const profileGroup = driver.facts.profileGroup ?? room;
  const sync = isWaitingStart({ operation });
  /** One of the two operations also asks to queue: the fault must be refused then too. */
  const queue = sync ? ifFull('queue') : {};
  /** Picks another wrong value for each operation: a service may accept one, and refuse the other. */
  const wrong = (one: unknown, other: unknown) => (sync ? other : one);
  const unknownId = driver.unknownId();
  const isSecond = driver.constant('unknown temp file').pick([true, false]);
  const missing = { id: unknownId, name: 'missing.txt' };
  const softTimeout = (softTimeoutMins: number) => ({ executionOptions: { softTimeoutMins } });
  /** Sent twice: within an accepted body, and alone, with `queue` for one of the operations. */
  const andAlone = (refusal: Refusal): Refusal[] => [
    refusal,
    { ...refusal, slug: `${refusal.slug}-alone`, change: { ...refusal.change, ...queue }, alone: true },
  ];
  const of =
    (rule: RuleId, observes?: GapId[]) =>
    (slug: string, fault: string, change: Fields): Refusal => ({
      rule,
      slug,
      fault,
      change,
      ...(observes && { observes }),
    });
  const typed = of('execute-body-is-typed');
  const belowMinimum = of('soft-timeout-minimum');
  const unknownVersion = of('version-must-exist', ['unknown-workflow-status']);
  const unknownProfile = of('execute-profile-must-exist', ['unknown-workflow-status']);
  return [
    ...andAlone(
      of('head-excludes-version', ['exclusivity-status'])('head-with-version', 'head together with version', {
        head: true,
        version: publishedVersion,
      }),
    ),
    ...(driver.isDeclared(profile) && driver.isDeclared(profileGroup)
      ? [
          { slug: 'profile-with-group', profileId: profile, profileGroupId: profileGroup, alone: false },
          { slug: 'profile-with-group-alone', profileId: memberOf(driver, room), profileGroupId: room, alone: true },
        ].map(
          ({ slug, alone, ...both }): Refusal => ({
            rule: 'profile-excludes-group',
            slug,
            fault: 'profileId together with profileGroupId',
            change: {
              profileId: driver.id(both.profileId ?? profile),
              profileGroupId: driver.id(both.profileGroupId),
              ...(alone && queue),
            },
            alone,
            observes: ['exclusivity-status'],
          }),
        )
      : []),
    ...(driver.isDeclared(profile) && driver.isDeclared(profileGroup)
      ? [
          {
            rule: 'deprecated-fields-still-work',
            slug: 'profile-with-group-by-old-names',
            fault: sync ? 'agentProfileId together with profileGroupId' : 'profileId together with agentProfilePoolId',
            change: {
              [sync ? 'agentProfileId' : 'profileId']: driver.id(profile),
              [sync ? 'profileGroupId' : 'agentProfilePoolId']: driver.id(profileGroup),
            },
          } as const,
        ]
      : []),
    {
      rule: 'temp-files-must-exist',
      slug: 'unknown-temp-file',
      fault: 'a temp file that was not uploaded',
      // One operation sends a real file too. The other sends the unknown id under its name.
      change: {
        tempFiles: [
          ...(sync === isSecond && tempFile ? [tempFile] : []),
          { ...missing, ...(sync !== isSecond && tempFile && { name: tempFile.name }) },
        ],
      },
      observes: ['unknown-workflow-status'],
    },
    // One operation sends it before a real file, the other alone.
    ...(sync === isSecond
      ? [
          {
            rule: 'temp-files-must-exist',
            slug: 'unknown-temp-file-alone',
            fault: 'a temp file that was not uploaded, and nothing else',
            change: { tempFiles: [missing] },
            alone: true,
          } as const,
        ]
      : []),
    ...(tempFile && sync !== isSecond
      ? [
          {
            rule: 'temp-files-must-exist',
            slug: 'unknown-temp-file-first',
            fault: 'a temp file that was not uploaded, followed by one that was',
            change: {
              tempFiles: [missing, tempFile],
              ...(room !== undefined && { profileId: undefined, profileGroupId: room }),
            },
          } as const,
        ]
      : []),
    ...andAlone({
      rule: 'variant-key-needs-variant-mode',
      slug: 'unwanted-variant-key',
      fault: 'variantKey on a workflow without variant mode',
      change: {
        executionOptions: { variantKey: 'conformance', ...(sync && { softTimeoutMins: leastSoftTimeoutMins }) },
      },
      observes: ['variant-key-status'],
    }),
    ...andAlone(belowMinimum('soft-timeout-0', `softTimeoutMins ${belowLeast}`, softTimeout(belowLeast))),
    belowMinimum('soft-timeout-below-0', `softTimeoutMins ${belowLeast - 1}`, {
      ...softTimeout(belowLeast - 1),
      ...queue,
    }),
    ...(hard === undefined
      ? []
      : // At the bound, and far beyond: a service may check only one of them.
        [hard, sync ? hard + 1 : hard * 1000].map(
          (minutes): Refusal => ({
            rule: 'soft-timeout-below-hard-timeout',
            slug: `soft-timeout-${minutes}`,
            fault: `softTimeoutMins ${minutes} with a hard timeout of ${hard}`,
            change: softTimeout(minutes),
            alone: minutes > hard === sync,
          }),
        )),
    unknownVersion('unknown-version', 'a version that does not exist', { version: 2_000_000_000 }),
    // Versions begin at 1.
    of('version-must-exist')('version-below-1', `version ${wrong(0, -1)}`, { version: wrong(0, -1) }),
    unknownProfile('unknown-profile', 'a profile that does not exist', { profileId: unknownId }),
    unknownProfile('unknown-profile-group', 'a profile group that does not exist', {
      profileId: undefined,
      profileGroupId: unknownId,
      ...queue,
    }),
    // The first pair is right: a service may check only the first.
    typed('metadata-value', 'a metadata value that is no text', {
      [freeFields.metadata]: { first: 'one', count: wrong(1, true) },
    }),
    typed('metadata-list', 'metadata that is a list', { [freeFields.metadata]: ['a'] }),
    typed('inputs', 'inputs that are no object', { inputs: wrong('text', ['text']) }),
    typed('head', 'head that is no boolean', { version: undefined, head: wrong('yes', 1) }),
    typed('version-text', 'version that is a text', { version: wrong('three', `${publishedVersion}`) }),
    typed('profile-no-uuid', 'a profileId that is no uuid', { profileId: 'not-a-uuid' }),
    typed('profile-group-no-uuid', 'a profileGroupId that is no uuid', {
      profileId: undefined,
      profileGroupId: 'not-a-uuid',
    }),
    typed('capacity-word', `an ${roomField} that is neither reject nor queue`, { [roomField]: 'wait' }),
    typed('options', 'executionOptions that are no object', { executionOptions: wrong('text', ['text']) }),
    typed('soft-timeout-text', 'softTimeoutMins that is a text', {
      executionOptions: { softTimeoutMins: wrong('ten', '2') },
    }),
    typed('soft-timeout-fraction', 'softTimeoutMins that is no integer', softTimeout(1.5)),
    typed('version-fraction', 'version that is no integer', { version: 1.5 }),
    typed('temp-files-object', 'tempFiles that are no list', { tempFiles: { id: unknownId, name: 'missing.txt' } }),
    typed('deprecated-inputs', 'dynamicData that is no object', {
      inputs: undefined,
      dynamicData: wrong('text', ['text']),
    }),
    typed('deprecated-profile-no-uuid', 'an agentProfileId that is no uuid', {
      profileId: undefined,
      agentProfileId: 'not-a-uuid',
    }),
    typed('deprecated-group-no-uuid', 'an agentProfilePoolId that is no uuid', {
      profileId: undefined,
      agentProfilePoolId: 'not-a-uuid',
    }),
    typed('temp-file', `a temp file without its ${sync ? 'id' : 'name'}`, {
      tempFiles: [...(tempFile ? [tempFile] : []), wrong({ id: tempFile?.id ?? unknownId }, { name: 'missing.txt' })],
    }),
    ...moreOfEach(driver, operation),
    { rule: 'execute-body-is-typed', slug: 'malformed-json', fault: 'malformed JSON', raw: '{"inputs": ' },
    {
      rule: 'execute-body-is-typed',
      slug: 'not-a-number',
      fault: 'NaN, which JSON has not',
      raw: '{"inputs": {"number": NaN}}',
    },
    {
      rule: 'execute-body-is-typed',
      slug: 'no-object',
      fault: 'a body that is no object',
      raw: sync ? '"inputs"' : '["inputs"]',
    },
    ...(sync
      ? [
          ...[nearest[0], nearest[0] - 1, nearest[1], nearest[1] + 3574].flatMap((seconds) => {
            const change = { timeoutSeconds: seconds, ...(seconds > nearest[1] && queue) };
            const refusal = of('sync-timeout-range')(`timeout-${seconds}`, `timeoutSeconds ${seconds}`, change);
            return nearest.includes(seconds) ? andAlone(refusal) : [{ ...refusal, alone: seconds < nearest[0] }];
          }),
          ...[1.5, '10', true].map((value) => {
            const text = JSON.stringify(value);
            const slug = `timeout-${text.replaceAll(/\W/g, '-')}`;
            return of('sync-timeout-is-integer')(slug, `timeoutSeconds ${text}`, { timeoutSeconds: value });
          }),
        ]
      : []),
  ];
}

/** A profile that the group gave to an execution. Naming it together with its group is refused all the same. */
function memberOf(driver: Driver, group: string | undefined): string | undefined {
  const ofGroup = driver.evidence.traces.filter(({ start }) => start && sameId(groupOf(start), group));
  const shown = ofGroup.flatMap((trace) => readings(trace.readings).map(({ execution }) => execution.agentProfileId));
  return shown.find((id) => isUuid(id));
}

/**
 * For each field, the values that are nearly right, and one more wrong value. The operations take turns with them.
 */
function moreOfEach(driver: Driver, operation: OperationId): Refusal[] {
  const ofAsync = new Set(invalidBodies('execute').map(({ field }) => field));
  const turn = driver.constant('one more in turn').pick([0, 1]);
  return someOfEach('executeSync', driver.constant('one more')).flatMap(
    ({ field, rule, fault, body }, place): Refusal[] => {
      const on = ofAsync.has(field) ? startOperations[(place + turn) % startOperations.length] : 'executeSync';
      const [name = ''] = field.split('.');
      // What excludes the field that is sent, or is another name for it, is left out.
      const [without = name] = alternativesOf(name);
      const change: Fields = { [without]: undefined, ...alone(body, driver) };
      // Without variant mode, any variantKey is refused.
      if (field === 'executionOptions.variantKey') return [];
      return on === operation ? [{ rule, slug: `wrong-${field}-${place}`, fault, change }] : [];
    },
  );
}

/** Removes what else would be refused in a body, besides the wrong value. */
function alone({ executionOptions, tempFiles, ...body }: Fields, { facts: { tempFile } }: Driver): Fields {
  const { variantKey: _, ...options } = isFields(executionOptions) ? executionOptions : {};
  const [file] = itemsOf(tempFiles);
  return {
    ...body,
    ...(executionOptions !== undefined && {
      executionOptions: isFields(executionOptions) ? options : executionOptions,
    }),
    ...(tempFiles !== undefined && {
      tempFiles: isFields(file) && isUuid(file.id) && tempFile ? [{ ...file, id: tempFile.id }] : tempFiles,
    }),
  };
}
