/** A promise of the suite that a driver broke, in words that name the step. Anything else that is thrown is red, too. */
export class Breach extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Breach';
  }
}

/** @throws Breach when `condition` does not hold. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Breach(message);
}
