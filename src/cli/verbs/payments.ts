import { ListTerminalPayments } from '../../api/contract/payment-search.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { PaymentStatus, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { type Currency, formatMoney, parseAmount } from '../../base/money.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { paymentLabel } from '../../sentences/sentences.js';
import { connect } from '../connect.ts';
import { chooseDevice, deviceCurrencies, deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { invoiceIdOf } from '../pay/invoice.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { table } from '../show/table.ts';

export interface PaymentsOptions extends GlobalOptions {
  readonly status?: string;
  readonly device?: string;
  readonly on?: string;
  readonly amount?: string;
  readonly card?: string;
  readonly receipt?: string;
  readonly reference?: string;
  readonly invoice?: string;
  readonly contains?: string;
  readonly inDoubt?: boolean;
  readonly limit: number;
}

/** `tillctl payments` */
export async function payments(options: PaymentsOptions, io: Io): Promise<ExitCode> {
  const query = queryOf(options);
  const client = connect(options, io);
  if (options.device !== undefined) query.set('device_id', (await chooseDevice(client, options.device)).id);
  if (options.invoice !== undefined) query.set('invoice_id', await invoiceIdOf(client, options.invoice));
  if (options.amount !== undefined)
    query.set('amount_minor', String(minorOf(options.amount, await deviceCurrencies(client))));
  const path = `/v2/terminal-payments?${query}`;
  const { body, value } = await client.call({ path }, listOf(TerminalPayment));
  if (options.json) {
    printDocument(io, body);
    return EXIT.done;
  }
  io.out(value.data.length === 0 ? none(options) : paymentTable(value.data, await deviceNames(client)));
  if (value.has_more) io.err(`There are more: --limit shows up to 100.\n`);
  return EXIT.done;
}

function none({ status, inDoubt, device, ...asked }: PaymentsOptions): string {
  const { on, amount, card, receipt, reference, invoice, contains } = asked;
  return noneText(
    'payments',
    inDoubt && 'in doubt',
    withStatus(status),
    device && `at ${device}`,
    on && `on ${on}`,
    amount && `of ${amount}`,
    card && `with card …${card}`,
    receipt && `with receipt number ${receipt}`,
    reference && `with reference ${JSON.stringify(reference)}`,
    invoice && `of invoice ${invoice}`,
    contains && `with ${JSON.stringify(contains)} in the reference or the invoice number`,
  );
}

/** The parameter of the interface behind each option, and what the option must be. */
const FILTERS = [
  ['status', 'status', `one of ${PaymentStatus.options.join(', ')}`],
  ['on', 'on', 'a day like 2026-11-25, or today or yesterday'],
  ['card', 'card_last4', 'the last four digits of a card'],
  ['receipt', 'receipt_number', 'a number of at most 32 characters'],
  ['reference', 'reference', 'a text of 1 to 64 printable characters'],
  ['contains', 'contains', 'a text of 3 to 64 characters'],
] as const;

/** @throws USAGE */
function queryOf(options: PaymentsOptions): URLSearchParams {
  const query = new URLSearchParams({ limit: String(options.limit) });
  for (const [option, param, must] of FILTERS) {
    const text = options[option];
    if (text === undefined) continue;
    if (!ListTerminalPayments.safeParse({ [param]: text }).success)
      throw new AppError('USAGE', `--${option} must be ${must}`);
    query.set(param, text);
  }
  if (options.inDoubt) query.set('in_doubt', 'true');
  return query;
}

/**
 * Currencies of a shop usually write amounts alike; where they do not, the amount means the same digits in none of them.
 * @throws AMOUNT_INVALID, USAGE
 */
function minorOf(text: string, currencies: readonly Currency[]): number {
  const [first, ...others] = (currencies.length === 0 ? (['EUR'] as const) : currencies).map(
    (currency) => parseAmount(text, currency).minor,
  );
  if (first !== undefined && others.every((minor) => minor === first)) return first;
  throw new AppError(
    'USAGE',
    'the terminals take currencies with different decimals: search without --amount',
  );
}

function paymentTable(list: readonly TerminalPayment[], names: ReadonlyMap<string, string>): string {
  const rows = list.map((payment) => [
    payment.created_at,
    names.get(payment.device_id) ?? payment.device_id,
    payment.type,
    formatMoney({ minor: payment.amount_minor, currency: payment.currency }),
    statusText(payment),
    payment.charged,
    payment.reported,
    payment.id,
    payment.reference ?? '',
  ]);
  return table(
    ['CREATED', 'TERMINAL', 'TYPE', 'AMOUNT', 'STATUS', 'CHARGED', 'REPORTED', 'ID', 'REFERENCE'],
    rows,
  );
}

/** Where the status alone would suggest a complete or certain payment, another word is used. */
function statusText(payment: TerminalPayment): string {
  if (payment.in_doubt) return 'IN DOUBT';
  const { of, label } = paymentLabel(payment, ENGLISH);
  const isPlain = PLAIN.includes(of) || (of === 'back' && payment.type !== 'sale');
  return isPlain ? payment.status : label.toUpperCase();
}

const PLAIN = ['waiting', 'running', 'paid', 'declined', 'cancelled', 'failed'];
