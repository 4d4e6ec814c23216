/** A real browser for tests: the one of the machine, or else one that is installed for them; started once for all. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { launchOptions } from '../../scripts/docs/chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the tests can be had; empty where there is none. */
    readonly browser: string;
  }
}

/** Starts one headless Chromium for all tests of pages. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const options = launchOptions();
  const server = options.executablePath === undefined ? undefined : await chromium.launchServer(options);
  provide('browser', server ? server.wsEndpoint() : '');
  return async () => {
    if (server) await server.close();
  };
}
