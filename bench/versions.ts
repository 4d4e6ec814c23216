import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, type Section } from './measure.js';

const measuredWith = ['ajv', 'ajv-formats', 'openapi-typescript', 'openapi-fetch', '@stoplight/prism-cli'];

/** The versions of packages that were measured. */
export const packageVersions = ({ versions }: Section): Record<string, string> => ({
  ...Object.fromEntries(
    measuredWith.map((name) => [
      name,
      JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version as string,
    ]),
  ),
  ...versions,
});
