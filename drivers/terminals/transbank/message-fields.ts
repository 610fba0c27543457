/** Fields of an answer with one sale, in their order; the names are those of the maker's libraries. */
export const SALE_FIELDS = [
  'function_code',
  'response_code',
  'commerce_code',
  'terminal_id',
  'ticket',
  'authorization_code',
  'amount',
  'shares_number',
  'shares_amount',
  'last_4_digits',
  'operation_number',
  'card_type',
  'accounting_date',
  'account_number',
  'card_brand',
  'real_date',
  'real_time',
  'employee_id',
  'tip',
] as const;

/** The same sale as a line of the list: in another order. */
export const LINE_FIELDS = [
  'function_code',
  'response_code',
  'commerce_code',
  'terminal_id',
  'ticket',
  'authorization_code',
  'amount',
  'last_4_digits',
  'operation_number',
  'card_type',
  'accounting_date',
  'account_number',
  'card_brand',
  'real_date',
  'real_time',
  'employee_id',
  'tip',
  'shares_amount',
  'shares_number',
] as const;

const SHORT = ['function_code', 'response_code', 'commerce_code', 'terminal_id'] as const;
const WITH_CHILD = [...SALE_FIELDS, 'voucher', 'change', 'child_commerce_code'] as const;

/** A frame's sender, its name, its fields, and the minimum number of fields. */
export interface MessageShape {
  readonly kind: 'command' | 'question' | 'answer' | 'progress' | 'unknown';
  readonly name: string;
  readonly fields: readonly string[];
  readonly least: number;
}

function answer(name: string, fields: readonly string[], least: number): MessageShape {
  return { kind: 'answer', name, fields, least };
}

/** An answer has at least the fields up to the amount. */
const LEAST_SALE = 7;

/** Function code → the terminal's message. */
export const ANSWERS: Readonly<Record<string, MessageShape>> = {
  '0210': answer('Sale', [...SALE_FIELDS, 'voucher'], LEAST_SALE),
  '0260': answer('Last sale', [...SALE_FIELDS, 'voucher'], LEAST_SALE),
  '0261': answer('Line of the list', LINE_FIELDS, LEAST_SALE),
  '0271': answer('Sale for another merchant', WITH_CHILD, LEAST_SALE),
  '0281': answer('Last sale for another merchant', WITH_CHILD, LEAST_SALE),
  '0291': answer('Line of the list of all merchants', LINE_FIELDS, LEAST_SALE),
  '0510': answer('End of day', SHORT, SHORT.length),
  '0710': answer('Totals', ['function_code', 'response_code', 'tx_count', 'tx_total'], 4),
  '0810': answer('Keys loaded', SHORT, SHORT.length),
  '0900': { kind: 'progress', name: 'Progress', fields: ['function_code', 'response_code'], least: 2 },
  '1210': answer('Void', [...SHORT, 'authorization_code', 'operation_number'], SHORT.length + 2),
};

function asked(name: string, ...fields: readonly string[]): MessageShape {
  return { kind: 'question', name, fields: ['function_code', ...fields], least: 1 };
}

function ordered(name: string, least: number, ...fields: readonly string[]): MessageShape {
  return { kind: 'command', name, fields: ['function_code', ...fields], least };
}

/** Function code → the till's request. An empty name is a field that stays empty. */
export const REQUESTS: Readonly<Record<string, MessageShape>> = {
  '0100': asked('Poll'),
  '0200': ordered('Sale', 2, 'amount', 'ticket', '', 'send_voucher', 'send_status'),
  '0250': asked('Last sale, printed'),
  '0260': asked('List of sales', 'to_till'),
  '0270': ordered(
    'Sale for another merchant',
    2,
    'amount',
    'ticket',
    '',
    'send_voucher',
    'send_status',
    'child_commerce_code',
  ),
  '0280': asked('Last sale for another merchant', 'send_voucher'),
  '0290': asked('List of sales of all merchants', 'to_till'),
  '0300': ordered('Leave integrated mode', 1),
  '0500': ordered('End of day', 1),
  '0700': asked('Totals, printed'),
  '0800': ordered('Load keys', 1),
  '1200': ordered('Void', 2, 'operation_number'),
};
