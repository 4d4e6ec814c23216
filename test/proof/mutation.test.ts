import { expect, it } from 'vitest';
import storedScores from '../../proof/mutation/scores.json' with { type: 'json' };
import { problems, section } from '../../proof/mutation/survivors.js';

it('explains every mutant that survived, and none that did not', () => {
  expect(problems(storedScores)).toEqual([]);
});

it('names a survivor without a reason, and each reason that stands for none', () => {
  const found = problems({
    'reference/new.ts': { killed: 0, survivors: ['Regex: /a/ → /b/'], endless: ['Regex: /c/ → /d/'] },
  });
  expect(found.slice(0, 2)).toEqual([
    'Nothing says why this was not found: new.ts Regex: /a/ → /b/',
    'Nothing says why this was not found: new.ts Regex: /c/ → /d/, without end',
  ]);
  expect(found[2]).toMatch(/^No mutant left is called .+, which ".+" explains\.$/);
});

it('does not count a run that did not end as found, and each survivor under one reason', () => {
  const survivors = ['StringLiteral: \'some words\' → ""', 'StringLiteral: \'more words\' → ""'];
  const { rows, why } = section({ 'reference/new.ts': { killed: 5, survivors, endless: ['Regex: /c/ → /d/'] } });
  expect(rows).toEqual([
    ['reference/new.ts', '8', '5', '1', '2', '63 %'],
    ['All', '8', '5', '1', '2', '63 %'],
  ]);
  expect(why.filter((line) => !line.endsWith('(0)'))).toEqual(['- The words of a message are not shown. (2)']);
});
