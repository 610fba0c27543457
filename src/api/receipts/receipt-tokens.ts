import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Sealer } from '../../base/sealer.ts';

/** How long a receipt may be opened. */
export const RECEIPT_LIFE_MS = 15 * 60_000;

/** What the sealer authenticates beside the text: what was sealed for anything else opens no receipt. */
const PURPOSE = 'receipt link';
/** A sealed id and instant have 107 characters. */
const TOKEN = /^v1\.[\w-]{104}$/;
const CONTENT = /^([0-9a-f-]{36}) (\d{13})$/;

export interface ReceiptTokenDeps {
  readonly sealer: Sealer;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Tokens that open the receipt of one payment until an instant. They are sealed with the key of the state folder (AES-256-GCM), which
 * authenticates them, so that nothing is stored for a token; another key, as after a restore, ends all of them.
 *
 * INVARIANTS:
 * - a token names one payment, and no other token or secret of tilld is one;
 * - it lives 15 minutes at most, also where the clock is set back.
 */
export class ReceiptTokens {
  readonly #deps: ReceiptTokenDeps;

  constructor(deps: ReceiptTokenDeps) {
    this.#deps = deps;
  }

  /** @throws SEAL_KEY_UNUSABLE */
  make(paymentId: string): { readonly token: string; readonly expiresAt: number } {
    const { sealer, clock } = this.#deps;
    const expiresAt = clock.now() + RECEIPT_LIFE_MS;
    return { token: sealer.seal(`${paymentId} ${expiresAt}`, PURPOSE), expiresAt };
  }

  /** The payment and the end of a token; null: it is none of ours, or has expired. */
  read(token: string): { readonly paymentId: string; readonly expiresAt: number } | null {
    const [, paymentId, until] = (TOKEN.test(token) ? CONTENT.exec(this.#opened(token)) : null) ?? [];
    if (paymentId === undefined) return null;
    const expiresAt = Number(until);
    const left = expiresAt - this.#deps.clock.now();
    return left > 0 && left <= RECEIPT_LIFE_MS ? { paymentId, expiresAt } : null;
  }

  #opened(token: string): string {
    try {
      return this.#deps.sealer.open(token, PURPOSE);
    } catch (error) {
      if (error instanceof AppError) return '';
      throw error;
    }
  }
}
