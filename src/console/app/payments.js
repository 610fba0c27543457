import { signal } from '@preact/signals-core';
import { ApiError } from './api.js';

/** @import { Api } from './api.js' */
/** @import { Payment, Progress } from './contract.js' */
/** @import { Signal } from '@preact/signals-core' */

const PAGE = 100;
/** Pause after a temporary error. */
const AGAIN_MS = 1_000;
/** Number of payments in doubt that are read each time: every terminal has at most one that needs no person. */
const MOST_DOUBTS = 8;

/** Payments by id, newest first. Each has its own signal, so that a change renders one of ten thousand. */
export class Payments {
  /** Newest first. @type {Signal<readonly string[]>} */
  ids = signal([]);
  /** Whether older payments exist that were not read yet. */
  hasOlder = signal(false);
  /** The terminal's newest text, by payment. @type {Signal<Readonly<Record<string, Progress>>>} */
  progress = signal({});
  /** @type {Map<string, Signal<Payment | undefined>>} */
  #byId = new Map();
  /** When this page saw the last change of a payment's status, epoch ms. @type {Map<string, { status: string, at: number }>} */
  #since = new Map();
  #api;
  #reading = false;

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
  }

  /**
   * The payment as it is now; undefined: it was not read yet. A component that reads it is rendered again when it changes.
   * @param {string} id
   */
  get(id) {
    return this.#of(id).value;
  }

  /** When a payment was created, which never changes, so that no component is rendered for it. @param {string} id */
  createdAt(id) {
    return this.#byId.get(id)?.peek()?.created_at;
  }

  /** Payments among the newest 200 whose outcome is not known yet. A finished one with an open task is none of them: the task says what is to be done. */
  get unsettled() {
    return this.ids.value
      .slice(0, 200)
      .flatMap((id) => this.get(id) ?? [])
      .filter(({ status, in_doubt }) => status === 'requested' || status === 'in_progress' || in_doubt);
  }

  /**
   * Refunds and voids of a sale, among the payments that were read.
   * @param {string} id
   */
  childrenOf(id) {
    return this.ids.value.flatMap((each) =>
      this.#byId.get(each)?.peek()?.parent_id === id ? (this.get(each) ?? []) : [],
    );
  }

  /**
   * Since when a payment has its present status, as far as this page has seen; else since its creation.
   * @param {Payment} payment
   */
  sinceOf({ id, status, created_at }) {
    const seen = this.#since.get(id);
    return seen?.status === status ? seen.at : Date.parse(created_at);
  }

  /**
   * Reads one payment of any age.
   * @param {string} id
   */
  async read(id) {
    const { data } = await this.#api.get(`/v2/terminal-payments/${encodeURIComponent(id)}`);
    this.heard(data);
  }

  /** Reads the newest page; payments that are newer than the last read are added to the list, or replace it. */
  async readNewest() {
    const { data, has_more } = await this.#api.get(`/v2/terminal-payments?limit=${PAGE}`);
    const read = /** @type {Payment[]} */ (data);
    for (const payment of read) this.#keep(payment);
    const newest = read.map(({ id }) => id);
    const known = this.ids.value;
    const oldest = newest.at(-1);
    const meets = oldest === undefined || known.includes(oldest);
    const older = meets ? known.filter((id) => !newest.includes(id)) : [];
    this.ids.value = [...newest, ...older];
    if (!meets || older.length === 0) this.hasOlder.value = has_more;
    await this.#readOpen();
  }

  /** A change of `needs_person` has no event either: reads the newest payments in doubt. */
  async readDoubts() {
    const newest = this.ids.peek().slice(0, PAGE);
    const doubts = newest.filter((id) => this.#byId.get(id)?.peek()?.in_doubt);
    for (const id of doubts.slice(0, MOST_DOUBTS)) await this.read(id);
  }

  /** A change of `reported` has no event: reads the newest page again if one of its reports is still pending. */
  async readReported() {
    const newest = this.ids.peek().slice(0, PAGE);
    const unreported = ['pending', 'rejected'];
    if (!newest.some((id) => unreported.includes(this.#byId.get(id)?.peek()?.reported ?? ''))) return;
    const { data } = await this.#api.get(`/v2/terminal-payments?limit=${PAGE}`);
    for (const payment of data)
      if (this.#byId.get(payment.id)?.peek()?.completed_at !== null) this.#keep(payment);
  }

  /** Reads the next page of older payments; it waits through temporary errors (too many requests at once, no response). */
  async readOlder() {
    const last = this.ids.value.at(-1);
    if (this.#reading || !this.hasOlder.value || last === undefined) return;
    this.#reading = true;
    try {
      const { data, has_more } = await this.#patiently(`limit=${PAGE}&starting_after=${last}`);
      const known = new Set(this.ids.value);
      for (const payment of data) this.#keep(payment);
      this.ids.value = [
        ...this.ids.value,
        ...data
          .map((/** @type {Payment} */ { id }) => id)
          .filter((/** @type {string} */ id) => !known.has(id)),
      ];
      this.hasOlder.value = has_more;
    } finally {
      this.#reading = false;
    }
  }

  /**
   * A page of the payments that fit a query, newest first.
   * @param {Readonly<Record<string, string>>} query of `GET /v2/terminal-payments`
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ ids: readonly string[], hasMore: boolean }>}
   */
  async find(query, signal) {
    const params = new URLSearchParams({ limit: String(PAGE), ...query });
    const { data, has_more } = await this.#patiently(String(params), signal);
    for (const payment of data) this.#keep(payment);
    return { ids: data.map((/** @type {Payment} */ { id }) => id), hasMore: has_more };
  }

  /**
   * All payments of a day, oldest first.
   * @param {string} day `YYYY-MM-DD` of the shop
   * @returns {Promise<readonly Payment[]>}
   */
  async ofDay(day) {
    /** @type {Payment[]} */
    const payments = [];
    for (let more = true; more; ) {
      const last = payments.at(-1);
      const cursor = last === undefined ? '' : `&starting_after=${last.id}`;
      const { data, has_more } = await this.#patiently(`limit=${PAGE}&on=${day}${cursor}`);
      payments.push(...data);
      more = has_more;
    }
    return payments.reverse();
  }

  /**
   * A page; it waits through temporary errors.
   * @param {string} query
   * @param {AbortSignal} [signal]
   */
  async #patiently(query, signal) {
    for (;;) {
      try {
        return await this.#api.get(`/v2/terminal-payments?${query}`, signal);
      } catch (error) {
        if (signal?.aborted || !(error instanceof ApiError && error.isPassing)) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  /** @param {Payment} payment as an event or a response contains it */
  heard(payment) {
    const isNew = !this.ids.peek().includes(payment.id);
    if (this.#byId.get(payment.id)?.peek()?.status !== payment.status)
      this.#since.set(payment.id, { status: payment.status, at: Date.now() });
    this.#keep(payment);
    if (isNew) this.#place(payment);
    if (payment.completed_at !== null) {
      this.#forgetProgress(payment.id);
      this.#since.delete(payment.id);
    }
  }

  /** @param {Progress} note */
  heardProgress(note) {
    this.progress.value = { ...this.progress.value, [note.payment_id]: note };
  }

  /** An open payment may be older than the newest page. */
  async #readOpen() {
    const open = this.ids.value.filter((id) => this.#byId.get(id)?.peek()?.completed_at === null).slice(PAGE);
    for (const id of open) this.#keep((await this.#api.get(`/v2/terminal-payments/${id}`)).data);
  }

  /**
   * Inserts a new payment in order; one that is older than all that were read waits for its page.
   * @param {Payment} payment
   */
  #place({ id, created_at }) {
    const ids = this.ids.value;
    const at = ids.findIndex((other) => (this.#byId.get(other)?.peek()?.created_at ?? '') < created_at);
    if (at !== -1) this.ids.value = [...ids.slice(0, at), id, ...ids.slice(at)];
    else if (!this.hasOlder.value) this.ids.value = [...ids, id];
  }

  /**
   * A response may be older than an event before it, and a repeated one is as old as its request: a payment never goes back.
   * @param {Payment} payment
   */
  #keep(payment) {
    const kept = this.#of(payment.id);
    const known = kept.peek();
    if (known === undefined || rankOf(payment) >= rankOf(known)) kept.value = payment;
  }

  /** A payment that was not read yet has its signal already: what shows it waits for it. @param {string} id */
  #of(id) {
    let kept = this.#byId.get(id);
    if (!kept) {
      kept = signal(/** @type {Payment | undefined} */ (undefined));
      this.#byId.set(id, kept);
    }
    return kept;
  }

  /** @param {string} id */
  #forgetProgress(id) {
    const { [id]: _gone, ...others } = this.progress.value;
    this.progress.value = others;
  }
}

/**
 * The progress of a payment; it only grows.
 * @param {Payment} payment
 */
function rankOf({ status }) {
  if (status === 'requested') return 0;
  return status === 'in_progress' ? 1 : 2;
}
