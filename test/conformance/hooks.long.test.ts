import { test } from 'vitest';
import { days } from '../support/operator.js';

test('ten runs with hooks judge the same rules, and leave nothing', () => days(10, {}), 600_000);
