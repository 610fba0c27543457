import { type Currency, isCurrency, numericCodeOf } from '../../../src/base/money.ts';
import { type Apdu, bcd, digitsOf, readBitmaps, readTlv, ZvtRefusal } from './virtual-apdu.ts';

/** A validated request of the till. */
export type Command =
  | {
      readonly kind: 'registration';
      readonly config: number;
      /** ISO 4217 numeric code, four digits, as the till sent it. */
      readonly currencyCode: string | undefined;
      readonly tlv: boolean;
      /** Commands that the till accepts (TLV 26), or null when it sent no list. */
      readonly permitted: ReadonlySet<number> | null;
      /** The only charset that the till offered (TLV 27 {14}). */
      readonly charset: number | null;
      /** The longest packet that the till accepts (TLV 1A). */
      readonly maxApdu: number | null;
    }
  | { readonly kind: 'status_enquiry'; readonly service: number }
  | {
      readonly kind: 'payment';
      readonly of: 'sale' | 'refund';
      readonly amountMinor: number;
      /** The customer may add a tip (bitmap 19, bit 08). */
      readonly asksTip: boolean;
      readonly sentCurrency: boolean;
    }
  | { readonly kind: 'own_business'; readonly what: 'initialisation' | 'diagnosis' | 'clock' }
  | {
      readonly kind: 'reversal';
      readonly receipt: string;
      readonly amountMinor: number | undefined;
      readonly sentCurrency: boolean;
    }
  | { readonly kind: 'repeat_receipt'; readonly service: number }
  | { readonly kind: 'totals'; readonly close: boolean }
  | { readonly kind: 'abort' };

const WRONG_PASSWORD = 0x37;

/** What a command is checked against. */
export interface CommandRules {
  readonly currency: string;
  readonly passwords: readonly string[];
}

/**
 * Reads a command of the till.
 * @throws ZvtRefusal with the code for `84 xx`: 83 unknown, 9A malformed, 0D amount, 37 wrong password, 6F wrong currency.
 */
export function readCommand(apdu: Apdu, { currency, passwords }: CommandRules): Command {
  const { data } = apdu;
  const afterPassword = (bytes: Uint8Array) => withoutPassword(bytes, passwords);
  switch (apdu.command) {
    case 0x0600:
      return registration(afterPassword(data));
    case 0x0501:
      return { kind: 'status_enquiry', service: data.length === 0 ? 0 : serviceByte(afterPassword(data)) };
    case 0x0601:
      return payment('sale', data, currency);
    case 0x0631:
      return payment('refund', afterPassword(data), currency);
    case 0x0670:
      readBitmaps(data);
      return { kind: 'own_business', what: 'diagnosis' };
    case 0x0691:
      return setClock(afterPassword(data));
    case 0x0693:
      readBitmaps(afterPassword(data));
      return { kind: 'own_business', what: 'initialisation' };
    case 0x0630:
      return reversal(afterPassword(data), currency);
    case 0x0620:
      return { kind: 'repeat_receipt', service: serviceByte(afterPassword(data)) };
    case 0x0610:
    case 0x0650:
      readBitmaps(afterPassword(data));
      return { kind: 'totals', close: apdu.command === 0x0650 };
    case 0x06b0:
      return { kind: 'abort' };
    default:
      throw new ZvtRefusal(0x83, `unknown command ${apdu.command.toString(16)}`);
  }
}

/** The four digits of a currency on the wire: EUR `0978`. */
export function currencyDigits(currency: string): string {
  const code = isCurrency(currency) ? numericCodeOf(currency satisfies Currency) : 0;
  return String(code).padStart(4, '0');
}

function registration(rest: Uint8Array): Command {
  const config = rest[0];
  if (config === undefined) throw new ZvtRefusal(0x9a, 'registration without a config byte');
  const currencyCode = rest.length >= 3 ? digitsOf(rest.slice(1, 3)) : undefined;
  const fields = readBitmaps(rest.slice(3));
  const container = fields.get(0x06);
  return {
    kind: 'registration',
    config,
    currencyCode,
    tlv: container !== undefined,
    permitted: permittedBy(container),
    charset: charsetIn(container),
    maxApdu: numberOf(elementIn(container, 0x1a)),
  };
}

function elementIn(container: Uint8Array | undefined, wanted: number): Uint8Array | undefined {
  return container && readTlv(container).find(({ tag }) => tag === wanted)?.value;
}

function charsetIn(container: Uint8Array | undefined): number | null {
  const offered = elementIn(container, 0x27);
  const charsets = offered ? readTlv(offered).filter(({ tag }) => tag === 0x14) : [];
  return charsets.length === 1 ? numberOf(charsets[0]?.value) : null;
}

function numberOf(bytes: Uint8Array | undefined): number | null {
  return bytes ? bytes.reduce((sum, byte) => sum * 0x100 + byte, 0) : null;
}

function setClock(data: Uint8Array): Command {
  const fields = readBitmaps(data);
  const [date, time] = [fields.get(0xaa), fields.get(0x0c)].map((bytes) => bytes && digitsOf(bytes));
  if (!date || !time) throw new ZvtRefusal(0x9a, 'a clock without date or time');
  return { kind: 'own_business', what: 'clock' };
}

/** TLV 26 holds one `0A` per command; some tills put several commands into one. */
function permittedBy(container: Uint8Array | undefined): ReadonlySet<number> | null {
  const list = container && readTlv(container).find(({ tag }) => tag === 0x26);
  if (!list) return null;
  const bytes = readTlv(list.value).flatMap(({ tag, value }) => (tag === 0x0a ? [...value] : []));
  const commands = bytes.flatMap((byte, index) =>
    index % 2 === 0 ? [(byte << 8) | (bytes[index + 1] ?? 0)] : [],
  );
  return new Set(commands);
}

function payment(of: 'sale' | 'refund', data: Uint8Array, currency: string): Command {
  const fields = readBitmaps(data);
  const amountMinor = amountOf(fields);
  if (amountMinor === undefined || amountMinor === 0)
    throw new ZvtRefusal(0x0d, 'a payment without an amount');
  const asksTip = of === 'sale' && ((fields.get(0x19)?.[0] ?? 0) & 0x08) !== 0;
  const sentCurrency = checkCurrency(fields, currency);
  return { kind: 'payment', of, amountMinor, asksTip, sentCurrency };
}

function reversal(data: Uint8Array, currency: string): Command {
  const fields = readBitmaps(data);
  const receipt = digitsOf(fields.get(0x87) ?? Uint8Array.of());
  if (!receipt) throw new ZvtRefusal(0x9a, 'a reversal without a receipt number');
  return {
    kind: 'reversal',
    receipt,
    amountMinor: amountOf(fields),
    sentCurrency: checkCurrency(fields, currency),
  };
}

function amountOf(fields: ReadonlyMap<number, Uint8Array>): number | undefined {
  const bytes = fields.get(0x04);
  if (!bytes) return undefined;
  const digits = digitsOf(bytes);
  if (digits === undefined) throw new ZvtRefusal(0x0d, 'an amount that is no number');
  return Number(digits);
}

/** Whether the till sent a currency. */
function checkCurrency(fields: ReadonlyMap<number, Uint8Array>, currency: string): boolean {
  const sent = fields.get(0x49);
  if (!sent) return false;
  if (digitsOf(sent) !== currencyDigits(currency)) throw new ZvtRefusal(0x6f, 'another currency');
  return true;
}

function serviceByte(data: Uint8Array): number {
  return readBitmaps(data).get(0x03)?.[0] ?? 0;
}

function withoutPassword(data: Uint8Array, passwords: readonly string[]): Uint8Array {
  const password = digitsOf(data.slice(0, 3));
  if (data.length < 3 || password === undefined) throw new ZvtRefusal(0x9a, 'no password');
  if (!passwords.includes(password)) throw new ZvtRefusal(WRONG_PASSWORD, 'another password');
  return data.slice(3);
}

/** Currency as bitmap 49. */
export function currencyField(currency: string): Uint8Array {
  return Uint8Array.of(0x49, ...bcd(currencyDigits(currency), 2));
}
