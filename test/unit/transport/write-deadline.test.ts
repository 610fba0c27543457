import { pbkdf2 } from 'node:crypto';
import { stat } from 'node:fs';
import { expect, it } from 'vitest';
import { watchWrite } from '../../../src/transport/write-deadline.ts';

it('a write that never ends is late', async () => {
  await new Promise<void>((resolve) => watchWrite(1, resolve));
});

it('a write that has ended is not late', async () => {
  let isLate = false;
  watchWrite(1, () => {
    isLate = true;
  })();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isLate).toBe(false);
});

it('a write that waits for a machine without a free thread is not late', async () => {
  let isLate = false;
  const busy = Array.from(
    { length: 8 },
    () => new Promise((resolve) => pbkdf2('a', 'b', 200_000, 64, 'sha512', resolve)),
  );
  await new Promise<void>((resolve) => {
    const taken = watchWrite(1, () => {
      isLate = true;
    });
    stat('/', () => {
      taken();
      resolve();
    });
  });
  await Promise.all(busy);
  expect(isLate).toBe(false);
});
