import type { Charge } from './charges.ts';

/** Which line of a ledger each attempt goes by: no line is two attempts'. */
export class Claims {
  readonly #attemptOf = new Map<Charge, string>();
  readonly #lineOf = new Map<string, Charge>();

  /** @returns who has it already, if somebody else. */
  claim(charge: Charge, attemptId: string): string | null {
    const holder = this.#attemptOf.get(charge);
    if (holder !== undefined && holder !== attemptId) return holder;
    this.#attemptOf.set(charge, attemptId);
    this.#lineOf.set(attemptId, charge);
    return null;
  }

  /** The line that staff typed and the rules let this attempt go by. */
  adoptedBy(attemptId: string): Charge | undefined {
    const charge = this.#lineOf.get(attemptId);
    return charge?.causedBy === null ? charge : undefined;
  }

  adopterOf(charge: Charge): string | undefined {
    return this.#attemptOf.get(charge);
  }
}
