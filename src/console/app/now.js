import { signal } from '@preact/signals-core';

/** The wall clock in epoch ms, by the second: what shows an age reads it and is drawn again. */
export const now = signal(0);

/** Begins to tick; at the beginning of each second, so that all ages change together. */
export function tick() {
  now.value = Date.now();
  setTimeout(tick, 1_000 - (now.value % 1_000));
}
