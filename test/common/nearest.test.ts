import { describe, expect, it } from 'vitest';
import { nearest } from '../../common/nearest.js';

describe('the nearest name', () => {
  it.each([
    ['complets', ['completes', 'fails'], 'completes'],
    ['COMPLETES', ['fails', 'completes'], 'completes'],
    ['raed', ['write', 'read'], 'read'],
    ['terminal-is-fnal', ['files-are-grouped', 'terminal-is-final'], 'terminal-is-final'],
    ['cert', ['certificate', 'key'], 'certificate'],
    ['sync', ['sync-start', 'sync-end'], undefined],
    ['a', ['abc'], undefined],
    ['nonsense', ['completes', 'fails'], undefined],
    ['abc', ['xyz'], undefined],
    ['anything', [], undefined],
  ])('to %s among %j is %s', (name, candidates, want) => {
    expect(nearest(name, candidates)).toBe(want);
  });
});
