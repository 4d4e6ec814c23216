import { expect, test } from 'vitest';
import { maskOf } from '../../../../conformance/suite/profiles/mask.js';
import { exchange, ids } from '../../../support/evidence.js';

const live = 'https://live.example.com/session/5f1c9a77b3?token=open-sesame';
const file = 'https://files.example.com/a/b.csv?X-Signature=abcdef0123456789';
const execution = { id: ids.execution, liveViewUrl: live, browserLiveViewUrl: live };
const listing = { directories: { workspace: [{ fileName: 'b.csv', downloadUrl: file }] } };

const mask = maskOf([
  exchange({ operation: 'getExecution', resource: ids.execution, status: 200, body: execution }),
  exchange({ operation: 'listExecutionFiles', resource: ids.execution, status: 200, body: listing }),
]);

test('a URL that grants access is masked in a body, and equal URLs stay equal', () => {
  expect(mask.inPlace(execution)).toEqual({
    id: ids.execution,
    liveViewUrl: 'https://live.example.com/[masked 1]',
    browserLiveViewUrl: 'https://live.example.com/[masked 1]',
  });
  expect(mask.inPlace(listing)).toEqual({
    directories: { workspace: [{ fileName: 'b.csv', downloadUrl: 'https://files.example.com/[masked 2]' }] },
  });
});

test('it is masked in texts as well, and other text stays', () => {
  expect(mask.text(`seen: ${live} and ${file}`)).toBe(
    'seen: https://live.example.com/[masked 1] and https://files.example.com/[masked 2]',
  );
  expect(mask.text('https://example.com/docs?page=2')).toBe('https://example.com/docs?page=2');
});

test('it is masked where a text was cut within it', () => {
  expect(mask.text(`seen: {"liveViewUrl":"${live.slice(0, 40)}…`)).toBe(
    'seen: {"liveViewUrl":"https://live.example.com/[masked]…',
  );
  expect(mask.text(`seen: ${live} and so on…`)).toBe('seen: https://live.example.com/[masked 1] and so on…');
});

test('an id in such a URL is not a secret', () => {
  const url = `https://live.example.com/${ids.execution}`;
  const one = maskOf([
    exchange({ operation: 'getExecution', status: 200, body: { id: ids.execution, liveViewUrl: url } }),
  ]);
  expect(one.text(`${ids.execution} at ${url}`)).toBe(`${ids.execution} at https://live.example.com/[masked 1]`);
});

test('a cookie value that is a URL is masked as a whole', () => {
  const cookies = [{ name: 'next', value: 'https://me:secret@example.com/next' }];
  const one = maskOf([exchange({ operation: 'updateProfile', status: 200, body: { cookies } })]);
  expect(one.inPlace({ cookies })).toEqual({ cookies: [{ name: 'next', value: '[masked 1]' }] });
});

test('a URL without a path, and a text that is not a URL, stay as they are', () => {
  const plain = { liveViewUrl: 'https://live.example.com/', downloadUrl: 5, recordingUrl: 'none' };
  const none = maskOf([exchange({ operation: 'getExecution', resource: ids.execution, status: 200, body: plain })]);
  expect(none.inPlace(plain)).toEqual(plain);
});
