import { type Currency, isCurrency, numericCodeOf } from '../../../src/base/money.ts';
import { type Apdu, bcd, digitsOf, readBitmaps, readTlv, ZvtRefusal } from './virtual-apdu.ts';

/** What a till asked for, checked. */
export type Command =
  | {
      readonly kind: 'registration';
      readonly config: number;
      /** ISO 4217 numeric code, four digits, as the till wrote it. */
      readonly currencyCode: string | undefined;
      readonly tlv: boolean;
      /** Commands that the till accepts (TLV 26), or null when it did not say. */
      readonly permitted: ReadonlySet<number> | null;
    }
  | { readonly kind: 'log_off' }
  | { readonly kind: 'status_enquiry'; readonly service: number }
  | {
      readonly kind: 'payment';
      readonly of: 'sale' | 'refund';
      readonly amountMinor: number;
      readonly sentCurrency: boolean;
    }
  | {
      readonly kind: 'reversal';
      readonly receipt: string;
      readonly amountMinor: number | undefined;
      readonly sentCurrency: boolean;
    }
  | { readonly kind: 'repeat_receipt'; readonly service: number }
  | { readonly kind: 'totals'; readonly close: boolean }
  | { readonly kind: 'abort' };

/**
 * Reads a command of the till.
 * @throws ZvtRefusal with the code for `84 xx`: 83 unknown, 9A malformed, 0D amount, 6F wrong currency.
 */
export function readCommand(apdu: Apdu, currency: string): Command {
  const { data } = apdu;
  switch (apdu.command) {
    case 0x0600:
      return registration(data);
    case 0x0602:
      return { kind: 'log_off' };
    case 0x0501:
      return { kind: 'status_enquiry', service: data.length === 0 ? 0 : serviceByte(afterPassword(data)) };
    case 0x0601:
      return payment('sale', data, currency);
    case 0x0631:
      return payment('refund', afterPassword(data), currency);
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

function registration(data: Uint8Array): Command {
  const rest = afterPassword(data);
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
  };
}

/** TLV 26 holds one `0A` per command, some tills put several commands into one. */
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
  return { kind: 'payment', of, amountMinor, sentCurrency: checkCurrency(fields, currency) };
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

function afterPassword(data: Uint8Array): Uint8Array {
  if (data.length < 3 || digitsOf(data.slice(0, 3)) === undefined) throw new ZvtRefusal(0x9a, 'no password');
  return data.slice(3);
}

/** Currency as bitmap 49. */
export function currencyField(currency: string): Uint8Array {
  return Uint8Array.of(0x49, ...bcd(currencyDigits(currency), 2));
}
