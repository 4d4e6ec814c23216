import { isFields, keepingWrong, pairsField, refusing } from '../change.js';
import { behaving, type Variation } from '../variation.js';

/** Unusual ways to handle starts. */
export const startVariations: readonly Variation[] = [
  ...behaving({
    'metadata-are-any-value': [
      'Metadata of a start are kept as they are sent, whatever is in them.',
      keepingWrong(new RegExp(`^${pairsField}`)),
      { warns: ['execute-body-is-typed'] },
    ],
    'temp-files-serve-once': [
      'A temp file is gone when the first run that it was given to has ended.',
      (base) => {
        const gone = new Set<string>();
        return {
          findTempFile: (organization, file) => (gone.has(file.id) ? undefined : base.findTempFile(organization, file)),
          filesOf: (run, ...rest) => {
            for (const { id } of run.start.tempFiles) gone.add(id);
            return base.filesOf(run, ...rest);
          },
        };
      },
    ],
    'storage-keys-in-folders': [
      'A sharedStorageKey is the slug in a folder of the organization.',
      (base) => ({ slug: (key) => `organizations/1/${base.slug(key)}` }),
    ],
    'metadata-has-names': [
      'Metadata is refused with 400 whose keys are more than letters, digits, hyphens and underscores, or that has a blank text.',
      refusing(
        'body',
        ({ [pairsField]: all }, operation) =>
          operation !== 'updateProfile' &&
          isFields(all) &&
          Object.entries(all).some(([key, value]) => !/^[\w-]{1,40}$/.test(key) || value === ''),
      ),
    ],
    'inputs-are-known': [
      'Inputs that the workflow has no use for are refused with 400.',
      refusing(
        'inputs',
        ({ inputs, dynamicData }) => Object.keys({ ...Object(inputs), ...Object(dynamicData) }).length > 0,
      ),
      { open: true },
    ],
    'inputs-are-short': [
      'Inputs of more than 500 characters are refused with 400.',
      refusing(
        'body',
        ({ inputs, dynamicData }) => JSON.stringify({ ...Object(inputs), ...Object(dynamicData) }).length > 500,
      ),
    ],
  }),
];
