import { operations } from '../generated/operations.js';
import { responseExamples, withExamples } from './examples.js';
import type { Mock } from './index.js';

/** The text for whoever started the mock: its address, a request that works, and how to ask for other answers. */
export function greeting({ url, document }: Mock): string {
  const { path, keyHeader } = operations.getExecution;
  const target = url + withExamples(document, path);
  const names = responseExamples(document, 'getExecution').map(({ name }) => name);
  return `The mock listens on ${url}
It answers with the contract's examples, remembers nothing, and takes any API key.

  curl -H '${keyHeader}: any' ${target}

Another example:  -H 'Prefer: example=queued'   (here: ${names.join(', ')})
Another status:   -H 'Prefer: code=404'
A refused request is told why in the header sl-violations. Ctrl-C ends the mock.
`;
}
