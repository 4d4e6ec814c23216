import { answering, isFields, type Way } from '../change.js';

/** Fields that return what a caller sent, which must not change. */
const givenBack = ['inputs', 'metadata', 'result', 'customProxy', 'expiry', 'description', 'value', 'data'];

/** Changes every value in every answer, innermost first, except in these fields. */
export const everywhere = (change: (value: unknown) => unknown): Way => {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value.map(within));
    if (!isFields(value)) return change(value);
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      givenBack.includes(name) ? inner : within(inner),
    ]);
    return change(Object.fromEntries(entries));
  };
  return answering((answer) => (answer.body === undefined ? answer : { ...answer, body: within(answer.body) }));
};

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
export const times = (change: (time: string) => string) =>
  everywhere((value) => (isTime(value) ? change(value) : value));
