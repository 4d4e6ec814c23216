import { isFields, keepingWrong, pairsField, refusing } from '../change.js';
import { behaving, type Variation } from '../variation.js';

/** Unusual ways to handle starts. */
export const startVariations: readonly Variation[] = behaving({
  'metadata-are-any-value': [keepingWrong(new RegExp(`^${pairsField}`)), { warns: ['execute-body-is-typed'] }],
  'temp-files-serve-once': (base) => {
    const gone = new Set<string>();
    return {
      findTempFile: (organization, file) => (gone.has(file.id) ? undefined : base.findTempFile(organization, file)),
      filesOf: (run, ...rest) => {
        for (const { id } of run.start.tempFiles) gone.add(id);
        return base.filesOf(run, ...rest);
      },
    };
  },
  'storage-keys-in-folders': (base) => ({ slug: (key) => `organizations/1/${base.slug(key)}` }),
  'metadata-has-names': refusing(
    'body',
    ({ [pairsField]: all }, operation) =>
      operation !== 'updateProfile' &&
      isFields(all) &&
      Object.entries(all).some(([key, value]) => !/^[\w-]{1,40}$/.test(key) || value === ''),
  ),
  'inputs-are-known': [
    refusing(
      'inputs',
      ({ inputs, dynamicData }) => Object.keys({ ...Object(inputs), ...Object(dynamicData) }).length > 0,
    ),
    { open: true },
  ],
  'inputs-are-short': refusing(
    'body',
    ({ inputs, dynamicData }) => JSON.stringify({ ...Object(inputs), ...Object(dynamicData) }).length > 500,
  ),
});
