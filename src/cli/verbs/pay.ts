import { CreateTerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { type Currency, isCurrency, type Money, parseAmount } from '../../base/money.ts';
import { chooseDevice } from '../device-choice.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { checkAmount } from '../pay/amount.ts';
import { invoiceIdOf } from '../pay/invoice.ts';
import { confirmLarge } from '../pay/large-amount.ts';
import { POLLING_INTERVAL, type PollingInterval } from '../pay/polling-interval.ts';
import { type StartOptions, startAndFollow } from '../pay/start.ts';

export interface PayOptions extends StartOptions {
  readonly device: string;
  /** Absent: what is due of the invoice. */
  readonly amount?: string;
  readonly currency?: string;
  readonly invoice?: string;
  readonly reference?: string;
  readonly after?: string;
  /** More than is usual is taken without a question. */
  readonly yes?: boolean;
}

/** The option of each request field, for error texts that a person can act on. */
const OPTION_OF: Readonly<Record<string, string>> = {
  reference: '--reference must be 1 to 64 printable characters',
  after: '--after must be the id of a payment, a UUID',
};

/** `tillctl pay`: one payment, one idempotency key, one outcome. */
export async function pay(
  options: PayOptions,
  io: Io,
  interval: PollingInterval = POLLING_INTERVAL,
): Promise<ExitCode> {
  const currency = currencyOf(options.currency);
  checkBeforeAsking(options, currency);
  return startAndFollow(options, io, interval, async (client, signal) => {
    const device = await chooseDevice(client, options.device, signal);
    const invoice = options.invoice && (await invoiceIdOf(client, options.invoice, signal));
    const amount = options.amount && parseAmount(options.amount, currency ?? device.currency);
    const body = requestOf({ ...options, invoice }, device.id, amount || { currency });
    if (options.yes !== true && io.canAsk === true) await confirmLarge(client, io, { device, body }, signal);
    return { what: 'payment', path: '/v2/terminal-payments', body, at: `on ${device.name}` };
  });
}

function currencyOf(code: string | undefined): Currency | undefined {
  if (code === undefined) return undefined;
  const upper = code.toUpperCase();
  if (isCurrency(upper)) return upper;
  throw new AppError('USAGE', `--currency "${code.slice(0, 16)}" is not an ISO 4217 code, like EUR`);
}

/** Rejects what no device accepts before the daemon is asked. */
function checkBeforeAsking(options: PayOptions, currency: Currency | undefined): void {
  const { amount, invoice } = options;
  if (amount === undefined && invoice === undefined)
    throw new AppError('USAGE', 'say --amount, or --invoice whose amount due is taken');
  if (amount !== undefined) checkAmount(amount, currency);
  const money = { minor: 1, currency: currency ?? 'EUR' } as const;
  requestOf({ ...options, invoice: undefined }, NO_ID, money);
}

const NO_ID = '00000000-0000-4000-8000-000000000000';

interface Asked extends Pick<PayOptions, 'reference' | 'after'> {
  readonly invoice: string | undefined;
}

function requestOf(
  options: Asked,
  deviceId: string,
  amount: Money | { readonly minor?: undefined; readonly currency: Currency | undefined },
): CreateTerminalPayment {
  const request = CreateTerminalPayment.safeParse({
    device_id: deviceId,
    ...(amount.minor === undefined ? {} : { amount_minor: amount.minor }),
    ...(amount.currency === undefined ? {} : { currency: amount.currency }),
    ...(options.invoice === undefined ? {} : { invoice_id: options.invoice }),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.after === undefined ? {} : { after: options.after }),
  });
  if (request.success) return request.data;
  const field = String(request.error.issues[0]?.path[0]);
  throw new AppError('USAGE', OPTION_OF[field] ?? `${field} is not valid`);
}
