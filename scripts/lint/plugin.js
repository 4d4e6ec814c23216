import { describedProperties } from './described-properties.js';
import { errorBodies } from './error-bodies.js';
import { knownGaps } from './known-gaps.js';
import { oneType, validDefaults } from './schema-values.js';
import { namedSchemas } from './named-schemas.js';

/** The rules of this contract that redocly.yaml cannot state by itself. */
export default function plugin() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'described-properties': describedProperties,
        'error-bodies': errorBodies,
        'known-gaps': knownGaps,
        'one-type': oneType,
        'valid-defaults': validDefaults,
        'named-schemas': namedSchemas,
      },
    },
  };
}
