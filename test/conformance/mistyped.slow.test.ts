import { expect, test } from 'vitest';
import { checkInProcess } from '../../proof/in-process.js';
import { profileAlone } from '../support/interrupted.js';
import { type Declared, usualFile, usualTarget } from '../support/usual-run.js';

const nobodys = 'deadbeef-0000-4000-8000-00000000beef';
const noVersion = 4711;
const { workflows, capacity } = usualFile;

/** What is declared otherwise than of the reference service: one thing that is not there. */
const mistakes: Readonly<Record<string, Declared>> = {
  'workflows.completes': { workflows: { ...workflows, completes: nobodys } },
  'workflows.fails': { workflows: { ...workflows, fails: nobodys } },
  // Without more of them it is not started at all.
  'workflows.pausesByAgent': { workflows: { ...workflows, pausesByAgent: nobodys }, budget: { executions: 60 } },
  'workflows.variantMode': { workflows: { ...workflows, variantMode: nobodys } },
  'workflows.slow': { workflows: { ...workflows, slow: nobodys } },
  'capacity.workflow': { capacity: { ...capacity, workflow: nobodys } },
  'capacity.profileGroup': { capacity: { ...capacity, profileGroup: nobodys } },
  profileGroup: { profileGroup: nobodys },
  profile: { profile: nobodys },
  otherProfile: { ...profileAlone, otherProfile: nobodys },
  otherOrganization: { ...profileAlone, otherOrganization: nobodys },
  publishedVersion: { publishedVersion: noVersion },
  tempFile: { tempFile: { id: nobodys, name: 'statement.pdf' } },
};

test.for(Object.entries(mistakes))(
  'where %s is nothing that exists, no rule is broken for it, and the report names it and nothing else',
  async ([name, wrong]) => {
    const { rules, remarks, leftBehind } = await checkInProcess({}, { target: usualTarget(wrong) });
    expect(rules.flatMap(({ id, verdict, why }) => (verdict === 'violated' ? `${id}: ${why}` : []))).toEqual([]);
    const value = name === 'publishedVersion' ? noVersion : nobodys;
    expect(remarks).toEqual([expect.stringContaining(`${name} of the target file (${value}) does not exist`)]);
    expect(leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
  },
);
