import { randomUUID } from 'node:crypto';
import { CreateTerminalPayment } from '../../api/contract/terminal-payment.ts';
import { AppError } from '../../base/errors.ts';
import { type Currency, isCurrency, type Money, parseAmount } from '../../base/money.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { createPayment, type PaymentAnswer } from '../pay/create.ts';
import { type Followed, followPayment, isFinal } from '../pay/follow.ts';
import { PACE, type Pace } from '../pay/pace.ts';
import { paymentText } from '../show/payment.ts';
import { plain } from '../show/plain.ts';

export interface PayOptions extends GlobalOptions {
  readonly device: string;
  readonly amount: string;
  readonly currency?: string;
  readonly invoice?: string;
  readonly reference?: string;
  readonly after?: string;
  readonly wait: boolean;
  readonly idempotencyKey?: string;
  /** Seconds to wait while the outcome is in doubt. */
  readonly timeout: number;
}

/** The option behind each field of the request, for words that a person can act on. */
const OPTION_OF: Readonly<Record<string, string>> = {
  invoice_id: '--invoice must be a UUID',
  reference: '--reference must be 1 to 64 printable characters',
  after: '--after must be the id of a payment, a UUID',
};

/** `tillctl pay`: one payment, one idempotency key, one outcome. */
export async function pay(options: PayOptions, io: Io, pace: Pace = PACE): Promise<ExitCode> {
  const key = keyOf(options);
  const currency = currencyOf(options.currency);
  checkBeforeAsking(options, currency);
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  try {
    const client = connect(options, io);
    const device = await chooseDevice(client, options.device, stop.signal);
    const body = requestOf(options, device.id, parseAmount(options.amount, currency ?? device.currency));
    const created = await createPayment(client, body, key, pace, stop.signal);
    if (!options.wait)
      return shown(options, io, { end: isFinal(created.value.data) ? 'final' : 'accepted', last: created });
    io.err(`payment ${created.value.data.id} on ${plain(device.name)}\n`);
    const say = (text: string) => io.err(`  ${plain(text)}\n`);
    const followed = await followPayment(client, created, {
      doubtMs: options.timeout * 1000,
      pace,
      signal: stop.signal,
      say,
    });
    return shown(options, io, followed);
  } catch (error) {
    if (!stop.signal.aborted || (error instanceof AppError && error.code === 'INTERRUPTED')) throw error;
    throw new AppError('INTERRUPTED', 'interrupted before the payment was started', { cause: error });
  } finally {
    forget();
  }
}

interface Ended {
  readonly end: Followed['end'] | 'accepted';
  readonly last: PaymentAnswer;
}

function shown(options: PayOptions, io: Io, { end, last }: Ended): ExitCode {
  const payment = last.value.data;
  if (options.json) printDocument(io, last.body);
  else io.out(paymentText(payment));
  const words = WORDS[end];
  if (words !== undefined) io.err(`tillctl: ${words} \`tillctl explain ${payment.id}\` tells more.\n`);
  if (end === 'final') return payment.status === 'succeeded' ? EXIT.done : EXIT.no;
  if (end === 'accepted') return EXIT.done;
  return end === 'interrupted' ? EXIT.interrupted : EXIT.unknownOutcome;
}

const WORDS: Readonly<Partial<Record<Ended['end'], string>>> = {
  in_doubt:
    'it is not known yet whether the customer was charged; do not take the payment again before it is.',
  unreachable:
    'tilld does not answer: it is not known whether the customer was charged; do not take the payment again.',
  too_long: 'the payment is still running; this command waits no longer.',
  interrupted: 'interrupted, the payment goes on.',
};

function keyOf({ idempotencyKey }: PayOptions): string {
  const key = idempotencyKey ?? randomUUID();
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError('USAGE', '--idempotency-key must be 1 to 255 visible ASCII characters');
}

function currencyOf(code: string | undefined): Currency | undefined {
  if (code === undefined) return undefined;
  const upper = code.toUpperCase();
  if (isCurrency(upper)) return upper;
  throw new AppError('USAGE', `--currency "${code.slice(0, 16)}" is not an ISO 4217 code, like EUR`);
}

/** Refuses what no device could take before the daemon is asked; three digits after the point are the most of any currency. */
function checkBeforeAsking(options: PayOptions, currency: Currency | undefined): void {
  checkAmount(options.amount, currency);
  requestOf(options, '00000000-0000-4000-8000-000000000000', { minor: 1, currency: currency ?? 'EUR' });
}

function checkAmount(text: string, currency: Currency | undefined): void {
  try {
    parseAmount(text, currency ?? 'KWD');
  } catch (error) {
    if (currency !== undefined) throw error;
    const message = `--amount ${JSON.stringify(text.slice(0, 32))} is not an amount that can be paid: write it like 12.34`;
    throw new AppError('AMOUNT_INVALID', message, { cause: error });
  }
}

function requestOf(options: PayOptions, deviceId: string, amount: Money): CreateTerminalPayment {
  const request = CreateTerminalPayment.safeParse({
    device_id: deviceId,
    amount_minor: amount.minor,
    currency: amount.currency,
    ...(options.invoice === undefined ? {} : { invoice_id: options.invoice }),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.after === undefined ? {} : { after: options.after }),
  });
  if (request.success) return request.data;
  const field = String(request.error.issues[0]?.path[0]);
  throw new AppError('USAGE', OPTION_OF[field] ?? `${field} is not valid`);
}
