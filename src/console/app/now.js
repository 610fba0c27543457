import { signal } from '@preact/signals-core';

/** The wall clock in epoch ms, by the second: a component that reads it is rendered again each second. */
export const now = signal(0);

/** Starts the clock; it ticks at the start of each second, so that all ages change together. */
export function tick() {
  now.value = Date.now();
  setTimeout(tick, 1_000 - (now.value % 1_000));
}
