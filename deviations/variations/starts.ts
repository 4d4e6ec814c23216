import { isFields, keepingWrong, refusing } from '../change.js';
import type { Variation } from '../variation.js';

/** Unusual ways to handle starts. */
export const startVariations: readonly Variation[] = [
  {
    id: 'metadata-are-any-value',
    says: 'Metadata of a start are kept as they are sent, whatever is in them.',
    warns: ['execute-body-is-typed'],
    behaviour: keepingWrong(/^metadata/),
  },
  {
    id: 'temp-files-serve-once',
    says: 'A temp file is gone when the first run that it was given to has ended.',
    behaviour: (base) => {
      const gone = new Set<string>();
      return {
        findTempFile: (organization, file) => (gone.has(file.id) ? undefined : base.findTempFile(organization, file)),
        filesOf: (run, ...rest) => {
          for (const { id } of run.start.tempFiles) gone.add(id);
          return base.filesOf(run, ...rest);
        },
      };
    },
  },
  {
    id: 'storage-keys-in-folders',
    says: 'A sharedStorageKey is the slug in a folder of the organization.',
    behaviour: (base) => ({ slug: (key) => `organizations/1/${base.slug(key)}` }),
  },
  {
    id: 'metadata-has-names',
    says: 'Metadata is refused with 400 whose keys are more than letters, digits, hyphens and underscores, or that has a blank text.',
    behaviour: refusing(
      'body',
      ({ metadata }, operation) =>
        operation !== 'updateProfile' &&
        isFields(metadata) &&
        Object.entries(metadata).some(([key, value]) => !/^[\w-]{1,40}$/.test(key) || value === ''),
    ),
  },
  {
    id: 'old-names-exclude-new',
    says: 'inputs together with dynamicData are refused with 400.',
    behaviour: refusing('body', ({ inputs, dynamicData }) => inputs !== undefined && dynamicData !== undefined),
  },
  {
    id: 'inputs-are-short',
    says: 'Inputs of more than 500 characters are refused with 400.',
    behaviour: refusing(
      'body',
      ({ inputs, dynamicData }) => JSON.stringify({ ...Object(inputs), ...Object(dynamicData) }).length > 500,
    ),
  },
];
