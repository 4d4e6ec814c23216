import { expect, test } from 'vitest';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { checkInProcess } from '../../proof/in-process.js';

const nobodys = 'deadbeef-0000-4000-8000-00000000beef';
const noVersion = 4711;
const { target } = createReference({});

/** The target file of the reference service with one thing in it that is not there. */
const mistakes: Readonly<Record<string, object>> = {
  'workflows.completes': { workflows: { ...target.workflows, completes: nobodys } },
  'workflows.fails': { workflows: { ...target.workflows, fails: nobodys } },
  'workflows.pausesByAgent': { workflows: { ...target.workflows, pausesByAgent: nobodys } },
  'workflows.variantMode': { workflows: { ...target.workflows, variantMode: nobodys } },
  'workflows.slow': { workflows: { ...target.workflows, slow: nobodys } },
  'capacity.workflow': { capacity: { ...target.capacity, workflow: nobodys } },
  'capacity.profileGroup': { capacity: { ...target.capacity, profileGroup: nobodys } },
  profileGroup: { profileGroup: nobodys },
  profile: { profile: nobodys },
  otherProfile: { otherProfile: nobodys },
  otherOrganization: { otherOrganization: nobodys },
  publishedVersion: { publishedVersion: noVersion },
  tempFile: { tempFile: { id: nobodys, name: 'statement.pdf' } },
};

test.for(Object.entries(mistakes))(
  'where %s is nothing that exists, no rule is broken for it, and the report names it and nothing else',
  async ([name, wrong]) => {
    const { rules, remarks, leftBehind } = await checkInProcess(
      {},
      { target: toTarget({ ...target, budget: { executions: 60 }, ...wrong }) },
    );
    expect(rules.flatMap(({ id, verdict, why }) => (verdict === 'violated' ? `${id}: ${why}` : []))).toEqual([]);
    const value = name === 'publishedVersion' ? noVersion : nobodys;
    expect(remarks).toEqual([expect.stringContaining(`${name} of the target file (${value}) does not exist`)]);
    expect(leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
  },
);
