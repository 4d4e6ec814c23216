import { stringify } from 'yaml';
import type { ReferenceTarget } from './fixtures.js';

const head = `# The reference service, as it was started. Its keys are in clear: they are the same everywhere and guard nothing.
`;

/** What the target file of a service says. */
export const targetFile = (target: ReferenceTarget): string => head + stringify(target);
