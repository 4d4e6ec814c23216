import { afterAll, vi } from 'vitest';

/** For a file that replaces a module: what it imports from here on is loaded anew, and so is what the next file imports. */
export function freshModules(): void {
  vi.resetModules();
  afterAll(() => {
    vi.resetModules();
  });
}
