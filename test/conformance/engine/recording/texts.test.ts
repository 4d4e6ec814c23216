import { expect, test } from 'vitest';
import { Redactor } from '../../../../conformance/engine/http/redact.js';
import { Texts } from '../../../../conformance/engine/recording/texts.js';

const text = JSON.stringify({ id: 'a-secret-key', list: [1] });
const whole = (of: string) => ({ text: of, isWhole: true });

test('a text that comes again is read once', () => {
  const [texts, redactor] = [new Texts(), new Redactor(['another-key'])];
  const first = texts.read(whole(text), redactor);
  expect(first.body).toMatchObject({ kind: 'json', value: { id: 'a-secret-key', list: [1] }, bytes: text.length });
  expect(texts.read(whole(`${text}`), redactor).body).toBe(first.body);
});

test('what one key leaves in a text, the next takes out', () => {
  const texts = new Texts();
  texts.read(whole(text), new Redactor(['another-key']));
  expect(texts.read(whole(text), new Redactor(['a-secret-key']))).toMatchObject({
    clean: text.replace('a-secret-key', '[redacted]'),
    body: { kind: 'json', value: { id: '[redacted]', list: [1] } },
  });
});

test('what was parsed already is not parsed again, unless a key was in it', () => {
  const value = { id: 'a-secret-key', list: [1] };
  const read = (key: string) => new Texts().read({ ...whole(text), value }, new Redactor([key])).body;
  expect(read('another-key')).toMatchObject({ kind: 'json', value });
  expect((read('another-key') as { value: unknown }).value).toBe(value);
  expect(read('a-secret-key')).toMatchObject({ value: { id: '[redacted]' } });
});

test('texts are forgotten before they fill the memory', () => {
  const [texts, redactor] = [new Texts(), new Redactor([])];
  const read = (turn: number) => texts.read(whole(JSON.stringify({ turn, more: 'x'.repeat(60_000) })), redactor).body;
  const first = read(0);
  for (let turn = 1; turn < 60; turn += 1) read(turn);
  expect(read(0)).toBe(first);
  for (let turn = 60; turn < 140; turn += 1) read(turn);
  expect(read(0)).not.toBe(first);
});
