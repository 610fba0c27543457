/** A customer, a product or an invoice as the provider's own interface shows it: amounts are decimal text, times ISO 8601. */
export type ProviderRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly changed_at: string;
};

/** A payment that was recorded there; the same one sent twice is two. */
export interface RecordedPayment {
  readonly id: string;
  readonly invoice_id: string;
  readonly external_id: string;
  /** Decimal text. */
  readonly amount: string;
  /** Epoch ms. */
  readonly at: number;
}

/** Lists of the provider. */
export type ProviderList = 'customers' | 'products' | 'invoices';

const COUNTS = { customers: 200, products: 40, invoices: 120 } as const;
/** The invoices that changes add, at most. */
const MORE_INVOICES = 380;
const DAY_MS = 86_400_000;

const FIRST =
  'Ada Ben Carla David Elif Farid Greta Hugo Ines Jonas Kira Luca Maja Nils Olga Paul Rosa Sven Tara Umut';
const LAST = 'Adler Berger Conrad Dietrich Engel Fischer Graf Hansen Immel Jung';
const GOODS =
  'Bread Rolls Croissant Baguette Brioche Focaccia Bagel Pretzel Muffin Cookie Brownie Tart Quiche Pie Strudel Cake Eclair Waffle Scone Donut';
const KINDS = 'plain large';

/** The first product, customer and invoice are as old as this before the start. */
const AGE_DAYS = 60;

/**
 * What the provider has: the same after every start, and changed once for each of the given times. Why made from them alone: only the times
 * have to be stored.
 * @param begun epoch ms of the very first start
 * @param changes epoch ms of each change, oldest first
 */
export function shopData(
  begun: number,
  changes: readonly number[],
): Readonly<Record<ProviderList, readonly ProviderRecord[]>> {
  const lists = {
    customers: Array.from({ length: COUNTS.customers }, (_, index) =>
      customer(index, placeIn(begun, index, COUNTS.customers), 0),
    ),
    products: Array.from({ length: COUNTS.products }, (_, index) =>
      product(index, placeIn(begun, index, COUNTS.products), 0),
    ),
    invoices: Array.from({ length: COUNTS.invoices }, (_, index) =>
      invoice(index, placeIn(begun, index, COUNTS.invoices)),
    ),
  };
  for (const [turn, at] of changes.entries()) {
    const round = Math.floor(turn / 3);
    if (turn % 3 === 0)
      lists.customers[(round * 7) % COUNTS.customers] = customer(
        (round * 7) % COUNTS.customers,
        at,
        round + 1,
      );
    if (turn % 3 === 1)
      lists.products[(round * 7) % COUNTS.products] = product((round * 7) % COUNTS.products, at, round + 1);
    if (turn % 3 === 2 && round < MORE_INVOICES) lists.invoices.push(invoice(COUNTS.invoices + round, at));
  }
  return lists;
}

function placeIn(begun: number, index: number, count: number): number {
  return begun - Math.round(AGE_DAYS * DAY_MS * (1 - index / count));
}

function customer(index: number, at: number, change: number): ProviderRecord {
  const first = nth(FIRST, index);
  const last = nth(LAST, Math.floor(index / 20));
  return {
    id: `C-${index + 1}`,
    first_name: first,
    last_name: last,
    email: `${first}.${last}@customers.example`.toLowerCase(),
    phone: `+49 30 ${5_550_000 + index * 10 + (change % 10)}`,
    changed_at: iso(at),
  };
}

function product(index: number, at: number, change: number): ProviderRecord {
  const price = 150 + ((index * 37) % 900) + 10 * change;
  return {
    id: `P-${index + 1}`,
    name: `${nth(GOODS, index)}, ${nth(KINDS, Math.floor(index / 20))}`,
    price: decimal(price),
    changed_at: iso(at),
  };
}

/** An invoice with its payments: paid once they reach its total. */
export function withPayments(one: ProviderRecord, payments: readonly RecordedPayment[]): ProviderRecord {
  const own = payments.filter(({ invoice_id: id }) => id === one.id);
  const newest = own.at(-1);
  if (!newest) return one;
  const paid = own.reduce((sum, { amount }) => sum + Number(amount), 0);
  const state = paid >= Number(one['total']) ? 'paid' : one['state'];
  return { ...one, state, paid: paid.toFixed(2), changed_at: iso(newest.at) };
}

/** Every tenth is paid there already. */
function invoice(index: number, at: number): ProviderRecord {
  const lines = Array.from({ length: 1 + (index % 3) }, (_, line) => {
    const goods = (index * 3 + line) % COUNTS.products;
    const quantity = 1 + ((index + line) % 4);
    return { product_id: `P-${goods + 1}`, quantity, amount: (150 + ((goods * 37) % 900)) * quantity };
  });
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: `I-${index + 1}`,
    number: `A-${1001 + index}`,
    customer_id: `C-${((index * 13) % COUNTS.customers) + 1}`,
    state: index % 10 === 9 ? 'paid' : 'open',
    currency: 'EUR',
    total: decimal(total),
    issued_on: iso(at).slice(0, 10),
    lines: lines.map(({ amount, ...line }) => ({ ...line, amount: decimal(amount) })),
    changed_at: iso(at),
  };
}

function nth(words: string, index: number): string {
  const all = words.split(' ');
  return all[index % all.length] ?? '';
}

function decimal(minor: number): string {
  return (minor / 100).toFixed(2);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
