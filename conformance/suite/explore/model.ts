/** What the next step has to know of the steps so far. */

import { asText } from '../../engine/rule/values.js';
import type { List } from '../../engine/send/journal/journal.js';
import { type Single, type Step, singles, source } from './steps.js';

export interface Model {
  /** The run's own copies by name, with the names of the items that steps added. */
  readonly copies: ReadonlyMap<string, Items>;
  /** Executions by name: whether they may still be running, and the profile that they use. */
  readonly executions: ReadonlyMap<string, { readonly going: boolean; readonly profile?: string }>;
  /** How many may still be made. */
  readonly copiesLeft: number;
  readonly executionsLeft: number;
  /** Counts up, so that names are never used twice. */
  readonly made: number;
}

export type Items = Readonly<Record<List, readonly string[]>>;
export const noItems: Items = { cookies: [], credentials: [] };

export const nothing: Model = {
  copies: new Map(),
  executions: new Map(),
  copiesLeft: 0,
  executionsLeft: 0,
  made: 0,
};

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((item: { name: unknown }) => asText(item.name)) : [];

/** The model after a step, for a service that does what it is asked. */
export const after = (model: Model, step: Step): Model =>
  singles(step).reduce(afterSingle, { ...model, made: model.made + 1 });

function afterSingle(model: Model, step: Single): Model {
  switch (step.kind) {
    case 'update': {
      const had = model.copies.get(step.profile);
      if (!had || step.wrong || step.nameOf !== undefined) return model;
      const items = (list: List) => [
        ...had[list].filter((name) => !step.gone?.[list]?.includes(name)),
        ...namesIn(step.body[`${list}ToAdd`]),
      ];
      const now = { cookies: items('cookies'), credentials: items('credentials') };
      return { ...model, copies: new Map(model.copies).set(step.profile, now) };
    }
    case 'duplicate':
      return {
        ...model,
        copiesLeft: model.copiesLeft - 1,
        copies: new Map(model.copies).set(step.as, model.copies.get(step.profile) ?? noItems),
      };
    case 'start': {
      const going = step.operation === 'execute';
      const profile = step.profile ?? (step.body.profileGroupId === undefined ? undefined : source);
      const execution = { going, ...(profile !== undefined && { profile }) };
      return {
        ...model,
        executionsLeft: model.executionsLeft - 1,
        executions: new Map(model.executions).set(step.as, execution),
      };
    }
    case 'follow':
      return { ...model, executions: new Map(model.executions).set(step.execution, { going: false }) };
    default:
      return model;
  }
}
