import {
  currencyOfNumericCode,
  maskCardNumbers,
  numberOfBcd,
  type TransactionReport,
  TruncatedCardNumber,
  toHex,
} from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, bitmapOf, scanBitmaps, tlvOf } from './bitmaps.ts';
import { schemeOf } from './card-types.ts';
import { type Charset, textOf } from './charset.ts';
import { type Asked, verdictOf } from './result-codes.ts';
import { textLinesOf } from './tlv-text.ts';

const MAX_TEXT = 1000;
/** The longest number of the protocol, an amount; a longer value is not a number and may be a card number. */
const MOST_NUMBER_BYTES = 6;

const ENTRY_MODES: Readonly<Record<string, NonNullable<TransactionReport['entryMode']>>> = {
  '00': 'magstripe',
  '01': 'chip',
  '02': 'contactless',
};

/** Bitmap 19 of payments without a host authorisation: offline; card check only. */
const NOT_AUTHORISED: ReadonlySet<string> = new Set(['40', '50']);

const CARDHOLDER_VERIFICATION: Readonly<Record<string, string>> = {
  '00': 'none',
  '01': 'signature',
  '02': 'online_pin',
  '03': 'offline_pin',
  '04': 'offline_pin',
  '05': 'pin_and_signature',
  '06': 'pin_and_signature',
  '07': 'pin_and_signature',
};

/**
 * Reads a Status-Information (`04 0F`). Bitmaps after an unreadable one are lost, those before it count.
 * `asked`: the kind of the running dialogue, `last` when the terminal repeats its last transaction.
 * Bitmap 37 names the trace of a reversed transaction. Inside a void that is the original; inside anything else the terminal reverses its own
 * approval: unclear. Repeated, any transaction with it is reported as a void.
 * @see PA00P015 3.2
 */
export function readReport(
  data: Uint8Array,
  asked: Exclude<Asked, 'close'>,
  charset: Charset,
): TransactionReport {
  const { fields } = scanBitmaps(data);
  const responseCode = hexOf(fields, '27');
  const originalTrace = significantDigits(bitmapOf(fields, '37'));
  const verdict = verdictOf(responseCode, asked);
  const plainKind = asked === 'last' ? 'unknown' : asked;
  const namesOriginal = originalTrace !== undefined;
  const takenBack = namesOriginal && asked !== 'void' && asked !== 'last' && verdict === 'approved';
  return {
    verdict: takenBack ? 'unclear' : verdict,
    kind: namesOriginal ? 'void' : plainKind,
    ...withoutUndefined({
      responseCode,
      originalTrace,
      amountMinor: numberIn(fields, '04'),
      tipMinor: addedIn(fields, '1F36'),
      cashbackMinor: addedIn(fields, '1F25'),
      currency: currencyOfNumericCode(numberIn(fields, '49') ?? -1),
      number: significantDigits(bitmapOf(fields, '87')),
      trace: traceOf(fields),
      terminalId: hexOf(fields, '29'),
      merchantId: asciiOf(bitmapOf(fields, '2A')),
      terminalClock: clockOf(fields),
      authCode: asciiOf(bitmapOf(fields, '3B')),
      text: freeText(fields, charset),
      ...cardOf(fields),
    }),
  };
}

function cardOf(fields: readonly BitmapField[]) {
  const pan = hexOf(fields, '22');
  const type = hexOf(fields, '19');
  const onlineTag = hexOfTlv(fields, '1F11');
  return {
    maskedPan: pan === undefined ? undefined : TruncatedCardNumber.of(pan),
    cardScheme: schemeName(fields),
    entryMode: ENTRY_MODES[hexOfTlv(fields, '1F12') ?? ''],
    cardholderVerification:
      CARDHOLDER_VERIFICATION[hexOfTlv(fields, '1F10') ?? ''] ?? (type === '70' ? 'pin' : undefined),
    applicationId: applicationIdOf(fields),
    online: onlineOf(onlineTag, type),
  };
}

/** An AID is 5 to 16 bytes; its first digit names its registry, and no scheme's AID begins like a card number. */
function applicationIdOf(fields: readonly BitmapField[]): string | undefined {
  const digits = hexOfTlv(fields, '43');
  return digits !== undefined && /^[A-F](?:[0-9A-F]{9,31})$/.test(digits) ? digits : undefined;
}

function onlineOf(tag: string | undefined, type: string | undefined): 'yes' | 'no' | undefined {
  if (tag !== undefined) return tag === '01' ? 'yes' : tag === '00' ? 'no' : undefined;
  if (type === '60') return 'yes';
  return type !== undefined && NOT_AUTHORISED.has(type) ? 'no' : undefined;
}

/** Tag 41 carries ids above 255; the table decides first, else the terminal's own name of the card. */
function schemeName(fields: readonly BitmapField[]): string | undefined {
  const wide = hexOfTlv(fields, '41');
  const narrow = hexOf(fields, '8A');
  const id = Number.parseInt(wide ?? narrow ?? '', 16);
  return schemeOf(id) ?? asciiOf(bitmapOf(fields, '8B'));
}

/** Bitmap 0B, or tag 1F2B when the trace does not fit into it. */
function traceOf(fields: readonly BitmapField[]): string | undefined {
  return significantDigits(bitmapOf(fields, '0B')) ?? significantDigits(tlvOf(fields, '1F2B')?.value);
}

/** `MMDDhhmmss` by the terminal's clock; it has no year and no zone. */
function clockOf(fields: readonly BitmapField[]): string | undefined {
  const date = hexOf(fields, '0D');
  const time = hexOf(fields, '0C');
  return date === undefined || time === undefined ? undefined : `${date}${time}`;
}

function freeText(fields: readonly BitmapField[], charset: Charset): string | undefined {
  const display = textLinesOf(fields, '24').map((line) => textOf(line, charset).trim());
  const additional = textOf(bitmapOf(fields, '3C') ?? new Uint8Array(), charset);
  const text = display.length > 0 ? display.join('\n') : additional.replace(/\r\n?/g, '\n').trim();
  return text === '' ? undefined : maskCardNumbers(text.slice(0, MAX_TEXT));
}

function hexOf(fields: readonly BitmapField[], bmp: string): string | undefined {
  const value = bitmapOf(fields, bmp);
  return value === undefined || value.length === 0 ? undefined : toHex(value);
}

function hexOfTlv(fields: readonly BitmapField[], tag: string): string | undefined {
  const value = tlvOf(fields, tag)?.value;
  return value === undefined || value.length === 0 ? undefined : toHex(value);
}

function numberIn(fields: readonly BitmapField[], bmp: string): number | undefined {
  const value = bitmapOf(fields, bmp);
  return value === undefined ? undefined : numberOfBcd(value);
}

/** Tip (1F36) and cashback (1F25) are part of the amount; zero is left out. */
function addedIn(fields: readonly BitmapField[], tag: string): number | undefined {
  const value = tlvOf(fields, tag)?.value;
  const fits = value !== undefined && value.length > 0 && value.length <= MOST_NUMBER_BYTES;
  const minor = fits ? numberOfBcd(value) : undefined;
  return minor === 0 ? undefined : minor;
}

/** Digits of a significant number: all zeros, half bytes that are not digits, and more digits than any number has are not significant. */
function significantDigits(value: Uint8Array | undefined): string | undefined {
  if (value !== undefined && value.length > MOST_NUMBER_BYTES) return undefined;
  const digits = toHex(value ?? new Uint8Array());
  return /^\d*[1-9]\d*$/.test(digits) ? digits : undefined;
}

/** Printable ASCII without the NULs and spaces around it. */
function asciiOf(value: Uint8Array | undefined): string | undefined {
  const text = Array.from(value ?? [], (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ' ',
  )
    .join('')
    .trim();
  return text === '' ? undefined : maskCardNumbers(text);
}

function withoutUndefined<T extends Record<string, unknown>>(
  facts: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in facts) {
    const value = facts[key];
    if (isDefined(value)) kept[key] = value;
  }
  return kept;
}

function isDefined<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
