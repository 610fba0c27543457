import type { OwnReference } from '../../../src/terminal/ports.ts';

let given = 0;

/** A reference that no payment of this run had before. */
export function nextReference(): OwnReference {
  given += 1;
  const digits = given.toString(36).toUpperCase().padStart(5, '0');
  return {
    attemptId: `0198c5a0-0000-7000-8000-${given.toString(16).padStart(12, '0')}`,
    ticket: `B${digits}`,
  };
}
