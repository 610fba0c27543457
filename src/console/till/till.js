import { computed, signal } from '@preact/signals-core';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { amountOf, NO_AMOUNT } from '../words/typed-money.js';
import { chosenOf } from './invoice-stand.js';
import { keepSplit, keptSplit, newSplit } from './split.js';
import { Taking } from './taking.js';
import { t } from './words.js';

/** @import { Console } from '../app/console.js' */
/** @import { Device } from '../app/contract.js' */
/** @import { Signal } from '@preact/signals-core' */
/** @import { TypedAmount } from '../words/typed-money.js' */
/** @import { ChosenInvoice, Invoice } from './invoice-stand.js' */
/** @import { Split } from './split.js' */

const DEVICE = 'tilld.device';
const NAME = 'tilld.name';

/**
 * What is searched in the history: a text, a day `YYYY-MM-DD`, and what became of the payments.
 * @typedef {{ text: string, day: string, show: 'all' | 'open' | 'succeeded' | 'declined' | 'cancelled' | 'error' }} HistoryFilter
 */

/** The till's state across pages: the terminal, the typed input, and the payment that is being started. */
export class Till {
  taking;
  /** @type {Signal<TypedAmount>} */
  amount = signal(NO_AMOUNT);
  /** Whether the amount is a proposal that no key has changed: the first digit replaces it. */
  isProposed = computed(() => this.amount.value.minor !== 0 && this.amount.value === this.#proposed.value);
  /** @type {Signal<string>} */
  reference = signal('');
  /** @type {Signal<ChosenInvoice | null>} */
  invoice = signal(null);
  /** The bill that several cards pay; a reload keeps it. @type {Signal<Split | null>} */
  split = signal(keptSplit(sessionStorage));
  /** The payments of each bill that this till has started or read, by the id of the split; absent: they are still to be read. @type {Signal<Readonly<Record<string, ReadonlySet<string>>>>} */
  splitParts = signal({});
  /** Bills that this till has ended. @type {Signal<ReadonlySet<string>>} */
  endedSplits = signal(new Set());
  /** A scan whose invoice is looked up; scans are numbered. @type {Signal<{ no: number, text: string } | null>} */
  scan = signal(null);
  /** It stays while a payment that was found is looked at. @type {Signal<HistoryFilter>} */
  history = signal({ text: '', day: '', show: 'all' });
  /** The search of the history takes the focus once it is there. */
  isSearchCalled = false;
  /** Whether a key that takes money came as fast as a scanner's: it must be pressed once more. @type {Signal<boolean>} */
  isHurried = signal(false);
  #scans = 0;
  /** @type {Signal<TypedAmount | null>} */
  #proposed = signal(null);
  /** @type {Signal<string | null>} */
  #chosen;
  #app;

  /** @param {Console} app */
  constructor(app) {
    this.#app = app;
    this.#chosen = signal(localStorage.getItem(DEVICE));
    this.taking = new Taking({
      api: app.api,
      payments: app.shop.payments,
      storage: sessionStorage,
      started: ({ id }) => {
        const of = this.split.value?.id;
        const known = of === undefined ? undefined : this.splitParts.value[of];
        if (of !== undefined && known) this.partsAre(of, [...known, id]);
        this.clear();
        app.router.go(['till', 'payment', id]);
      },
    });
  }

  /** The terminal of this till: the chosen one, or the only one. @returns {Device | undefined} */
  get device() {
    const devices = this.#app.shop.status.value?.terminals ?? [];
    return (
      devices.find(({ id }) => id === this.#chosen.value) ?? (devices.length === 1 ? devices[0] : undefined)
    );
  }

  /** @param {string} id */
  choose(id) {
    this.#chosen.value = id;
    localStorage.setItem(DEVICE, id);
  }

  /** @param {string} id */
  nameOf(id) {
    return (
      this.#app.shop.status.value?.terminals.find((device) => device.id === id)?.name ??
      t('terminal_gone', { end: id.slice(-4) })
    );
  }

  /** The last entered name of the person at this till. */
  get name() {
    return localStorage.getItem(NAME) ?? '';
  }

  /** @param {string} name */
  remember(name) {
    localStorage.setItem(NAME, name);
  }

  /** @param {TypedAmount} amount */
  type(amount) {
    this.isHurried.value = false;
    this.amount.value = amount;
  }

  /** @param {TypedAmount} amount */
  propose(amount) {
    this.#proposed.value = amount;
    this.amount.value = amount;
  }

  /** Looks up the invoice of a scan. @param {string} text */
  scanned(text) {
    this.#scans += 1;
    this.scan.value = { no: this.#scans, text };
  }

  /** Proposes what is due of an invoice. @param {Invoice} invoice @param {string} currency of the terminal */
  payInvoice(invoice, currency) {
    const chosen = chosenOf(invoice, currency);
    this.invoice.value = chosen;
    this.propose(chosen.dueMinor === null ? NO_AMOUNT : amountOf(chosen.dueMinor));
  }

  /** From now on each payment is a part of this amount. @param {number} minor @param {string} currency */
  beginSplit(minor, currency) {
    const split = newSplit({ minor, currency, reference: this.reference.value.trim() });
    this.#setSplit(split);
    this.partsAre(split.id, []);
    this.type(NO_AMOUNT);
  }

  /** Goes on with a bill that this till or another one has begun; its parts are read anew. @param {Split} split @param {number} leftMinor */
  resumeSplit(split, leftMinor) {
    this.clear();
    const { [split.id]: _, ...others } = this.splitParts.value;
    this.splitParts.value = others;
    this.#setSplit(split);
    this.propose(amountOf(leftMinor));
  }

  /** What was paid stays paid. */
  endSplit() {
    const ended = this.split.value;
    if (ended) this.endedSplits.value = new Set([...this.endedSplits.value, ended.id]);
    this.#setSplit(null);
    this.type(NO_AMOUNT);
  }

  /** The payments that may be parts of a split bill are known. @param {string} split its id @param {readonly string[]} ids */
  partsAre(split, ids) {
    this.splitParts.value = { ...this.splitParts.value, [split]: new Set(ids) };
  }

  /** @param {Split | null} split */
  #setSplit(split) {
    keepSplit(sessionStorage, split);
    this.split.value = split;
  }

  /** Ready for the next customer. */
  clear() {
    this.type(NO_AMOUNT);
    this.reference.value = '';
    this.invoice.value = null;
    this.taking.failed.value = null;
  }
}

const Context = createContext(/** @type {Till | null} */ (null));
export const TillProvider = Context.Provider;

/** @returns {Till} */
export function useTill() {
  const till = useContext(Context);
  if (!till) throw new Error('a part of the till was drawn outside of it');
  return till;
}
