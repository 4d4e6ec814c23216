import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

/**
 * Connects to the browser that all page tests share. Closing it closes what the caller opened. Throws if there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const place = inject('browser');
  if (place === '')
    throw new Error(
      'The tests of pages need Chromium or Chrome: install one (npx playwright-core install chromium), or set CHROME_PATH to its executable.',
    );
  return chromium.connect(place);
}
