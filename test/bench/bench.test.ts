import { describe, expect, it } from 'vitest';
import { inSequence } from '../../bench/check.js';
import { adapted } from '../../bench/dredd-document.js';
import { alternating, ratios, type Section, show, spread } from '../../bench/measure.js';
import { type Machine, markdown, measured, reached } from '../../bench/page.js';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { targetOf } from '../../reference/fixtures.js';

const section: Section = {
  title: 'A thing beside another',
  how: 'Both, in turns.',
  columns: ['', 'ratio'],
  rows: [['quickly', '0.50 (0.40–0.60)']],
  aims: [
    { says: 'at most 1', was: '0.50', met: true },
    { says: 'at most 0.4', was: '0.50', met: false },
  ],
};
const machine: Machine = {
  date: '2026-01-01',
  processor: 'A processor',
  cores: 2,
  memoryGb: 8,
  system: 'linux x64',
  node: 'v20.19.0',
  loadBefore: 0.1,
};

describe('the figures of a benchmark', () => {
  it.each([
    { given: [3, 1, 2], want: { min: 1, median: 2, max: 3 } },
    { given: [4, 1, 2, 3], want: { min: 1, median: 2.5, max: 4 } },
    { given: [7], want: { min: 7, median: 7, max: 7 } },
  ])('are the least, the median and the most of $given', ({ given, want }) => {
    expect(spread(given)).toEqual(want);
  });

  it('are compared round by round', () => {
    expect(ratios([2, 30], [1, 10])).toEqual({ min: 2, median: 2.5, max: 3 });
    expect(show(ratios([2, 30], [1, 10]), 1)).toBe('2.5 (2.0–3.0)');
  });

  it('are measured in turns, in changing order', async () => {
    const order: string[] = [];
    const side = (name: string) => async () => order.push(name);
    await alternating(2, { one: side('one'), other: side('other'), none: undefined });
    expect(order).toEqual(['one', 'other', 'other', 'one']);
  });

  it.each([
    { given: [], want: 0 },
    {
      given: [
        [0, 10],
        [1, 9],
        [2, 11],
      ] as const,
      want: 1,
    },
    {
      given: [
        [0, 1],
        [0, 3],
        [1, 2],
        [3, 4],
      ] as const,
      want: 3,
    },
  ])('count $want in sequence of the requests $given', ({ given, want }) => {
    expect(inSequence(given)).toBe(want);
  });
});

describe('the page of the benchmarks', () => {
  it('says of each aim whether it is met', () => {
    const text = reached(section);
    expect(text).toContain('| quickly | 0.50 (0.40–0.60) |');
    expect(text).toContain('- Met: at most 1. It was 0.50.');
    expect(text).toContain('- **Not met**: at most 0.4. It was 0.50.');
  });

  it('names the machine and the versions, and owns to a busy machine', () => {
    const versions = { ajv: '8.0.0' };
    expect(measured(section, machine, versions)).toMatch(
      /Node v20\.19\.0 on linux x64, 2 cores.*\n.*With ajv 8\.0\.0\.$/,
    );
    expect(measured(section, machine, versions)).not.toContain('busy with other work');
    expect(measured(section, { ...machine, loadBefore: 3 }, versions)).toContain('busy with other work');
  });

  it('keeps what is not measured anew, in its place', () => {
    const first = markdown(['## One\n\n1', '## Two\n\n2']);
    expect(markdown([], first)).toBe(first);
    expect(markdown(['## One\n\nanew', '## Three\n\n3'], first)).toBe(
      markdown(['## One\n\nanew', '## Two\n\n2', '## Three\n\n3']),
    );
  });
});

describe('the benchmarks', () => {
  it('give Dredd the ids of the service and a status for every success', () => {
    const target = targetOf('');
    const { paths, components } = adapted(structuredClone(contract), target);
    const { duplicate, profileId } = {
      duplicate: paths['/agents/v2/agent-profiles/{profileId}/duplicate']?.post,
      profileId: components.parameters.profileId,
    };
    expect(profileId?.example).toBe(target.profile);
    expect(duplicate).toMatchObject({ responses: { 201: {} } });
    expect(JSON.stringify(paths)).not.toContain('"2XX"');
  });
});
