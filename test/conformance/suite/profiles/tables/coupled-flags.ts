import { type Coupling, type CouplingRule, couplings } from '../../../../../generated/flags.js';
import { all, type Table } from '../../../../support/judge-table.js';
import { baseline, changed, duplicate, refusedUpdate, update } from '../../../../support/profiles.js';
import { recorded } from '../../../../support/runs.js';

type Rows = (coupling: Coupling, on: (isOn: boolean, hasOther: boolean) => object) => Table;

/** A table of each flag that needs another one. */
const ofEach = (rows: Rows): readonly Table[] =>
  couplings.map((one) => {
    const table = rows(one, (isOn, hasOther) => ({ [one.flag]: isOn, [one.needs]: hasOther }));
    return Object.fromEntries(Object.entries(table).map(([name, rest]) => [`${name} (${one.flag})`, rest]));
  });

const ofRules = ofEach(({ flag, needs }, on) => ({
  'satisfied: both': [update(changed, on(true, true))],
  'satisfied: corrected': [update({ [flag]: true }, on(false, false))],
  'satisfied: off together with its condition': [update({ [needs]: false }, on(false, false))],
  'violated: one without the other': { given: [update({ [flag]: true }, on(true, false))], says: `only with ${needs}` },
  'violated: its condition switched off alone': [recorded(update({ [needs]: false }, on(true, false)))],
  'ignored: neither': [update(changed, on(false, false))],
  'ignored: a refusal': [refusedUpdate({ [flag]: true })],
  'ignored: a duplication': [duplicate(on(true, false))],
}));

/** What rules make of flags that are on only where another one is. */
export const coupledFlags = {
  rules: Object.fromEntries(couplings.map(({ rule }, place) => [rule, ofRules[place] ?? {}])) as Record<
    CouplingRule,
    Table
  >,
  'update-is-partial': all(
    ofEach(({ flag, needs }, on) => ({
      'satisfied: both together': [baseline(on(true, true)), update({ [needs]: false }, on(false, false))],
      'satisfied: its condition, switched on for it': [baseline(), update({ [flag]: true }, on(true, true))],
      'violated: its condition goes off with it': {
        given: [baseline(on(true, true)), update({ [flag]: false }, on(false, false))],
        says: `${needs} true`,
      },
      'satisfied: its condition comes on with it': [
        baseline(on(false, false)),
        update({ [flag]: true }, on(true, true)),
      ],
    })),
  ),
  'update-applies': all(
    ofEach(({ flag, needs }, on) => ({
      'satisfied: both together': [baseline(), update(on(true, true), on(true, true))],
      'satisfied: the flag off': [baseline(on(true, true)), update({ [flag]: false }, on(false, true))],
      'violated: a flag that stays off beside its condition': [baseline(), update(on(true, true), on(false, true))],
      'ignored: a flag that is corrected': [baseline(), update({ [flag]: true })],
      'ignored: its condition, corrected': [baseline(on(true, true)), update({ [needs]: false }, on(true, true))],
      'ignored: a flag that goes off with its condition: one is as in the request, the other not part of it': [
        baseline(on(true, true)),
        update({ [needs]: false }, on(false, false)),
      ],
      'violated: its condition off, refused although the flag is off': [baseline(), refusedUpdate({ [needs]: false })],
      'violated: a flag, refused although its condition is on': {
        given: [baseline({ [needs]: true }), refusedUpdate({ [flag]: true })],
        says: `${flag} taken`,
      },
      'ignored: one that is refused without its condition': [baseline(), refusedUpdate({ [flag]: true })],
      'ignored: one for which its condition goes off': [
        baseline({ [needs]: true }),
        refusedUpdate({ [flag]: true, [needs]: false }),
      ],
      'ignored: its condition off, refused while the flag is on': [
        baseline({ [needs]: true, [flag]: true }),
        refusedUpdate({ [needs]: false }),
      ],
      'satisfied: a flag off, where it was on without its condition': [
        baseline(on(true, false)),
        update({ [flag]: false }, on(false, false)),
      ],
    })),
  ),
};
