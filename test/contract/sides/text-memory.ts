import type { Memory } from '../../../src/sandbox/controllable-terminal.ts';

/** A memory that outlives a restart. */
export function textMemory(): Memory {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next) => {
      text = next;
    },
  };
}
