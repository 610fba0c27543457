import type { MirroredListSummary } from '../../api/contract/mirrored.ts';
import { currencies, formatMoney } from '../../base/money.ts';
import { table } from './table.ts';

/** A record of the mirror, as the interface gives it. */
export type MirroredRecord = Readonly<Record<string, unknown>>;

/** A column: its heading, and the field that it shows; an amount with the currency of its record. */
type Column = readonly [heading: string, field: string];

const ID: Column = ['ID', 'id'];
const STATUS: Column = ['STATUS', 'status'];
const CUSTOMER: Column = ['CUSTOMER', 'customer_id'];
const CREATED: Column = ['CREATED', 'created_at'];
const AMOUNT: Column = ['AMOUNT', 'amount_minor'];

/** What is shown of each list, before the id. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  invoices: [['NUMBER', 'number'], STATUS, ['TOTAL', 'total_minor'], ['DUE', 'amount_due_minor'], CUSTOMER],
  customers: [
    ['NAME', 'name'],
    ['EMAIL', 'email'],
    ['PHONE', 'phone'],
    ['COMPANY', 'company_name'],
  ],
  products: [['NAME', 'name'], ['CODE', 'product_id'], AMOUNT, ['ACTIVE', 'is_active']],
  prices: [
    ['PRODUCT', 'product_id'],
    ['AMOUNT', 'unit_amount_minor'],
    ['ACTIVE', 'active'],
  ],
  subscriptions: [STATUS, CUSTOMER, ['UNTIL', 'current_period_end']],
  orders: [['ORDER', 'public_id'], STATUS, ['TOTAL', 'total'], ['DUE', 'amount_due'], CUSTOMER],
  payments: [CREATED, AMOUNT, STATUS, CUSTOMER],
  disputes: [
    ['DISPUTE', 'public_id'],
    AMOUNT,
    STATUS,
    ['DISPUTED', 'disputed_at'],
    ['DUE BY', 'evidence_due_by'],
  ],
  payouts: [['PAYOUT', 'public_id'], CREATED, AMOUNT, STATUS],
  mandates: [
    ['HOLDER', 'account_holder_name'],
    ['LAST 4', 'account_number_last4'],
    STATUS,
    ['REFERENCE', 'mandate_reference'],
  ],
  entitlements: [
    CUSTOMER,
    ['BENEFIT', 'benefit'],
    STATUS,
    ['EXPIRES', 'expires_at'],
    ['ACCESS', 'has_access'],
  ],
  transactions: [CREATED, AMOUNT, STATUS],
};
const MONEY = new Set(['total', 'amount_due']);

/** The mirrored lists, one line each. */
export function mirroredListTable(lists: readonly MirroredListSummary[]): string {
  const rows = lists.map(({ list, rows: count, fresh_at, path }) => [
    list,
    String(count),
    fresh_at ?? 'never',
    path,
  ]);
  return table(['LIST', 'ROWS', 'COMPLETE UNTIL', 'READ AT'], rows);
}

/** Records of one list, one line each. */
export function mirroredTable(list: string, records: readonly MirroredRecord[]): string {
  const columns = [...(COLUMNS[list] ?? [STATUS, CREATED]), ID];
  return table(
    columns.map(([heading]) => heading),
    records.map(asOfNow).map((record) => columns.map(([, field]) => cell(record, field))),
  );
}

/** An invoice with what was paid here since it was mirrored. */
function asOfNow(record: MirroredRecord): MirroredRecord {
  const { amount_due_minor: due, paid_here_minor: paid } = record;
  if (typeof due !== 'number' || typeof paid !== 'number' || paid === 0) return record;
  const left = due - paid;
  const status = record['status'];
  return {
    ...record,
    amount_due_minor: left,
    status: left <= 0 ? 'paid' : status === 'paid' ? 'open' : status,
  };
}

function cell(record: MirroredRecord, field: string): string {
  const value = record[field];
  if (
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    (field.endsWith('_minor') || MONEY.has(field))
  ) {
    const currency = currencies.find((known) => known === record['currency']);
    return currency === undefined ? String(value) : formatMoney({ minor: value, currency });
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null)
    return 'benefit_key' in value && typeof value.benefit_key === 'string' ? value.benefit_key : '';
  return value === undefined || value === null ? '' : String(value);
}
