import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faults, faultTopics, findFault } from '../../deviations/index.js';
import { rules } from '../../generated/rules.js';

const suite = new URL('../../conformance/suite/', import.meta.url);

const files = readdirSync(suite, { recursive: true })
  .map((name) => `${name}`.replaceAll('\\', '/'))
  .filter((name) => /^\w+\/rules(?:\/[\w-]+)?\.ts$/.test(name));
const modules = await Promise.all(
  files.map(async (name) => [name.replace(/\/.*/, ''), await import(new URL(name, suite).href)] as const),
);
/** The topic of each rule: the folder in which its judge stands. */
const topicOf = new Map(
  modules.flatMap(([topic, exported]) =>
    Object.values<object>(exported).flatMap((judges) => Object.keys(judges).map((rule) => [rule, topic] as const)),
  ),
);

// That each violates what it says, and nothing else, is proven by the suite itself: test/proof/.
describe('the catalogue of faults', () => {
  it.each(Object.entries(faultTopics))('has a rule of that topic first in each fault of %s', (topic, those) => {
    expect(those.filter(({ breaks: [rule] }) => topicOf.get(rule) !== topic)).toEqual([]);
  });

  it('violates each rule of the register', () => {
    const broken = new Set<string>(faults.flatMap(({ breaks }) => breaks));
    expect(rules.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it('suggests a fault when an id is misspelt', () => {
    expect(() => findFault('pool-stay')).toThrow('the fault pool-stay is unknown; did you mean pools-stay?');
    expect(() => findFault('xyz')).toThrow(
      `the fault xyz is unknown; generated/docs/faults.md lists all ${faults.length}.`,
    );
  });
});
