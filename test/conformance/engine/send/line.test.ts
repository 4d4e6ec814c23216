import { expect, test } from 'vitest';
import { NamedQueues } from '../../../../conformance/engine/send/pace.js';

test('tasks that wait for the same name run one after the other, in order', async () => {
  const lines = new NamedQueues();
  const served: string[] = [];
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const all = ['first', 'second', 'third'].map((name) =>
    lines.runInTurn('room', async () => {
      served.push(name);
      await closed;
    }),
  );
  await lines.runInTurn('elsewhere', async () => served.push('elsewhere'));
  expect(served).toEqual(['first', 'elsewhere']);
  open();
  await Promise.all(all);
  expect(served).toEqual(['first', 'elsewhere', 'second', 'third']);
});

test('the next task starts earlier if the one before allows it, or fails', async () => {
  const lines = new NamedQueues();
  const never = lines.runInTurn('room', (next) => {
    next();
    return new Promise(() => {});
  });
  const failing = lines.runInTurn('room', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  await expect(lines.runInTurn('room', async () => 'served')).resolves.toBe('served');
  expect(never).toBeInstanceOf(Promise);
});

test('a queue is free after all tasks have ended', async () => {
  const lines = new NamedQueues();
  const turn = lines.runInTurn('room', async () => lines.isBusy('room'));
  expect(await turn).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(lines.isBusy('room')).toBe(false);
});
