import { expect, test } from 'vitest';
import { instant, sameInstant } from '../../../../conformance/engine/rule/times.js';

const at = Date.UTC(2040, 5, 15, 11, 24, 35);

test.each([
  ['2040-06-15T13:24:35+02:00', at],
  ['2040-06-15T13:24:35+02', at],
  ['2040-06-15T13:24:35,250+0200', at + 250],
  ['20400615T112435Z', at],
  ['20400615T112435.678901Z', at + 678],
  ['20400615t132435+0200', at],
  ['2040-W24-5T11:24:35Z', at],
  ['2040W245T112435Z', at],
  ['2040-167T07:54:35-03:30', at],
  ['2040167T112435Z', at],
  ['2040-06-15T11Z', Date.UTC(2040, 5, 15, 11)],
  ['2040-06-14T24:00:00Z', Date.UTC(2040, 5, 15)],
  ['2025-W01-1T00:00:00Z', Date.UTC(2024, 11, 30)],
  ['2027-W01-1T00:00:00Z', Date.UTC(2027, 0, 4)],
  ['yesterday', undefined],
  ['', undefined],
  [5, undefined],
])('%s is read', (text, ms) => expect(instant(text)).toBe(ms));

test('a time without an offset is read in the same way with separators and without', () =>
  expect(instant('20400615T112435')).toBe(instant('2040-06-15T11:24:35')));

test.each([
  ['2040-06-15T11:24:35.250Z', '20400615T112435Z', true],
  ['2040-06-15T11:24:35.250Z', '20400615T112437Z', false],
  ['2040-06-15T11:24:35.250Z', '2040-06-15T11Z', true],
  ['2040-06-15T11:24:35.250Z', '2040-06-15T13Z', false],
  ['2040-06-15T11:24:35.250Z', '20400615T1124Z', true],
])('%s and %s are one time, to their precision: %s', (one, other, are) => expect(sameInstant(one, other)).toBe(are));
