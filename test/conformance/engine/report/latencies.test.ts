import { expect, test } from 'vitest';
import { latenciesOf } from '../../../../conformance/engine/report/json.js';
import { exchange } from '../../../support/evidence.js';

const took = (durationMs: number, status = 200) => exchange({ operation: 'getExecution', status, durationMs });

test('latencies are those of accepted answers, by operation', () => {
  const many = Array.from({ length: 100 }, (_, n) => took(100 - n));
  const start = exchange({ operation: 'execute', status: 202, durationMs: 7 });
  expect(latenciesOf([...many, took(5000, 404), start])).toEqual({
    execute: { count: 1, medianMs: 7, p95Ms: 7, maxMs: 7 },
    getExecution: { count: 100, medianMs: 50, p95Ms: 95, maxMs: 100 },
  });
});

test('latencies leave out unmeasured answers', () => {
  expect(latenciesOf([{ ...took(0), untimed: true }])).toEqual({});
});
