import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alternating, here, markdown, ratios, show, spread } from '../../bench/measure.js';
import { write } from '../../bench/traffic.js';
import { temporaryFolder } from '../support/folder.js';

describe('a benchmark', () => {
  it.each([
    { given: [3, 1, 2], want: { min: 1, median: 2, max: 3 } },
    { given: [4, 1, 2, 3], want: { min: 1, median: 2.5, max: 4 } },
    { given: [7], want: { min: 7, median: 7, max: 7 } },
  ])('reports the minimum, median and maximum of $given', ({ given, want }) => {
    expect(spread(given)).toEqual(want);
  });

  it('compares two sides round by round', () => {
    expect(ratios([2, 30], [1, 10])).toEqual({ min: 2, median: 2.5, max: 3 });
    expect(show(ratios([2, 30], [1, 10]), 1)).toBe('2.5 (2.0–3.0)');
  });

  it('measures the sides in turns, in changing order', async () => {
    const order: string[] = [];
    const side = (name: string) => async () => order.push(name);
    await alternating(2, { one: side('one'), other: side('other') });
    expect(order).toEqual(['one', 'other', 'other', 'one']);
  });
});

it('prints for each section its table, which aims are met, and whether the machine was busy', () => {
  const aims = [
    { says: 'at most 1', was: '0.50', met: true },
    { says: 'at most 0.4', was: '0.50', met: false },
  ];
  const section = { title: 'A thing beside another', how: 'Both, in turns.', columns: ['', 'ratio'], aims };
  const text = markdown({ ...section, rows: [['quickly', '0.50 (0.40–0.60)']] }, here(1000));
  expect(text).toContain('| quickly | 0.50 (0.40–0.60) |');
  expect(text).toContain('- Met: at most 1. It was 0.50.\n- **Not met**: at most 0.4. It was 0.50.');
  expect(text).toContain('load average 1000.0. The machine was busy');
  expect(here(0)).not.toContain('busy');
});

it('cuts a recording before it is too long to be parsed as a whole', async () => {
  const file = join(temporaryFolder(), 'recording.har');
  const templates = [{ id: 'x', entries: ['{"url":"x/1"}', '{"url":"x/2"}'] }];
  const written = await write(file, 1000, templates, 2000);
  const { length } = await readFile(file, 'utf8');
  expect(length).toBeGreaterThan(1000);
  expect(length).toBeLessThan(2200);
  expect(JSON.parse(await readFile(file, 'utf8')).log.entries).toHaveLength(written);
  expect(await write(file, 3, templates)).toBe(3);
});
