import type { Clock } from '../base/clock.ts';
import type { Answer } from '../outbox/report-port.ts';
import type { ReportBody } from '../outbox/reports.ts';

const MOST_REMEMBERED = 1_000;

interface Create {
  readonly deviceId: unknown;
  readonly amountMinor: unknown;
  /** Monotonic; null while no answer has told what became of it. */
  readonly endedAt: number | null;
}

/**
 * Creates of ours on their way to the service.
 * Why: a service that gives our payment an id of its own lists it as work before we know that id; a poll that was asked
 * before the answer was taken must not run it. An unanswered create stays open until it is answered.
 */
export class CreateWatch {
  readonly #clock: Clock;
  readonly #creates = new Map<string, Create>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(key: string, body: ReportBody): void {
    this.#creates.delete(key);
    this.#creates.set(key, { deviceId: body['device_id'], amountMinor: body['amount_minor'], endedAt: null });
    for (const oldest of this.#creates.keys()) {
      if (this.#creates.size <= MOST_REMEMBERED) break;
      this.#creates.delete(oldest);
    }
  }

  /** An answer that leaves open whether the payment was made keeps the watch open. */
  end(key: string, answer: Answer): void {
    const create = this.#creates.get(key);
    if (!create || ['unavailable', 'unclear', 'conflict_in_progress', 'rate_limited'].includes(answer.kind))
      return;
    this.#creates.set(key, { ...create, endedAt: this.#clock.monotonic() });
  }

  /** True when a payment of this device and amount, in a list asked for at `askedAt` (monotonic), may be one of ours. */
  mayBeOurs(deviceId: string, amountMinor: number, askedAt: number): boolean {
    return [...this.#creates.values()].some(
      (create) =>
        create.deviceId === deviceId &&
        create.amountMinor === amountMinor &&
        (create.endedAt === null || create.endedAt >= askedAt),
    );
  }
}
