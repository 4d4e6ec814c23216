/** Runs the suite as tests of Vitest. */
import './suite/contract.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { rules } from '../generated/rules.js';
import { check, type Run } from './check.js';
import { curl } from './engine/report/curl.js';
import { conclude } from './engine/rule/verdicts.js';
import type { Target } from './engine/send/request-spec.js';
import { checkOptions, type Known, SettingsError } from './engine/settings/file.js';
import type { RuleVerdict } from './engine/vocabulary/report.js';
import { checkedTarget, readTarget } from './suite/target/read.js';
import type { TargetFile } from './suite/target/target.js';

export interface ConformanceTests {
  /** The path or the content of a target file (keys in clear text), or a function that returns either. */
  readonly target: TargetSource | (() => TargetSource | Promise<TargetSource>);
  /** A violated SHOULD fails its test too. Default: false. */
  readonly strict?: boolean;
  /** Allows keys over plain HTTP to another machine. Default: false. */
  readonly insecureHttp?: boolean;
  /** The time limit of the run, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number;
}

type TargetSource = string | TargetFile;

const optionNames: Known<ConformanceTests> = {
  target: true,
  strict: true,
  insecureHttp: true,
  timeoutMs: true,
};

const tenMinutesMs = 600_000;

/**
 * Makes a test of each rule. The target is checked once, before the first test. Untested rules are skipped with the
 * reason, inconclusive ones fail. Throws a SettingsError for unknown options.
 */
export function testConformance(name: string, options: ConformanceTests): void {
  checkOptions('testConformance', options, optionNames);
  if (options.target === undefined)
    throw new SettingsError('testConformance', [
      'testConformance: target is missing: give a target file or its content.',
    ]);
  describe(name, () => {
    let run: Run;
    let verdicts: Map<string, RuleVerdict>;
    const { timeoutMs = tenMinutesMs } = options;
    beforeAll(async () => {
      const source = typeof options.target === 'function' ? await options.target() : options.target;
      const target = resolve(source, { insecureHttp: options.insecureHttp ?? false });
      // The run ends before Vitest would abort it, so that it can undo its changes.
      run = await check({ target, maxTimeMs: timeoutMs * 0.8 });
      const { rules: concluded } = conclude(run, { today: new Date().toISOString().slice(0, 10) });
      verdicts = new Map(concluded.map((verdict) => [verdict.id, verdict]));
    }, timeoutMs);

    test('the target is usable', () => {
      if (!run.preflight.usable) expect.fail(run.preflight.reason);
    });

    describe.each(['MUST', 'SHOULD'] as const)('%s', (level) => {
      // `test.for` would shorten texts in a title to 40 characters, and quote them.
      for (const { id, says } of rules.filter((rule) => rule.level === level))
        test(`${id}: ${says}`, async (context) => {
          const rule = verdicts.get(id);
          if (!rule || rule.verdict === 'untested' || rule.verdict === 'not-applicable') return context.skip(rule?.why);
          const tolerated = rule.verdict === 'violated' && level === 'SHOULD' && !options.strict;
          if (tolerated) await context.annotate(rule.why, 'warning');
          else if (rule.verdict !== 'passed') expect.fail(explain(rule, run));
        });
    });
  });
}

const resolve = (source: TargetSource, options: { readonly insecureHttp: boolean }): Target =>
  typeof source === 'string' ? readTarget(source, process.env, options) : checkedTarget(source, options);

function explain(rule: RuleVerdict, { evidence }: Run): string {
  const shown = rule.violations.slice(0, 3).flatMap(({ expected, actual, exchanges }) => {
    const exchange = evidence.exchanges.find(({ id }) => id === exchanges[0]);
    return [`expected: ${expected}`, `actual:   ${actual}`, ...(exchange ? [curl(exchange)] : []), ''];
  });
  return shown.length > 0 ? shown.join('\n') : `${rule.verdict}: ${rule.why}`;
}
