/** What faults that show in one circumstance alone are made of. */
import type { Hooks } from '../../hooks.js';
import { type Call, type Execution, type Fields, fieldsOf, type Profile } from '../../state.js';

export const isSync = (call: Call) => call.operation === 'executeSync';
export const isStart = (call: Call) => call.operation === 'execute' || isSync(call);
export const isUpdate = (call: Call) => call.operation === 'updateProfile';
export const executionOf = (call: Call) => call.state.executions.get(call.id.toLowerCase());
export const kept = (when: (call: Call) => boolean, problem: string, field?: string): Partial<Hooks> => ({
  refuses: (p, c, f) => !(p === problem && (field === undefined || f === field) && when(c)),
});
export const answersAs = (status: number, when: (call: Call, was: number) => boolean, message = 'Not this one.') =>
  ({
    answers: (a, c) =>
      when(c, a.status) && Object.assign(a, { status, body: { code: status, message }, headers: a.headers }),
  }) satisfies Partial<Hooks>;
export const after = (change: (p: Profile, before: Profile, call: Call) => void): Partial<Hooks> => ({
  updates: change,
});
export const copies = (change: (copy: Profile, source: Profile, call: Call) => void): Partial<Hooks> => ({
  copies: change,
});
export const shows = (change: (view: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({ shows: change });
export const lists = (change: (files: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({
  lists: (view, e, call) => change(fieldsOf(view.directories), e, call),
});
export const emptied = (directories: Fields) => {
  for (const name of Object.keys(directories)) directories[name] = [];
};
export const added = (kind: 'cookies' | 'credentials', p: Profile, before: Profile) =>
  p[kind].filter((one) => !before[kind].some(({ id }) => id === one.id));
export const kin = (p: Profile, call: Call) =>
  [...call.state.profiles.values()].filter((one) => one.copyOf === p.id || one.id === p.copyOf);
