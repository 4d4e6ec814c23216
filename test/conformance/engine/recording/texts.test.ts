import { expect, test } from 'vitest';
import { Redactor } from '../../../../conformance/engine/http/redact.js';
import { Texts } from '../../../../conformance/engine/recording/texts.js';

const text = JSON.stringify({ id: 'a-secret-key', list: [1] });

test('a text that comes again is read once', () => {
  const [texts, redactor] = [new Texts(), new Redactor(['another-key'])];
  const first = texts.read(text, redactor);
  expect(first.body).toMatchObject({ kind: 'json', value: { id: 'a-secret-key', list: [1] }, bytes: text.length });
  expect(texts.read(`${text}`, redactor).body).toBe(first.body);
});

test('what one key leaves in a text, the next takes out', () => {
  const texts = new Texts();
  texts.read(text, new Redactor(['another-key']));
  expect(texts.read(text, new Redactor(['a-secret-key']))).toMatchObject({
    clean: text.replace('a-secret-key', '[redacted]'),
    body: { kind: 'json', value: { id: '[redacted]', list: [1] } },
  });
});

test('texts are forgotten before they fill the memory', () => {
  const [texts, redactor] = [new Texts(), new Redactor([])];
  const read = (turn: number) => texts.read(JSON.stringify({ turn, more: 'x'.repeat(60_000) }), redactor).body;
  const first = read(0);
  for (let turn = 1; turn < 60; turn += 1) read(turn);
  expect(read(0)).toBe(first);
  for (let turn = 60; turn < 140; turn += 1) read(turn);
  expect(read(0)).not.toBe(first);
});
