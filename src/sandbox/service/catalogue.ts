import type { CatalogueKind } from './settings.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CURRENCY = 'EUR';

/** Default number of records of each kind. */
export const HANDFUL: Readonly<Record<CatalogueKind, number>> = {
  invoices: 40,
  customers: 25,
  products: 12,
  prices: 12,
  subscriptions: 10,
  orders: 15,
  payment_intents: 20,
  disputes: 3,
  payouts: 5,
  mandates: 6,
  entitlements: 8,
  transactions: 20,
};

const NUMBERS: Readonly<Record<CatalogueKind, string>> = {
  invoices: '0001',
  customers: '0002',
  products: '0003',
  prices: '0004',
  subscriptions: '0005',
  orders: '0006',
  payment_intents: '0007',
  disputes: '0008',
  payouts: '0009',
  mandates: '000a',
  entitlements: '000b',
  transactions: '000c',
};

/** The id of the n-th record of a kind: a UUID that encodes its index, so that nothing has to be stored. */
export function idOf(kind: CatalogueKind, index: number): string {
  return `0199c0de-${NUMBERS[kind]}-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** The index that an id encodes; null: not of this kind. */
export function indexOfId(kind: CatalogueKind, id: string): number | null {
  const prefix = `0199c0de-${NUMBERS[kind]}-7000-8000-`;
  const text = id.toLowerCase();
  return text.startsWith(prefix) ? Number.parseInt(text.slice(prefix.length), 16) : null;
}

const PUBLIC_PREFIX: Readonly<Partial<Record<CatalogueKind, string>>> = { disputes: 'dsp_', payouts: 'pyt_' };

/** The index that a public id (`dsp_3`) encodes; null: the kind has none like it. */
export function indexOfPublicId(kind: CatalogueKind, id: string): number | null {
  const prefix = PUBLIC_PREFIX[kind];
  const number = prefix !== undefined && id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) - 1 : null;
}

/** The n-th record of a kind: the interface's fields where it shows them, a few of our own where it does not. */
export function recordOf(kind: CatalogueKind, index: number): Readonly<Record<string, unknown>> {
  const at = new Date(START + index * MINUTE_MS).toISOString();
  return { id: idOf(kind, index), ...FIELDS[kind](index), created_at: at, updated_at: at };
}

const FIELDS: Readonly<Record<CatalogueKind, (index: number) => Readonly<Record<string, unknown>>>> = {
  invoices: (index) => ({
    object: 'invoice',
    number: `INV-${String(index + 1).padStart(6, '0')}`,
    customer_id: idOf('customers', index % HANDFUL.customers),
    status: index % 3 === 0 ? 'paid' : 'open',
    currency: CURRENCY,
    total_minor: amountOf(index),
    amount_due_minor: index % 3 === 0 ? 0 : amountOf(index),
  }),
  customers: (index) => ({
    object: 'customer',
    email: `customer${index + 1}@shop.example`,
    name: `Customer ${index + 1}`,
    phone: null,
    company_name: index % 4 === 0 ? `Company ${index + 1}` : null,
    default_currency: CURRENCY,
    locale: 'en',
  }),
  products: (index) => ({
    object: 'product',
    product_id: `PROD-${index + 1}`,
    name: `Product ${index + 1}`,
    description: '',
    kind: 'one_time',
    pricing_model: 'fixed',
    amount_minor: amountOf(index),
    currency: CURRENCY,
    is_active: true,
    is_archived: false,
    metadata: {},
  }),
  prices: (index) => ({
    object: 'price',
    product_id: idOf('products', index % HANDFUL.products),
    currency: CURRENCY,
    unit_amount_minor: amountOf(index),
    active: true,
  }),
  subscriptions: (index) => ({
    customer_id: idOf('customers', index % HANDFUL.customers),
    price_id: idOf('prices', index % HANDFUL.prices),
    status: 'active',
    cancel_at_period_end: false,
  }),
  orders: (index) => ({
    object: 'order',
    public_id: `ord_${index + 1}`,
    customer_id: idOf('customers', index % HANDFUL.customers),
    status: 'paid',
    currency: CURRENCY,
    total: amountOf(index),
    amount_due: 0,
    line_items: [],
    metadata: {},
  }),
  payment_intents: (index) => ({
    object: 'payment_intent',
    customer_id: idOf('customers', index % HANDFUL.customers),
    amount_minor: amountOf(index),
    currency: CURRENCY,
    status: 'succeeded',
  }),
  disputes: (index) => ({
    public_id: `dsp_${index + 1}`,
    amount_minor: amountOf(index),
    currency: CURRENCY,
    status: index % 3 === 2 ? 'won' : 'needs_response',
    evidence_submitted: false,
    disputed_at: new Date(START + index * DAY_MS).toISOString(),
    evidence_due_by: new Date(START + (100 - (index % 7)) * DAY_MS).toISOString(),
  }),
  payouts: (index) => ({
    public_id: `pyt_${index + 1}`,
    amount_minor: amountOf(index) * 10,
    currency: CURRENCY,
    status: 'paid',
  }),
  mandates: (index) => ({
    object: 'mandate',
    status: 'active',
    account_holder_name: `Customer ${index + 1}`,
    account_number_last4: String(1000 + index).slice(-4),
    mandate_reference: `MND-${index + 1}`,
  }),
  entitlements: (index) => ({
    customer_id: idOf('customers', index % HANDFUL.customers),
    benefit: { benefit_key: `benefit_${index % 4}`, name: `Benefit ${index % 4}`, is_active: true },
    granted_at: new Date(START).toISOString(),
    expires_at: index % 4 === 3 ? new Date(START + DAY_MS).toISOString() : null,
    status: index % 4 === 3 ? 'expired' : 'active',
    has_access: index % 4 !== 3,
    access_level: 'full',
    metadata: {},
  }),
  transactions: (index) => ({
    object: 'transaction',
    type: 'payment',
    amount_minor: amountOf(index),
    currency: CURRENCY,
    status: 'settled',
  }),
};

function amountOf(index: number): number {
  return 500 + ((index * 137) % 20_000);
}
