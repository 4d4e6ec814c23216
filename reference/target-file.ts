import { stringify } from 'yaml';
import type { Fixtures } from './fixtures.js';

/** The first line of generated target files, which identifies them. */
export const targetFileHead = `# The reference service, as it was started. Its keys are in clear: they are the same everywhere and guard nothing.
`;

/** The target file of a service, as YAML. */
export const targetFile = (target: Fixtures): string => targetFileHead + stringify(target);
