import { stringify } from 'yaml';
import type { ReferenceTarget } from './fixtures.js';

/** The first line of each of them, by which they are known again. */
export const targetFileHead = `# The reference service, as it was started. Its keys are in clear: they are the same everywhere and guard nothing.
`;

/** What the target file of a service says. */
export const targetFile = (target: ReferenceTarget): string => targetFileHead + stringify(target);
