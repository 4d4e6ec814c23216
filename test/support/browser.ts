import { type Browser, chromium } from 'playwright-core';
import { test as anyTest, inject } from 'vitest';

/** A test of a page. Skipped, as are the hooks of its file, where there is no browser. */
export const test = anyTest.skipIf(inject('browser') === '');

/** Connects to the browser that all page tests share. Closing it closes what the caller opened. */
export const openBrowser = (): Promise<Browser> => chromium.connect(inject('browser'));
