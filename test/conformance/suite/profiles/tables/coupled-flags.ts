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
  'satisfied: put right': [update({ [flag]: true }, on(false, false))],
  'satisfied: gone off with what it needs': [update({ [needs]: false }, on(false, false))],
  'violated: one without the other': { given: [update({ [flag]: true }, on(true, false))], says: `only with ${needs}` },
  'violated: what it needs put off alone': [recorded(update({ [needs]: false }, on(true, false)))],
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
      'satisfied: what it needs, put on for it': [baseline(), update({ [flag]: true }, on(true, true))],
      'violated: what it needs goes off with it': {
        given: [baseline(on(true, true)), update({ [flag]: false }, on(false, false))],
        says: `${needs} true`,
      },
      'satisfied: what it needs comes on with it': [
        baseline(on(false, false)),
        update({ [flag]: true }, on(true, true)),
      ],
    })),
  ),
  'update-applies': all(
    ofEach(({ flag, needs }, on) => ({
      'satisfied: both together': [baseline(), update(on(true, true), on(true, true))],
      'satisfied: the flag off': [baseline(on(true, true)), update({ [flag]: false }, on(false, true))],
      'violated: a flag that stays off beside what it needs': [baseline(), update(on(true, true), on(false, true))],
      'ignored: a flag that is put right': [baseline(), update({ [flag]: true })],
      'ignored: what it needs, put right': [baseline(on(true, true)), update({ [needs]: false }, on(true, true))],
      'ignored: a flag that goes off with what it needs: the one is as sent, the other not asked for': [
        baseline(on(true, true)),
        update({ [needs]: false }, on(false, false)),
      ],
      'violated: what it needs off, refused where the flag is off': [baseline(), refusedUpdate({ [needs]: false })],
      'violated: a flag, refused though what it needs is on': {
        given: [baseline({ [needs]: true }), refusedUpdate({ [flag]: true })],
        says: `${flag} taken`,
      },
      'ignored: one that is refused without what it needs': [baseline(), refusedUpdate({ [flag]: true })],
      'ignored: one for which what it needs goes off': [
        baseline({ [needs]: true }),
        refusedUpdate({ [flag]: true, [needs]: false }),
      ],
      'ignored: what it needs off, refused as the flag is on': [
        baseline({ [needs]: true, [flag]: true }),
        refusedUpdate({ [needs]: false }),
      ],
      'satisfied: a flag off, where it was on without what it needs': [
        baseline(on(true, false)),
        update({ [flag]: false }, on(false, false)),
      ],
    })),
  ),
};
