/** Reads JSON reports, also those of version 1. */
import { report as validate } from '../../../generated/reports.js';
import { isFields } from '../outcome/read.js';
import { requirement, signature } from '../rule/signature.js';
import { mergedViolations } from '../rule/violations.js';
import type { Report, RuleVerdict, Violation } from '../vocabulary.js';

/** A file given as a report is none. A mistake of the user, so `exitCode` is 2. */
export class ReportError extends Error {
  override name = 'ReportError';
  readonly exitCode = 2;
}

const wayOut = 'one is written by check --report json=FILE';

export interface ReadOptions {
  /** Whether to accept version 1, which contains less. Default: true. */
  readonly earlier?: boolean;
}

/** Reads a JSON report. Throws a ReportError with the file and what is wrong with it. */
export function readReport(text: string, file: string, { earlier = true }: ReadOptions = {}): Report {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReportError(`${file}: not JSON; a report is written by check --report json=FILE.`);
  }
  if (!isFields(value) || !('verdict' in value)) throw new ReportError(`${file}: not a report; ${wayOut}.`);
  if (value.version !== 1 && value.version !== 2)
    throw new ReportError(
      `${file}: a report of version ${JSON.stringify(value.version)}; this command reads versions 1 and 2.`,
    );
  if (value.version === 1 && !earlier)
    throw new ReportError(
      `${file}: a report of version 1, which did not keep every violation; judge that recording again.`,
    );
  const upgraded = value.version === 1 ? upgrade(value as unknown as Earlier) : value;
  const fault = faultOf(upgraded);
  if (fault) throw new ReportError(`${file}: not a report: ${fault}; ${wayOut}.`);
  return upgraded as unknown as Report;
}

/** What is wrong with a report, without quoting its values. */
function faultOf(value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || 'it'} ${error?.message}`;
}

/** Version 1 listed each occurrence of a violation, and only the first twenty. */
interface Earlier extends Omit<Report, 'version' | 'suite' | 'options' | 'rules' | 'callers'> {
  readonly rules: readonly EarlierRule[];
  readonly callers: readonly EarlierRule[];
}

type EarlierRule = Omit<RuleVerdict, 'violations'> & {
  readonly violations: readonly Pick<Violation, 'required' | 'seen' | 'operation' | 'exchanges'>[];
};

function upgrade(report: Earlier): unknown {
  const rules = (all: unknown) => (Array.isArray(all) ? all.map(withSignatures) : all);
  return {
    ...report,
    version: 2,
    suite: { version: 'unknown', contract: 'v1' },
    options: {},
    rules: rules(report.rules),
    callers: rules(report.callers),
  };
}

function withSignatures(rule: EarlierRule): unknown {
  if (!isFields(rule) || !Array.isArray(rule.violations) || !rule.violations.every(isTold)) return rule;
  const violations = rule.violations.map(({ required, seen, operation, exchanges }): Violation => {
    return {
      signature: signature(requirement(required), seen),
      required,
      seen,
      operation,
      count: 1,
      exchanges,
      others: [],
    };
  });
  return { ...rule, violations: mergedViolations(violations) };
}

const isTold = (violation: unknown): boolean =>
  isFields(violation) &&
  typeof violation.required === 'string' &&
  typeof violation.seen === 'string' &&
  Array.isArray(violation.exchanges);
