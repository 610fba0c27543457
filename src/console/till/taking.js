import { signal } from '@preact/signals-core';
import { ApiError } from '../app/api.js';

/** @import { Api } from '../app/api.js' */
/** @import { CreatePayment, Payment } from '../app/contract.js' */
/** @import { Payments } from '../app/payments.js' */
/** @import { Signal } from '@preact/signals-core' */

const KEPT = 'tilld.taking';
const AGAIN_MS = 1_000;
/** After that the customer may have gone: the page only looks up a request without a response, and does not repeat it. */
const SENT_AGAIN_FOR_MS = 60_000;

/**
 * @typedef {object} Pending
 * @property {string} key idempotency key
 * @property {CreatePayment} body
 * @property {number} since epoch ms
 */
/** @typedef {{ kind: 'refused', error: ApiError, body: CreatePayment } | { kind: 'never_started' }} Failed */

/**
 * Starts payments so that a double click, a lost response or a reload never charges twice.
 *
 * INVARIANTS:
 * - one request at a time; its key is stored before the first byte is sent and until a response has arrived;
 * - the same request is sent under the same key only, and for a minute at most; then the page looks it up by that key, and reports a
 *   payment that never started.
 */
export class Taking {
  /** @type {Signal<Pending | null>} */
  pending = signal(null);
  /** Whether an expected response did not come. */
  unanswered = signal(false);
  /** @type {Signal<Failed | null>} */
  failed = signal(null);
  #api;
  #payments;
  #storage;
  #started;

  /**
   * @param {object} parts
   * @param {Api} parts.api
   * @param {Payments} parts.payments
   * @param {Storage} parts.storage of this tab: a reload keeps it
   * @param {(payment: Payment) => void} parts.started called once for each payment
   */
  constructor({ api, payments, storage, started }) {
    this.#api = api;
    this.#payments = payments;
    this.#storage = storage;
    this.#started = started;
    const kept = keptIn(storage);
    if (!kept) return;
    this.pending.value = kept;
    this.unanswered.value = true;
    void this.#ask(kept);
  }

  /** @param {CreatePayment} wanted */
  take(wanted) {
    if (this.pending.value) return;
    const key = crypto.randomUUID();
    const pending = {
      key,
      body: { ...wanted, metadata: { ...wanted.metadata, page_request: key } },
      since: Date.now(),
    };
    this.#storage.setItem(KEPT, JSON.stringify(pending));
    this.failed.value = null;
    this.unanswered.value = false;
    this.pending.value = pending;
    void this.#ask(pending);
  }

  /** @param {Pending} pending */
  async #ask(pending) {
    for (;;) {
      try {
        const payment = await this.#once(pending);
        this.#end();
        if (payment) this.#started(payment);
        else this.failed.value = { kind: 'never_started' };
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!mayStillCome(error)) {
          this.#end();
          this.failed.value = { kind: 'refused', error, body: pending.body };
          return;
        }
      }
      this.unanswered.value = true;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /**
   * @param {Pending} pending
   * @returns {Promise<Payment | undefined>} undefined: it was never started
   */
  async #once({ key, body, since }) {
    const isYoung = Date.now() - since < SENT_AGAIN_FOR_MS;
    if (isYoung) {
      const { data } = await this.#api.post('/v2/terminal-payments', body, { key });
      // Under a repeated key the response is the first one, and as old as that.
      this.#payments.heard(data);
      await this.#payments.read(data.id).catch(() => undefined);
      return data;
    }
    const { data } = await this.#api.get('/v2/terminal-payments?limit=100');
    return data.find((/** @type {Payment} */ { metadata }) => metadata['page_request'] === key);
  }

  #end() {
    this.#storage.removeItem(KEPT);
    this.pending.value = null;
    this.unanswered.value = false;
  }
}

/**
 * Whether the result of the request is still unknown: no response, still in progress, or the session to read it has ended.
 * @param {ApiError} error
 */
function mayStillCome({ isPassing, status, code }) {
  if (code === 'storage_full' || code === 'service_unavailable') return false;
  return isPassing || status === 401 || status === 500 || code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
}

/**
 * @param {Storage} storage
 * @returns {Pending | null}
 */
function keptIn(storage) {
  try {
    const kept = JSON.parse(storage.getItem(KEPT) ?? 'null');
    return typeof kept?.key === 'string' && typeof kept.since === 'number' ? kept : null;
  } catch {
    return null;
  }
}
