import type { OperationId } from '../../../generated/operations.js';
import type { GapId, RuleId } from '../../../generated/rules.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { isUuid, itemsOf, sameId } from '../../engine/rule/values.js';
import type { Driver } from '../driver.js';
import { groupOf } from '../executions/view.js';
import { someOfEach, wrongBodies } from '../wrong-bodies.js';
import { both } from './requests.js';

/** A start with one fault, as the change that makes it of one that was accepted. */
interface Refusal {
  rule: RuleId;
  slug: string;
  fault: string;
  /** Replaces fields of the accepted request; `undefined` leaves one out. */
  change?: Fields;
  raw?: string;
  /** Asks for nothing else: beside other fields it may be refused for one of them. */
  alone?: boolean;
  observes?: GapId[];
}

export function refusedStarts(driver: Driver, operation: (typeof both)[number]): Refusal[] {
  const { publishedVersion = 1, profile, tempFile, agentHardTimeoutMins: hard, capacity } = driver.facts;
  /** What is refused holds no profile: of a group that is filled as well it would be missed. */
  const room = capacity?.profileGroup ?? driver.facts.profileGroup;
  const profileGroup = driver.facts.profileGroup ?? room;
  const sync = operation === 'executeSync';
  /** What is refused is refused to whoever would wait as well: one operation says so. */
  const queue = sync ? { onCapacityLimit: 'queue' } : {};
  /** Whoever takes one wrong value may refuse another: each operation is sent one of its own. */
  const wrong = (one: unknown, other: unknown) => (sync ? other : one);
  const unknownId = driver.unknownId();
  const isSecond = driver.material('unknown temp file').pick([true, false]);
  const missing = { id: unknownId, name: 'missing.txt' };
  const softTimeout = (softTimeoutMins: number) => ({ executionOptions: { softTimeoutMins } });
  /** Beside nothing else as well, but for what one operation says of the wait. */
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
    ...(driver.has(profile) && driver.has(profileGroup)
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
    ...(driver.has(profile) && driver.has(profileGroup)
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
      // Beside one that is there, for the one operation; under its name, for the other, as the seed tells: the id is what counts.
      change: {
        tempFiles: [
          ...(sync === isSecond && tempFile ? [tempFile] : []),
          { ...missing, ...(sync !== isSecond && tempFile && { name: tempFile.name }) },
        ],
      },
      observes: ['unknown-workflow-status'],
    },
    ...(tempFile && sync !== isSecond
      ? [
          {
            rule: 'temp-files-must-exist',
            slug: 'unknown-temp-file-first',
            fault: 'a temp file that was not uploaded, before one that was',
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
      change: { executionOptions: { variantKey: 'conformance', ...(sync && { softTimeoutMins: 1 }) } },
      observes: ['variant-key-status'],
    }),
    ...andAlone(belowMinimum('soft-timeout-0', 'softTimeoutMins 0', softTimeout(0))),
    belowMinimum('soft-timeout-below-0', 'softTimeoutMins -1', { ...softTimeout(-1), ...queue }),
    ...(hard === undefined
      ? []
      : // Right at the bound, and far beyond it: whoever looks at one may not look at the other.
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
    // Nor are there versions below the first.
    of('version-must-exist')('version-below-1', `version ${wrong(0, -1)}`, { version: wrong(0, -1) }),
    unknownProfile('unknown-profile', 'a profile that does not exist', { profileId: unknownId }),
    unknownProfile('unknown-profile-group', 'a profile group that does not exist', {
      profileId: undefined,
      profileGroupId: unknownId,
      ...queue,
    }),
    // Behind one that is right: of some only the first is looked at.
    typed('metadata-value', 'a metadata value that is no text', { metadata: { first: 'one', count: wrong(1, true) } }),
    typed('metadata-list', 'metadata that is a list', { metadata: ['a'] }),
    typed('inputs', 'inputs that are no object', { inputs: wrong('text', ['text']) }),
    typed('head', 'head that is no boolean', { version: undefined, head: wrong('yes', 1) }),
    typed('version-text', 'version that is a text', { version: wrong('three', `${publishedVersion}`) }),
    typed('profile-no-uuid', 'a profileId that is no uuid', { profileId: 'not-a-uuid' }),
    typed('profile-group-no-uuid', 'a profileGroupId that is no uuid', {
      profileId: undefined,
      profileGroupId: 'not-a-uuid',
    }),
    typed('capacity-word', 'an onCapacityLimit that is neither reject nor queue', { onCapacityLimit: 'wait' }),
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
          ...[0, -1, 26, 3600].flatMap((seconds) => {
            const change = { timeoutSeconds: seconds, ...(seconds > 26 && queue) };
            const refusal = of('sync-timeout-range')(`timeout-${seconds}`, `timeoutSeconds ${seconds}`, change);
            return seconds === 0 || seconds === 26 ? andAlone(refusal) : [{ ...refusal, alone: seconds < 0 }];
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

/** A profile that the group gave to an execution: that the one is in the other does not make them one. */
function memberOf(driver: Driver, group: string | undefined): string | undefined {
  const ofGroup = driver.evidence.traces.filter(({ start }) => start && sameId(groupOf(start), group));
  const shown = ofGroup.flatMap((trace) => readings(trace.readings).map(({ execution }) => execution.agentProfileId));
  return shown.find((id) => isUuid(id));
}

/**
 * For each field what is nearly right, and one wrong value more. Those of a field are asked of both operations in turn: which is
 * first, the seed tells.
 */
function moreOfEach(driver: Driver, operation: OperationId): Refusal[] {
  const ofAsync = new Set(wrongBodies('execute').map(({ field }) => field));
  const turn = driver.material('one more in turn').pick([0, 1]);
  return someOfEach('executeSync', driver.material('one more')).flatMap(
    ({ field, rule, fault, body }, place): Refusal[] => {
      const on = ofAsync.has(field) ? both[(place + turn) % both.length] : 'executeSync';
      const [name = ''] = field.split('.');
      const without = standsFor[name];
      const change: Fields = { ...(without !== undefined && { [without]: undefined }), ...alone(body, driver) };
      // Without variant mode it is refused whatever it is.
      if (field === 'executionOptions.variantKey') return [];
      return on === operation ? [{ rule, slug: `wrong-${field}-${place}`, fault, change }] : [];
    },
  );
}

/** Without what a body has beside the wrong value that would be refused as well. */
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

/** What is left out beside a field: it excludes it, or is its other name. */
const standsFor: Readonly<Record<string, string>> = {
  head: 'version',
  profileGroupId: 'profileId',
  agentProfileId: 'profileId',
  agentProfilePoolId: 'profileId',
  dynamicData: 'inputs',
};
