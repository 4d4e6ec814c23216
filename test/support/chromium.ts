/** Starts one real browser for all tests: that of the machine, or one that is installed for them. */
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { launchOptions } from '../../scripts/docs/chromium.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The WebSocket address of the browser; empty if there is none. */
    readonly browser: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const options = launchOptions();
  const server = options.executablePath === undefined ? undefined : await chromium.launchServer(options);
  provide('browser', server ? server.wsEndpoint() : '');
  return async () => {
    if (server) await server.close();
  };
}
