import { numberOfBcd, toHex } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, scanBitmaps } from './bitmaps.ts';
import { type Charset, textOf } from './charset.ts';
import { textLinesOf } from './tlv-text.ts';

/**
 * An intermediate status (`04 FF`): `status (1) [timeout (1, BCD minutes)] [06 TLV]`.
 * The time-out is absent when the second byte is 06 and the rest is a TLV container of exactly that length.
 * @see PA00P015 3.3 and 5.1
 */
export interface IntermediateStatus {
  /** Upper-case hex. */
  readonly status: string;
  /** Raw byte of the time-out, upper-case hex. */
  readonly timeout?: string;
  /** The new T4, in minutes. */
  readonly timeoutMinutes?: number;
  readonly fields: readonly BitmapField[];
}

const TEXTS: Readonly<Record<string, string>> = {
  '00': 'Confirm the amount on the terminal',
  '01': 'Please watch the PIN pad',
  '02': 'Please watch the PIN pad',
  '03': 'Not accepted',
  '04': 'Waiting for the bank',
  '05': 'The terminal is reversing the payment',
  '06': 'The terminal is sending earlier bookings',
  '07': 'This card is not admitted',
  '08': 'Unknown card',
  '09': 'The card has expired',
  '0A': 'Insert card',
  '0B': 'Please remove the card',
  '0C': 'The card cannot be read',
  '0D': 'Processing error',
  '0E': 'Please wait',
  '0F': 'Automatic end-of-day is running',
  '10': 'Invalid card',
  '11': 'The balance is shown',
  '12': 'The terminal is out of order',
  '13': 'Payment not possible',
  '14': 'Credit is not sufficient',
  '15': 'Wrong PIN',
  '16': 'Limit exceeded',
  '17': 'Please wait',
  '18': 'Too many wrong PINs',
  '19': 'The card data is wrong',
  '1A': 'Service mode',
  '1B': 'Approved, please fill up',
  '1C': 'Approved, please take the goods',
  '1D': 'Declined',
  '26': 'Enter the mobile number',
  '27': 'Enter the mobile number again',
  '28': 'Choose the currency',
  '29': 'Choose the language',
  '2A': 'Choose the amount to load',
  '2B': 'Offline emergency operation',
  '2C': 'Choose the card application',
  '66': 'Enter the mobile number and remove the card',
  '67': 'Enter the mobile number again and remove the card',
  '68': 'The card is inserted',
  '69': 'Choose the currency of the payment',
  C7: 'Enter the mileage',
  C8: 'Waiting for the cashier',
  C9: 'Automatic diagnosis is running',
  CA: 'Automatic initialisation is running',
  CB: 'The journal is full',
  CC: 'Direct debit not possible, PIN needed',
  D2: 'Dialling',
  D3: 'Dial-up connection stands',
  E0: 'Choose the application',
  E1: 'Choose the language',
  E2: 'Insert the cleaning card',
  F1: 'Offline',
  F2: 'Online',
  F3: 'Offline transaction',
};

/** Reads the data of a `04 FF`; `undefined` when it is empty. */
export function readIntermediateStatus(
  data: Uint8Array,
  base = 0,
): (IntermediateStatus & { error?: Error }) | undefined {
  if (data.length === 0) return undefined;
  const status = toHex(data.subarray(0, 1));
  const rest = data.subarray(1);
  if (rest.length === 0) return { status, fields: [] };
  const bare = rest[0] === 0x06 ? scanBitmaps(rest, base + 1) : undefined;
  if (bare && !bare.error && rest.length > 1) return { status, fields: bare.fields };
  const scan = scanBitmaps(rest.subarray(1), base + 2);
  const minutes = numberOfBcd(rest.subarray(0, 1));
  return {
    status,
    timeout: toHex(rest.subarray(0, 1)),
    ...(minutes === undefined || minutes === 0 ? {} : { timeoutMinutes: minutes }),
    ...scan,
  };
}

/** The text for staff; the terminal's own text (TLV 24) has precedence over the table. */
export function progressText(message: IntermediateStatus, charset: Charset): string | undefined {
  const lines = textLinesOf(message.fields, '24').map((line) => textOf(line, charset).trim());
  const own = lines.filter((line) => line !== '').join(' ');
  if (own !== '') return own;
  const code = Number.parseInt(message.status, 16);
  if (code < 0x41 || code > 0x5d) return TEXTS[message.status];
  const plain = TEXTS[(code - 0x40).toString(16).padStart(2, '0').toUpperCase()];
  return plain === undefined ? 'Please remove the card' : `${plain}. Please remove the card`;
}

/** True for the status that announces an automatic reversal. */
export function isAutoReversal(message: IntermediateStatus): boolean {
  return message.status === '05' || message.status === '45';
}

/**
 * Statuses that a payment has only while it is under way: amount, PIN pad, bank, card, dialling, and "approved". "Please wait" is none of them:
 * terminals show it while they print, too.
 */
const UNDER_WAY: ReadonlySet<string> = new Set(
  ['00', '01', '02', '04', '06', '0A', '1B', '1C', '2B', '2C', 'CC', 'D2', 'D3', 'E0', 'F2', 'F3'].flatMap(
    (status) => [status, withRemoveCard(status)],
  ),
);

/** True for a status that a payment shows only before its result. */
export function isUnderWay({ status }: IntermediateStatus): boolean {
  return UNDER_WAY.has(status);
}

/** 41 to 5D: the same as 01 to 1D, plus "remove card". */
function withRemoveCard(status: string): string {
  const code = Number.parseInt(status, 16);
  return code >= 0x01 && code <= 0x1d ? (code + 0x40).toString(16).toUpperCase() : status;
}
