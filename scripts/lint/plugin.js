import { describedProperties } from './described-properties.js';
import { errorBodies } from './error-bodies.js';
import { knownGaps } from './known-gaps.js';
import { namedSchemas } from './named-schemas.js';
import { oneType, validDefaults } from './schema-values.js';
import { secondPaths } from './second-paths.js';

/** Lint rules for this contract that redocly.yaml cannot express, and what it is filled in by. */
export default function plugin() {
  return {
    id: 'contract',
    preprocessors: { oas3: { 'second-paths': secondPaths } },
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
