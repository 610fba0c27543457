import { Ledger } from '../../../src/sandbox/service/ledger.ts';
import type { PaymentRecord } from '../../../src/sandbox/service/records.ts';
import { LIMITS } from '../../../src/sandbox/service/settings.ts';

/** What a list of the service is made of: all that is open, and so many of the newest. */
const LISTED = 500;
const EVENTS = 1000;

/** Payments by id, each kept for ever; who walks over them sees the open ones and the newest only, as a list with an index would. */
class Shelf extends Map<string, PaymentRecord> {
  // Map's own constructor calls nothing of ours: it is given no entries.
  readonly #listed = new Map<string, PaymentRecord>();

  override set(id: string, payment: PaymentRecord): this {
    super.set(id, payment);
    this.#listed.set(id, payment);
    for (const [oldest, { completedAt }] of this.#listed) {
      if (this.#listed.size <= LISTED) break;
      if (completedAt === null) continue;
      this.#listed.delete(oldest);
    }
    return this;
  }

  override values(): MapIterator<PaymentRecord> {
    return this.#listed.values();
  }

  /** Every one of them. */
  all(): MapIterator<PaymentRecord> {
    return super.values();
  }
}

/** A ledger for a hundred thousand payments: nothing is written, keys go after their day, old events give way. */
export class LongLedger extends Ledger {
  override readonly payments = new Shelf();
  readonly #now: () => number;

  constructor(now: () => number) {
    super({ load: () => null, save: () => undefined });
    this.#now = now;
  }

  override commit(): void {
    const oldest = this.#now() - LIMITS.idempotencyKeyMs;
    for (const [key, { at }] of this.keys) {
      if (at > oldest) break;
      this.keys.delete(key);
    }
    for (const id of this.events.keys()) {
      if (this.events.size <= EVENTS) break;
      this.events.delete(id);
    }
  }
}
