import { keys } from '../fixtures.js';
import type { Fault } from './fault.js';

/** Who is let in, and how answers look. */
export const accessFaults: readonly Fault[] = [
  {
    id: 'errors-are-plain-text',
    breaks: ['responses-are-json'],
    says: 'Refusals say that they are plain text.',
    behaviour: (base) => ({
      answer: (call, answer) => {
        const { headers, ...rest } = base.answer(call, answer);
        return {
          ...rest,
          headers: answer.status < 400 ? (headers ?? {}) : { ...headers, 'Content-Type': 'text/plain' },
        };
      },
    }),
  },
  {
    id: 'detail-differs-from-message',
    breaks: ['standard-error-detail'],
    says: 'The detail of an error body says more than its message.',
    behaviour: (base) => ({
      presentStandardError: (problem) => ({
        ...base.presentStandardError(problem),
        detail: `${problem.message} Sorry.`,
      }),
    }),
  },
  {
    id: 'missing-key-is-let-in',
    breaks: ['missing-key-is-401'],
    says: 'A request without a key is taken for the full key’s.',
    behaviour: (base) => ({
      authenticate: (presented, find) =>
        base.authenticate(presented, find) ?? (presented.shown === null ? find(keys.full) : undefined),
    }),
  },
  {
    id: 'permission-is-not-checked',
    breaks: ['insufficient-permission-is-403'],
    says: 'Every valid key may do everything.',
    behaviour: () => ({ mayCall: () => true }),
  },
];
