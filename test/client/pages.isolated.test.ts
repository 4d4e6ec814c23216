/** What the client downloads where the files of an execution are listed in pages. */
import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/sends.js';

vi.mock('../../generated/sends.js', async (original) => {
  const { sends } = await original<typeof generated>();
  const listExecutionFiles = { ...sends.listExecutionFiles, pages: { asks: 'from', says: 'next' } };
  return { sends: { ...sends, listExecutionFiles } };
});

vi.resetModules();
const { executionId, json, scripted } = await import('./support.js');
const file = (fileName: string) => ({ fileName, fileSize: 0, downloadUrl: `https://files.example.com/${fileName}` });
const page =
  (next: string | undefined, ...names: string[]) =>
  () =>
    json({ directories: { debug: names.map(file) }, next });

async function downloaded(...answers: (() => Response)[]) {
  const { client, sent } = scripted(answers);
  const names: string[] = [];
  for await (const { file } of client.downloadFiles(executionId)) names.push(file.fileName);
  return { names, asked: sent.slice(0, answers.length).map(({ url }) => new URL(url).search) };
}

test('the files of all pages are downloaded', async () => {
  const none = () => new Response('');
  const { names, asked } = await downloaded(page('b', 'one'), page('c'), page(undefined, 'two'), none, none);
  expect(names).toEqual(['one', 'two']);
  expect(asked.slice(0, 3)).toEqual(['', '?from=b', '?from=c']);
});

test('a page that names itself as the next is no listing', async () => {
  await expect(downloaded(page('b'), page('b'))).rejects.toMatchObject({
    kind: 'malformed-response',
    message: 'downloadFiles: a page of the listing names itself as the next',
  });
});
