/** docs/figures.md: what commands measure, a section for each. Other pages link to it. */

import { readFile, writeFile } from 'node:fs/promises';

const page = new URL('../docs/figures.md', import.meta.url);
const read = (): Promise<string> => readFile(page, 'utf8').catch(() => '');

const head = `# Figures

Written by \`npm run prove -- --write\`, \`npm run prove -- --disturbed --write\`, \`npm run prove -- --replicas --write\`, \`npm run independent -- --write\` and \`npm run bench -- --write\`, each its own sections.`;

/** The page with a section, in the place of an earlier one with the same title. */
export function withSection(earlier: string, section: string): string {
  const titled = (text: string) => [text.slice(0, text.indexOf('\n')), text.trim()] as const;
  const kept = earlier.split(/^(?=## )/m).slice(1);
  return `${[head, ...new Map([...kept, section].map(titled)).values()].join('\n\n')}\n`;
}

export const storeSection = async (section: string): Promise<void> =>
  writeFile(page, withSection(await read(), section));

/** Whether the page has exactly this section. */
export async function isStored(section: string): Promise<boolean> {
  const earlier = await read();
  return withSection(earlier, section) === earlier;
}
