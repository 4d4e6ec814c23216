import type { Mark } from '../../conformance/engine/vocabulary.js';
import type { OperationId } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { examples } from '../contract/document.js';
import { ids, type Sketch } from './evidence.js';

/** A named example of an operation's request or answer. */
export const example = (operation: OperationId, name: string): object =>
  examples.find((one) => one.operation === operation && one.name === name)?.value as object;

/** A request with one fault, whose control is `test/control`. */
export const probe = (rule: RuleId, sketch: Sketch, mark: Partial<Mark> = {}): Sketch => ({
  ...sketch,
  mark: { step: 'probe', probe: { rule, fault: 'a fault', controls: ['test/control'] }, ...mark },
});

/** The same request without the fault. */
export const control = (sketch: Sketch): Sketch => ({ ...sketch, mark: { step: 'control', ...sketch.mark } });

export const step = (name: string, sketch: Sketch): Sketch => ({ ...sketch, mark: { step: name, ...sketch.mark } });

export const standardError = { code: 400, message: 'No.' };
export const started = { executionId: ids.execution, status: 'starting' };

/** A start that was accepted, and one that was refused. */
export const taken = { operation: 'execute', status: 202, body: started } as const;
export const refused = { operation: 'execute', status: 400, body: standardError } as const;
