import type { Deviation } from './deviation.js';
import type { Judged, Kept } from './requests.js';

/** What others add to the service, which imports neither its faults nor the suite. */
export interface Extensions {
  findFault(id: string): Deviation;
  judgeCallers(kept: readonly Kept[]): Promise<Judged>;
}

const isMissing = (what: string) => () => {
  throw new Error(`${what} only where the whole package is loaded: import workflow-execution-contract/reference.`);
};

export const extensions: Extensions = {
  findFault: isMissing('Faults have ids'),
  judgeCallers: isMissing('Callers are judged'),
};

export const extend = (more: Partial<Extensions>): void => void Object.assign(extensions, more);
