import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findPrism, keepPrism } from '../../mock/prism.js';

const document = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url));

it('starts Prism again when it ends, and reports it in one line', async () => {
  const notices: string[] = [];
  const prism = keepPrism({ document, dynamic: false, notice: (line) => notices.push(line) });
  try {
    const first = await prism.origin();
    await expect(fetch(`${first}/agents/v2/executions/%E0%A4%A`)).rejects.toThrow();
    await expect.poll(() => notices, { timeout: 10_000 }).toHaveLength(1);
    expect(notices[0]).toMatch(/^Prism ended \(exit code 1\): URIError: .*; the next request starts it again\.$/);
    expect((await fetch(`${await prism.origin()}/agents/v2/nothing`)).status).toBe(404);
  } finally {
    await prism.stop();
  }
  expect(notices).toHaveLength(1);
});

it('reports why Prism cannot start, instead of trying without end', async () => {
  const prism = keepPrism({ document: `${document}.missing`, dynamic: false, notice: () => {} });
  await expect(prism.origin()).rejects.toThrow(
    /^Prism ended \(exit code 1\).*before it listened; the contract is .*missing/,
  );
});

it('names the command that installs Prism when it is missing', () => {
  const resolve = () => {
    throw new Error('Cannot find module');
  };
  expect(() => findPrism(resolve)).toThrow('npm install --save-dev @stoplight/prism-cli@5.14.2');
});
