import { expect, test } from 'vitest';
import { refusedForKey } from '../../../../conformance/engine/outcome/read.js';
import type { Credential } from '../../../../conformance/engine/vocabulary.js';
import { exchange } from '../../../support/evidence.js';

const isForKey = (status: number, credential?: Credential): boolean =>
  refusedForKey(
    exchange({
      operation: 'updateProfile',
      status,
      body: { code: status, message: 'No.' },
      ...(credential && { mark: { credential } }),
    }),
  );

test('401 is about the key, 403 only if the key is known to lack the permission', () => {
  expect([isForKey(401), isForKey(401, 'primary'), isForKey(403, 'restricted'), isForKey(403, 'none')]).toEqual(
    Array(4).fill(true),
  );
  // Of a recording nobody knows what its key may do.
  expect([isForKey(403), isForKey(403, 'primary'), isForKey(404, 'none'), isForKey(200, 'none')]).toEqual(
    Array(4).fill(false),
  );
});
