import { afterAll } from 'vitest';
import { testConformance } from '../../conformance/vitest.js';
import { type Mock, startMock } from '../../mock/index.js';

let mock: Mock | undefined;

testConformance('the Prism mock', {
  target: async () => {
    mock = await startMock();
    return { baseUrl: mock.url, stateful: false, allow: 'delete', apiKeys: { primary: 'any-key-will-do' } };
  },
});

afterAll(() => mock?.close());
