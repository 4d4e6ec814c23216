/** Validates recordings with Prism's validator, for a comparison. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { operations } from '../generated/operations.js';
import { root } from './measure.js';

/** The parts of Prism's HTTP package that are used here. */
interface Spec {
  getHttpOperationsFromSpec(file: string): Promise<readonly { readonly method: string; readonly path: string }[]>;
}
interface Validation {
  validateInput(of: { resource: unknown; element: unknown }): Either;
  validateOutput(of: { resource: unknown; element: unknown }): Either;
}
type Either = { readonly _tag: 'Left' | 'Right'; readonly left?: unknown };

/** The parts of an entry of a HAR file that are read here. */
interface Entry {
  readonly request: { method: string; url: string; headers: readonly Header[]; postData?: { text: string } };
  readonly response: { status: number; headers: readonly Header[]; content: { text?: string } };
}
interface Header {
  readonly name: string;
  readonly value: string;
}

const inside = (path: string) => new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Validates all requests and responses of HAR files with Prism. Throws if one is invalid: the service conforms. */
export async function validateWithPrism(files: readonly string[]): Promise<number> {
  const ofPrism = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'));
  const spec: Spec = ofPrism('@stoplight/prism-http');
  const prism: Validation = ofPrism('@stoplight/prism-http/dist/validator');
  const resources = await spec.getHttpOperationsFromSpec(join(root, 'generated/openapi.json'));
  const known = Object.values(operations).map(({ method, path }) => ({
    method,
    pattern: inside(path),
    resource: resources.find((one) => one.path === path && one.method.toUpperCase() === method),
  }));
  let count = 0;
  for (const file of files)
    for (const { request, response } of JSON.parse(readFileSync(file, 'utf8')).log.entries as Entry[]) {
      const { pathname: path } = new URL(request.url);
      const resource = known.find(({ method, pattern }) => method === request.method && pattern.test(path))?.resource;
      if (!resource) throw new Error(`Prism knows no ${request.method} ${path}`);
      const { status: statusCode } = response;
      const body = (text?: string) => (text ? JSON.parse(text) : undefined);
      const outcomes = [
        prism.validateInput({
          resource,
          element: {
            method: request.method.toLowerCase(),
            url: { path },
            headers: headers(request.headers),
            body: body(request.postData?.text),
          },
        }),
        prism.validateOutput({
          resource,
          element: { statusCode, headers: headers(response.headers), body: body(response.content.text) },
        }),
      ];
      for (const { _tag, left } of outcomes)
        if (_tag === 'Left') throw new Error(`Prism refuses ${request.method} ${path}: ${JSON.stringify(left)}`);
      count += 1;
    }
  return count;
}

const headers = (list: readonly Header[]) =>
  Object.fromEntries(list.map(({ name, value }) => [name.toLowerCase(), value]));
