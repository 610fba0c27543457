import { isCurrency } from '../../base/money.ts';
import type { AttemptSearch, CreatedSpan, PaymentTotals } from '../../payment/payments.ts';
import { Column } from './column.ts';
import { type FactsRow, lastFourOf, STATUSES, TYPES, textsOf } from './search-facts.ts';

const NO_CARD = 0xffff;
const [KNOWN, IN_DOUBT, WRITTEN_OFF] = [0, 1, 2];

/**
 * What payments are found by, in memory: a search of 100,000 payments in the database reads 100 MB, which would hold up payments for half a second.
 * Some 50 bytes for a payment, in the order of the rows, and its reference, of which a part is searched. Other texts are stored as hashes of 32 bits:
 * where a search names one, each payment that it finds must be compared with its row.
 */
export class PaymentIndex {
  readonly #seq = new Column(Float64Array);
  readonly #createdAt = new Column(Float64Array);
  readonly #amount = new Column(Float64Array);
  readonly #moved = new Column(Float64Array);
  readonly #card = new Column(Uint16Array);
  readonly #receiptNumber = new Column(Uint32Array);
  /** '': it has none. */
  readonly #references: string[] = [];
  readonly #invoiceId = new Column(Uint32Array);
  readonly #device = new Column(Uint16Array);
  readonly #currency = new Column(Uint16Array);
  readonly #type = new Column(Uint8Array);
  readonly #status = new Column(Uint8Array);
  readonly #doubt = new Column(Uint8Array);
  readonly #devices: string[] = [];
  readonly #currencies: string[] = [];
  #size = 0;

  /** The row of the newest payment; 0: there is none. */
  get newest(): number {
    return this.#size === 0 ? 0 : this.#seq.at(this.#size - 1);
  }

  /** A payment that is newer than all, or the present state of one that is there. */
  put(row: FactsRow): void {
    const isNew = row.seq > this.newest;
    const at = isNew ? this.#size : this.#firstBehind(row.seq - 1);
    if (isNew) this.#size += 1;
    const texts = textsOf(row);
    this.#seq.put(at, row.seq);
    this.#createdAt.put(at, row.createdAt);
    this.#amount.put(at, row.amountMinor);
    this.#moved.put(at, row.reportedMinor ?? row.amountMinor);
    this.#card.put(at, Number(lastFourOf(row.maskedPan) ?? NO_CARD));
    this.#receiptNumber.put(at, hashOf(texts.receiptNumber));
    this.#references[at] = texts.reference ?? '';
    this.#invoiceId.put(at, hashOf(texts.invoiceId));
    this.#device.put(at, placeIn(this.#devices, row.deviceId.toLowerCase()));
    this.#currency.put(at, placeIn(this.#currencies, row.currency));
    this.#type.put(at, TYPES.indexOf(row.type));
    this.#status.put(at, STATUSES.indexOf(row.status));
    this.#doubt.put(
      at,
      row.state === 'in_doubt' ? IN_DOUBT : row.state === 'written_off' ? WRITTEN_OFF : KNOWN,
    );
  }

  /** Rows that fit, from the newest before `cursor` down, or with `isUpwards` from the oldest behind it up; null: from the end, the beginning. */
  *fitting(search: AttemptSearch, cursor: number | null, isUpwards = false): Generator<number> {
    const fits = this.#fits(search);
    if (isUpwards) {
      for (let at = this.#firstBehind(cursor ?? 0); at < this.#size; at += 1)
        if (fits(at)) yield this.#seq.at(at);
    } else {
      const end = cursor === null ? this.#size : this.#firstBehind(cursor - 1);
      for (let at = end - 1; at >= 0; at -= 1) if (fits(at)) yield this.#seq.at(at);
    }
  }

  totals(span: CreatedSpan): readonly PaymentTotals[] {
    const fits = this.#fits(span);
    const sums = new Map<string, Sums>();
    for (let at = 0; at < this.#size; at += 1) {
      if (!fits(at)) continue;
      const isUnknown = this.#doubt.at(at) !== KNOWN;
      const hasMoved = STATUSES[this.#status.at(at)] === 'succeeded';
      const type = isUnknown ? 'unknown' : hasMoved ? TYPES[this.#type.at(at)] : undefined;
      const currency = this.#currencies[this.#currency.at(at)];
      if (type === undefined || currency === undefined) continue;
      const sum = sums.get(currency) ?? noSums();
      sums.set(currency, sum);
      sum[type].count += 1;
      sum[type].amountMinor += this.#moved.at(at);
    }
    return [...sums]
      .flatMap(([currency, { sale, refund, void: voids, unknown }]) =>
        isCurrency(currency) ? [{ currency, sales: sale, refunds: refund, voids, unknown }] : [],
      )
      .toSorted((one, other) => one.currency.localeCompare(other.currency));
  }

  /** What narrows most comes first. */
  #fits(search: Omit<AttemptSearch, 'limit'>): (at: number) => boolean {
    const { createdFrom, createdBefore, amountMinor, cardLast4, status, deviceId, inDoubt, part } = search;
    const texts = textsOf(search);
    const tests: ((at: number) => boolean)[] = [];
    const equal = (column: Column, wanted: number) => tests.push((at) => column.at(at) === wanted);
    if (cardLast4 !== undefined) equal(this.#card, Number(cardLast4));
    if (texts.receiptNumber !== null) equal(this.#receiptNumber, hashOf(texts.receiptNumber));
    if (texts.reference !== null) tests.push((at) => this.#references[at] === texts.reference);
    if (texts.invoiceId !== null) equal(this.#invoiceId, hashOf(texts.invoiceId));
    if (amountMinor !== undefined)
      tests.push((at) => this.#amount.at(at) === amountMinor || this.#moved.at(at) === amountMinor);
    if (createdFrom !== undefined) tests.push((at) => this.#createdAt.at(at) >= createdFrom);
    if (createdBefore !== undefined) tests.push((at) => this.#createdAt.at(at) < createdBefore);
    if (status !== undefined) equal(this.#status, STATUSES.indexOf(status));
    if (deviceId !== undefined) equal(this.#device, this.#devices.indexOf(deviceId.toLowerCase()));
    if (part !== undefined) tests.push(this.#hasPart(part));
    if (inDoubt === true) equal(this.#doubt, IN_DOUBT);
    if (inDoubt === false) tests.push((at) => this.#doubt.at(at) !== IN_DOUBT);
    return (at) => {
      for (const test of tests) if (!test(at)) return false;
      return true;
    };
  }

  #hasPart({ text, invoiceIds }: NonNullable<AttemptSearch['part']>): (at: number) => boolean {
    const wanted = textsOf({ reference: text }).reference ?? '';
    const invoices = new Set(invoiceIds.map((invoiceId) => hashOf(textsOf({ invoiceId }).invoiceId)));
    return (at) =>
      (this.#references[at] ?? '').includes(wanted) ||
      (invoices.size > 0 && invoices.has(this.#invoiceId.at(at)));
  }

  /** The place of the first row behind `seq`. */
  #firstBehind(seq: number): number {
    let [from, to] = [0, this.#size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#seq.at(middle) > seq) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

type Sums = Readonly<Record<(typeof TYPES)[number] | 'unknown', { count: number; amountMinor: number }>>;

function noSums(): Sums {
  const none = () => ({ count: 0, amountMinor: 0 });
  return { sale: none(), refund: none(), void: none(), unknown: none() };
}

function placeIn(list: string[], text: string): number {
  const known = list.indexOf(text);
  return known === -1 ? list.push(text) - 1 : known;
}

/** FNV-1a; 0 stands for no text. */
function hashOf(text: string | null): number {
  if (text === null) return 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash === 0 ? 1 : hash;
}
