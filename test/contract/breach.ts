/** A promise of the interface that was not kept; its message says which, in one line. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** @throws Breach */
export function hold(kept: boolean, otherwise: () => string): asserts kept {
  if (!kept) throw new Breach(otherwise());
}
