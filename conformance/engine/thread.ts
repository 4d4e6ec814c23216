import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of this suite. In the package it is a file beside this one, in the single executable a part of that; in the
 * sources the thread has to learn TypeScript first.
 */
export function startThread(name: string, source: URL, options: WorkerOptions): Worker {
  if (isSea()) return new Worker(getAsset(`${name}.cjs`, 'utf8'), { ...options, eval: true });
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, import.meta.url), options);
  const tsx = import.meta.resolve('tsx/esm/api');
  const code = `import('${tsx}').then(({ register }) => { register(); return import('${source}'); })`;
  return new Worker(code, { ...options, eval: true });
}
