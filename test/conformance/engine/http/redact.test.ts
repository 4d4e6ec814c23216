import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../conformance/engine/http/redact.js';
import { redacted } from '../../../../conformance/engine/rule/values.js';

const key = 'sk/live+42&<Key>=="x';
const { finds, text, value } = (() => {
  const redactor = new Redactor([key]);
  return {
    finds: (given: string) => redactor.text(given) !== given,
    text: (given: string) => redactor.text(given),
    value: <T>(given: T) => redactor.value(given),
  };
})();

const hexOf = (digits: (hex: string) => string) =>
  [...key].map((one) => digits(one.charCodeAt(0).toString(16).padStart(2, '0'))).join('');

const ways: [string, (one: string) => string][] = [
  ['a backslash before', (one) => `\\${one}`],
  ['a code point of JSON', (one) => `\\u00${one.charCodeAt(0).toString(16)}`],
  ['a code point of JavaScript', (one) => `\\x${one.charCodeAt(0).toString(16)}`],
  ['a percent-encoding', (one) => `%${one.charCodeAt(0).toString(16)}`],
  ['a percent-encoding of a single character', (one) => `%25${one.charCodeAt(0).toString(16)}`],
  ['an entity', (one) => `&#${one.charCodeAt(0)};`],
  ['an empty byte after', (one) => `${one}\0`],
];

describe('a key is found and removed', () => {
  test.each([
    ['as it is', key],
    ['as JSON writes it', JSON.stringify(key).slice(1, -1)],
    ['with escaped slashes', JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    [
      'with a plus and an ampersand as code points',
      key.replaceAll('+', '\\u002B').replaceAll('&', '\\u0026').replaceAll('"', '\\"'),
    ],
    ['with every character as a code point', hexOf((hex) => `\\u00${hex}`)],
    ['within JSON within JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    ['within JSON within JSON within JSON', JSON.stringify(JSON.stringify(JSON.stringify(key))).slice(7, -7)],
    [
      'with every character as a code point, within JSON within JSON',
      JSON.stringify(JSON.stringify(hexOf((hex) => `\\u00${hex}`))).slice(3, -3),
    ],
    ['in UTF-16', [...key].join('\0')],
    ['in UTF-16, within JSON', JSON.stringify([...key].join('\0')).slice(1, -1)],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in lower case', encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['percent-encoded altogether', hexOf((hex) => `%${hex}`)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
    [
      'with HTML entities',
      key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['with numeric entities', [...key].map((one) => `&#${one.charCodeAt(0)};`).join('')],
    ['with hexadecimal entities', hexOf((hex) => `&#x${hex};`)],
    ['in base64', Buffer.from(key).toString('base64').replace(/=+$/, '')],
    ['in base64url', Buffer.from(key).toString('base64url')],
    ['in hex', Buffer.from(key).toString('hex')],
    ['in capital hex', Buffer.from(key).toString('hex').toUpperCase()],
  ])('%s', (_, written) => {
    expect(finds(`before ${written} after`)).toBe(true);
    expect(text(`before ${written} after`)).toBe(`before ${redacted} after`);
  });

  test.each(['user:', 'ab:', 'a user of another name:'])('in base64 after %j, as in Basic authentication', (user) => {
    const written = Buffer.from(`${user}${key}`).toString('base64');
    expect(text(written)).not.toBe(written);
    expect(Buffer.from(text(written).split(redacted).join(''), 'base64').toString()).not.toContain(key.slice(2, -2));
  });

  test.each(ways)('with one character in another encoding: %s', (_, write) => {
    for (const [place, one] of [...key].entries()) {
      const written = `${key.slice(0, place)}${write(one)}${key.slice(place + 1)}`;
      expect(text(`before ${written} after`).startsWith(`before ${redacted}`), written).toBe(true);
    }
  });

  test.each(ways)('with two neighbours in other encodings: %s, and any', (_, write) => {
    const all = [...key];
    for (const [place, one] of all.slice(0, -1).entries())
      for (const [, other] of ways) {
        const written = `${key.slice(0, place)}${write(one)}${other(all[place + 1] ?? '')}${key.slice(place + 2)}`;
        expect(text(`before ${written} after`).startsWith(`before ${redacted}`), written).toBe(true);
      }
  });

  test('in values and names of parsed JSON, and no other part is copied', () => {
    const rest = { list: [1, 'two'] };
    const given = { [key]: [`${key}!`], rest };
    expect(value(given)).toEqual({ [redacted]: [`${redacted}!`], rest });
    expect((value(given) as unknown as typeof given).rest).toBe(rest);
    expect(value(rest)).toBe(rest);
  });
});

test.each(['e', '42', 'seven77'])('a key of a few characters, %j, is not searched for', (short) => {
  const redactor = new Redactor([short]);
  expect(redactor.text(`https://${short}.example/${short}`)).toBe(`https://${short}.example/${short}`);
  expect(redactor.sent({ 'x-api-key': short })).toEqual({ 'x-api-key': redacted });
});

test('a body of backslashes only takes no longer than another', () => {
  const before = performance.now();
  expect(finds('\\'.repeat(1_000_000))).toBe(false);
  expect(performance.now() - before).toBeLessThan(5000);
});
