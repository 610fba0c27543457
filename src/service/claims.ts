import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { isCurrency, type Money } from '../base/money.ts';
import type { Budget } from '../outbox/budget.ts';
import type { ServiceTime } from '../outbox/report-port.ts';
import type { ServiceRequest, ServiceWork } from '../payment/guards/service-work.ts';
import type { ServicePayment } from './contract.ts';
import type { CreateWatch } from './create-watch.ts';
import { remember } from './remember.ts';
import type { ShownPayment } from './replies.ts';
import type { ServiceClient } from './service-client.ts';

export interface ClaimsDeps {
  readonly client: Pick<ServiceClient, 'claim'>;
  readonly work: ServiceWork;
  readonly serviceTime: ServiceTime;
  readonly creates: Pick<CreateWatch, 'mayBeOurs'>;
  /** Whether the service has reported a cancel of this payment. */
  readonly wasCancelled: (serviceId: string) => boolean;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export interface ClaimsOptions {
  readonly agent: string;
  /** The claimant: the agent, its machine and its state folder. Two copies of one folder are two claimants. */
  readonly claimant: string;
  readonly deviceIds: readonly string[];
  readonly maxAgeMs: number;
}

/** Work that can be claimed: it has everything that the core needs. */
interface Work {
  readonly payment: ServicePayment;
  readonly type: ServiceRequest['type'];
  /** The service's id; null for a sale. */
  readonly parentId: string | null;
  readonly deviceId: string;
  readonly amount: Money;
  readonly createdAt: number;
}

/** A claim without an answer is repeated with its key until it is answered, or this long. */
const ASK_AGAIN_MS = 24 * 3_600_000;
/** The service's clock has whole seconds, so a payment may look this much younger than new. */
const CLOCK_SLACK_MS = 5_000;

/**
 * Decides which of the listed work this agent runs: claim first, no claim, no dispatch.
 *
 * INVARIANTS:
 * - the core gets no work without the service's own 2xx to the claim, which shows the payment, nor work that it has already;
 * - a payment that the service has reported as cancelled is never claimed: a repeated claim with its key may get the first answer again;
 * - a payment that another agent holds is remembered and never claimed again;
 * - a payment that another agent reports is never claimed;
 * - no date, no run: the age comes from the service's own clock and `created_at`.
 */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #options: ClaimsOptions;
  /** Finished in either way: never claimed again. */
  readonly #settled = new Set<string>();
  /** Claims without an answer; the list may not show them any more. */
  readonly #unanswered = new Map<string, { readonly work: Work; readonly since: number }>();
  readonly #complained = new Set<string>();

  constructor(deps: ClaimsDeps, options: ClaimsOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Processes one page of work. `askedAt`: monotonic, when the page was requested; `dateMs`: its `Date`. */
  async take(
    payments: readonly ServicePayment[],
    dateMs: number | null,
    askedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (const { work, since } of [...this.#unanswered.values()]) {
      if (this.#deps.clock.monotonic() - since > ASK_AGAIN_MS) this.#settle(work.payment.id);
      else if (!(await this.#claim(work, signal))) return;
    }
    const now = dateMs ?? this.#deps.serviceTime.now();
    for (const payment of payments) {
      const work = this.#eligible(payment, now);
      if (!work || this.#mayBeOurs(work, askedAt)) continue;
      if (!(await this.#claim(work, signal))) return;
    }
  }

  #eligible(payment: ServicePayment, now: number | null): Work | null {
    const { id, metadata, status } = payment;
    if (this.#settled.has(id) || this.#unanswered.has(id)) return null;
    if (status !== undefined && status !== null && status !== 'requested') return null;
    if (!this.#options.deviceIds.includes(payment.device_id ?? '')) return null;
    if (this.#deps.work.isOurs(id, metadata ?? {})) return null;
    if (this.#isReportedByAnother(metadata ?? {}))
      return this.#complain(id, 'another agent reports it: it is not work');
    const type = typeOf(payment);
    if (!type) return this.#complain(id, 'this kind of payment cannot be run here');
    if (type !== 'sale' && !payment.parent_id)
      return this.#complain(id, `this ${type} does not say which sale it belongs to`);
    const work = workOf(payment);
    if (!work) return this.#complain(id, 'it names no device, no amount that can be paid, or no date');
    if (now === null) return this.#complain(id, 'the service gives no date');
    if (now < work.createdAt - CLOCK_SLACK_MS) return this.#complain(id, 'it is dated in the future');
    return work;
  }

  /** A payment that another agent charged and reports is in the list as if it were work, until its outcome is there. */
  #isReportedByAnother({ tilld }: Readonly<Record<string, unknown>>): boolean {
    if (typeof tilld !== 'object' || tilld === null || !('attempt' in tilld)) return false;
    return !('agent' in tilld) || tilld.agent !== this.#options.agent;
  }

  #mayBeOurs({ type, parentId, deviceId, amount }: Work, askedAt: number): boolean {
    const listed = { type, parentId, deviceId, amountMinor: amount.minor };
    return this.#deps.creates.mayBeOurs(listed, askedAt);
  }

  /** @returns false when the service does not answer: the rest of the page waits. */
  async #claim(work: Work, signal: AbortSignal): Promise<boolean> {
    const { client, ids, budget } = this.#deps;
    const { id } = work.payment;
    if (this.#deps.wasCancelled(id)) {
      this.#deps.log.info({ payment: id }, 'the service cancelled this payment before it was taken in');
      this.#settle(id);
      return true;
    }
    budget.spend();
    const since = this.#unanswered.get(id)?.since ?? this.#deps.clock.monotonic();
    this.#unanswered.set(id, { work, since });
    const claimed = await client.claim(id, this.#options.claimant, ids.nameBased(id, 'claim'), signal);
    const { answer } = claimed;
    switch (answer.kind) {
      case 'applied':
        this.#handOver(work, answer.value, claimed.dateMs);
        return true;
      case 'already_exists':
      case 'key_mismatch':
        return this.#others(id, answer.refusal.code);
      case 'refused':
      case 'not_found':
        if (answer.refusal.status === 409) return this.#others(id, answer.refusal.code);
        this.#complain(
          id,
          `the claim was refused: ${answer.refusal.status} ${answer.refusal.code ?? answer.refusal.message}`,
        );
        this.#settle(id);
        return true;
      case 'rate_limited':
        budget.exhausted(answer.retryAfterMs);
        return false;
      case 'conflict_in_progress':
        return true;
      default:
        return false;
    }
  }

  /** The core decides on the content; if it cannot store the work, the claim is repeated. */
  #handOver(work: Work, payment: ShownPayment, dateMs: number | null): void {
    const { id } = work.payment;
    const { log, work: core } = this.#deps;
    const request = this.#requestOf(work, payment, dateMs);
    if (request && !core.isOurs(id, request.metadata)) {
      const { type, deviceId, ageMs } = request;
      const facts = { payment: id, type, device: deviceId, age_ms: ageMs };
      if (request.ageMs > this.#options.maxAgeMs)
        log.warn(facts, 'work of the service claimed, but it is stale');
      else log.info(facts, 'work of the service claimed');
      try {
        core.accept(request);
      } catch (error) {
        log.error({ payment: id, error: messageOf(error) }, 'claimed work could not be taken in');
        return;
      }
    }
    this.#settle(id);
  }

  /** The fields of the claim's answer count where it has them; they may not turn the payment into another one. */
  #requestOf(work: Work, payment: ShownPayment, dateMs: number | null): ServiceRequest | null {
    const { id } = work.payment;
    const now = dateMs ?? this.#deps.serviceTime.now();
    const shown = workOf({ ...work.payment, ...payment });
    if (!shown || !isSameWork(shown, work) || now === null || payment.status !== 'in_progress') {
      this.#deps.log.error(
        { payment: id, state: payment.status },
        'claimed work is not what was listed, it will not be run',
      );
      return null;
    }
    return {
      serviceId: id,
      type: shown.type,
      parentId: shown.parentId,
      deviceId: shown.deviceId,
      amount: shown.amount,
      invoiceId: shown.payment.invoice_id || null,
      reference: shown.payment.reference || null,
      metadata: shown.payment.metadata ?? {},
      ageMs: Math.max(0, now - shown.createdAt),
    };
  }

  #others(id: string, code: string | null): true {
    this.#deps.log.info({ payment: id, code }, 'work of the service belongs to another agent');
    this.#settle(id);
    return true;
  }

  #settle(id: string): void {
    this.#unanswered.delete(id);
    remember(this.#settled, id);
  }

  #complain(id: string, why: string): null {
    if (!this.#complained.has(id))
      this.#deps.log.warn({ payment: id, why }, 'work of the service is left alone');
    remember(this.#complained, id);
    return null;
  }
}

function workOf(payment: ServicePayment): Work | null {
  const { device_id, amount_minor, currency, created_at, parent_id } = payment;
  const type = typeOf(payment);
  const parentId = type === 'sale' ? null : (parent_id ?? null);
  const createdAt = Date.parse(created_at ?? '');
  const amount = moneyOf(amount_minor, currency);
  if (!type || !device_id || !amount || Number.isNaN(createdAt)) return null;
  return { payment, type, parentId, deviceId: device_id, amount, createdAt };
}

function isSameWork(shown: Work, listed: Work): boolean {
  return (
    shown.payment.id === listed.payment.id &&
    shown.deviceId === listed.deviceId &&
    shown.type === listed.type &&
    shown.parentId === listed.parentId
  );
}

/** Null for an unknown kind. */
function typeOf({ type }: ServicePayment): Work['type'] | null {
  switch (type ?? 'sale') {
    case 'sale':
      return 'sale';
    case 'refund':
      return 'refund';
    case 'void':
      return 'void';
    default:
      return null;
  }
}

/** A payable amount; null for anything else. */
function moneyOf(minor: unknown, currency: string | null | undefined): Money | null {
  if (typeof minor !== 'number' || !Number.isSafeInteger(minor) || minor <= 0) return null;
  return currency && isCurrency(currency) ? { minor, currency } : null;
}
