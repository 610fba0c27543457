import type { Clock } from '../base/clock.ts';
import type { Answer } from '../outbox/report-port.ts';

const MOST_REMEMBERED = 1_000;

/** How a payment of this agent will look in a list: a sale of this device and amount, or a refund or void below one of these sales. */
export type Creating =
  | { readonly deviceId: unknown; readonly amountMinor: unknown }
  | { readonly type: 'refund' | 'void'; readonly parentIds: readonly string[] };

/** What a list shows of work. */
export interface Listed {
  readonly type: 'sale' | 'refund' | 'void';
  readonly parentId: string | null;
  readonly deviceId: string;
  readonly amountMinor: number;
}

interface Create {
  readonly what: Creating;
  /** Monotonic; null while no answer has shown its outcome. */
  readonly endedAt: number | null;
}

/**
 * Create requests of this agent that are on their way to the service.
 * Why: a service that gives the payment an id of its own lists it as work before tilld knows that id; a poll that was sent before the answer was
 * processed must not run it. A create without an answer stays open until it is answered.
 */
export class CreateWatch {
  readonly #clock: Clock;
  readonly #creates = new Map<string, Create>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(key: string, what: Creating): void {
    this.#creates.delete(key);
    this.#creates.set(key, { what, endedAt: null });
    for (const oldest of this.#creates.keys()) {
      if (this.#creates.size <= MOST_REMEMBERED) break;
      this.#creates.delete(oldest);
    }
  }

  /** An answer that does not show whether the payment was created keeps the watch open. */
  end(key: string, answer: Answer): void {
    const create = this.#creates.get(key);
    if (!create || ['unavailable', 'conflict_in_progress', 'rate_limited'].includes(answer.kind)) return;
    this.#creates.set(key, { ...create, endedAt: this.#clock.monotonic() });
  }

  /** True when work in a list that was requested at `askedAt` (monotonic) may be one of these payments. */
  mayBeOurs(listed: Listed, askedAt: number): boolean {
    return [...this.#creates.values()].some(
      ({ what, endedAt }) => fits(what, listed) && (endedAt === null || endedAt >= askedAt),
    );
  }
}

function fits(what: Creating, { type, parentId, deviceId, amountMinor }: Listed): boolean {
  if ('parentIds' in what) return what.type === type && what.parentIds.includes(parentId ?? '');
  return type === 'sale' && what.deviceId === deviceId && what.amountMinor === amountMinor;
}
