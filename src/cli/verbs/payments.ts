import { listOf } from '../../api/contract/primitives.ts';
import { PaymentStatus, TerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { formatMoney } from '../../base/money.ts';
import { ENGLISH } from '../../sentences/english.ts';
import { paymentLabel } from '../../sentences/sentences.js';
import { connect } from '../connect.ts';
import { chooseDevice, deviceNames } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { table } from '../show/table.ts';

export interface PaymentsOptions extends GlobalOptions {
  readonly status?: string;
  readonly device?: string;
  readonly inDoubt?: boolean;
  readonly limit: number;
}

/** `tillctl payments` */
export async function payments(options: PaymentsOptions, io: Io): Promise<ExitCode> {
  const query = queryOf(options);
  const client = connect(options, io);
  if (options.device !== undefined) query.set('device_id', (await chooseDevice(client, options.device)).id);
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

function none({ status, inDoubt, device }: PaymentsOptions): string {
  return noneText('payments', inDoubt && 'in doubt', withStatus(status), device && `at ${device}`);
}

function queryOf(options: PaymentsOptions): URLSearchParams {
  const query = new URLSearchParams({ limit: String(options.limit) });
  if (options.status !== undefined) {
    const status = PaymentStatus.safeParse(options.status);
    if (!status.success)
      throw new AppError('USAGE', `--status must be one of ${PaymentStatus.options.join(', ')}`);
    query.set('status', status.data);
  }
  if (options.inDoubt) query.set('in_doubt', 'true');
  return query;
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
