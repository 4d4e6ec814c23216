import { expect, test } from 'vitest';
import { signedUrlMask } from '../../../../conformance/engine/http/redact.js';

test.each<[what: string, text: string, shown: string]>([
  [
    'of a bucket',
    'https://b.s3.example.com/f?X-Amz-Expires=900&X-Amz-Signature=ab%2Fcd',
    'https://b.s3.example.com/f?X-Amz-Expires=[signed 1]&X-Amz-Signature=[signed 2]',
  ],
  ['with sig', 'https://a.example/x?se=2027&sig=Zm9v%3D', 'https://a.example/x?se=[signed 1]&sig=[signed 2]'],
  ['in a sentence', 'see <https://a.example/x?token=abc>.', 'see <https://a.example/x?token=[signed 1]>.'],
  [
    'in JSON in a text',
    '{"u":"https:\\/\\/a.example\\/x?a=1\\u0026Signature=abc"}',
    '{"u":"https:\\/\\/a.example\\/x?a=[signed 1]\\u0026Signature=[signed 2]"}',
  ],
  [
    'after the number sign',
    'https://a.example/x?a=1#access_token=abc',
    'https://a.example/x?a=[signed 1]#access_token=[signed 2]',
  ],
  ['with equal values', 'https://a.example/?sig=x&b=x', 'https://a.example/?sig=[signed 1]&b=[signed 1]'],
])('masks the query of a signed URL %s', (_, text, shown) => {
  expect(signedUrlMask()(text)).toBe(shown);
});

test.each([
  'https://a.example/x?page=2&design=blue',
  'https://a.example/x',
  'token=abc without an address',
  'what?sig=abc',
])('leaves %s as it is', (text) => {
  expect(signedUrlMask()(text)).toBe(text);
});

test('needs no more time for a text that is built to be slow', () => {
  const before = performance.now();
  signedUrlMask()(`https://${'a'.repeat(200_000)}?${'sig=&'.repeat(50_000)}`);
  signedUrlMask()('https://?'.repeat(50_000));
  expect(performance.now() - before).toBeLessThan(2_000);
});
