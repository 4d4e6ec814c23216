/** What faults that show in one circumstance alone are made of. */
import type { Hooks } from '../../hooks.js';
import { type Call, type Execution, type Fields, fieldsOf, type Profile } from '../../state.js';
import { refusing } from '../make.js';

export const isSync = (call: Call) => call.operation === 'executeSync';
export const isStart = (call: Call) => call.operation === 'execute' || isSync(call);
export const isUpdate = (call: Call) => call.operation === 'updateProfile';
export const executionOf = (call: Call) => call.state.executions.get(call.id.toLowerCase());
export const kept = (when: (call: Call) => boolean, problem: string, field?: string): Partial<Hooks> => ({
  refuses: (p, c, f) => !(p === problem && (field === undefined || f === field) && when(c)),
});
export const answersAs = (status: number, when: (call: Call, was: number) => boolean, message = 'Not this one.') =>
  refusing(status, message, (c, a) => when(c, a.status));
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
