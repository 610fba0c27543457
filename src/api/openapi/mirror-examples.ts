import type { CustomerState, Invoice } from '../contract/invoice.ts';
import type { EntitlementCheck, MirroredListSummary } from '../contract/mirrored.ts';

const CUSTOMER_ID = '0199c0de-0002-7000-8000-000000000001';
const FRESH_AT = '2026-11-02T09:15:00.000Z';
const CREATED = '2026-10-01T08:00:00.000Z';

const customer = {
  id: CUSTOMER_ID,
  object: 'customer',
  email: 'ada@shop.example',
  name: 'Ada Meyer',
  phone: '+49 30 1234567',
  company_name: null,
  default_currency: 'EUR',
  locale: 'en',
  created_at: CREATED,
};

const invoice: Invoice = {
  id: '0199c0de-0001-7000-8000-000000000001',
  object: 'invoice',
  number: 'INV-000001',
  customer_id: CUSTOMER_ID,
  status: 'open',
  currency: 'EUR',
  total_minor: 1234,
  amount_due_minor: 1234,
  open_payment_id: null,
  paid_here_minor: 0,
};

const entitlement = {
  id: '0199c0de-000b-7000-8000-000000000001',
  customer_id: CUSTOMER_ID,
  benefit_id: '0199c0de-000d-7000-8000-000000000001',
  benefit: { benefit_key: 'sauna', name: 'Sauna' },
  granted_at: CREATED,
  expires_at: null,
  status: 'active',
  has_access: true,
};

const intent = {
  id: '0199c0de-0007-7000-8000-000000000001',
  object: 'payment_intent',
  customer_id: CUSTOMER_ID,
  amount_minor: 500,
  currency: 'EUR',
  status: 'succeeded',
  created_at: CREATED,
};

const part = <T>(...data: readonly T[]) => ({ data: [...data], has_more: false, fresh_at: FRESH_AT });

/** Examples of what is read from the mirror, by the name of their schema. */
export const MIRROR_EXAMPLES: Readonly<Record<string, unknown>> = {
  Invoice: invoice,
  InvoiceList: { object: 'list', data: [invoice], has_more: false, url: '/v2/invoices', fresh_at: FRESH_AT },
  Customer: customer,
  Product: {
    id: '0199c0de-0003-7000-8000-000000000001',
    object: 'product',
    product_id: 'PROD-1',
    name: 'Ten visits',
    amount_minor: 9900,
    currency: 'EUR',
    is_active: true,
  },
  Entitlement: entitlement,
  EntitlementCheck: {
    object: 'entitlement_check',
    customer_id: CUSTOMER_ID,
    benefit_key: 'sauna',
    has_access: true,
    entitlement,
    checked_at: '2026-11-02T09:30:12.163Z',
  } satisfies EntitlementCheck,
  PaymentIntent: intent,
  Order: {
    id: '0199c0de-0006-7000-8000-000000000001',
    object: 'order',
    public_id: 'ord_1',
    customer_id: CUSTOMER_ID,
    status: 'paid',
    currency: 'EUR',
    total: 1234,
    amount_due: 0,
    line_items: [],
  },
  Dispute: {
    id: '0199c0de-0008-7000-8000-000000000001',
    public_id: 'dsp_1',
    amount_minor: 1234,
    currency: 'EUR',
    status: 'needs_response',
    evidence_due_by: '2026-11-20T00:00:00.000Z',
    disputed_at: CREATED,
  },
  CustomerState: {
    object: 'customer_state',
    customer,
    open_invoices: part(invoice),
    entitlements: part(entitlement),
    subscriptions: null,
    payments: part(intent),
  } satisfies CustomerState,
  MirroredListSummary: {
    object: 'mirrored_list',
    list: 'customers',
    path: '/v2/customers',
    rows: 1,
    fresh_at: FRESH_AT,
  } satisfies MirroredListSummary,
};
