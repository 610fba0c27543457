import { currencyOfNumericCode, numberOfBcd, type Totals, toHex } from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, bitmapOf, scanBitmaps } from './bitmaps.ts';

/** The groups of bitmap 60, in their order. */
const SCHEMES = [
  'girocard',
  'JCB',
  'Mastercard',
  'American Express',
  'Visa',
  'Diners Club',
  'other',
] as const;
const GROUP_BYTES = 7;
const BLOCK_BYTES = 4 + SCHEMES.length * GROUP_BYTES;
/** The largest count of one byte may stand for more. */
const FULL_COUNT = 255;

/**
 * Reads the Status-Information (`04 0F`) of an end of day or of the turnover totals: bitmap 04, and bitmap 60 as
 *
 *     receipt from (2) | receipt to (2) | 7 × { count (1, binary) | sum (6, BCD) }
 *
 * Some devices fill 60 with garbage: it counts only when every sum is a number and together they are bitmap 04, or 04 is zero,
 * which may stand for a negative sum.
 * `null` when nothing is readable.
 * @see PA00P015 2.16
 */
export function readTotals(data: Uint8Array): Totals | null {
  const { fields } = scanBitmaps(data);
  const amountMinor = numberIn(fields, '04');
  const currency = currencyOfNumericCode(numberIn(fields, '49') ?? -1);
  const groups = groupsOf(bitmapOf(fields, '60'), amountMinor);
  if (amountMinor === undefined && !groups) return null;
  return {
    ...groups,
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** The result code (27) of a Status-Information, upper-case hex. */
export function resultCodeOf(data: Uint8Array): string | undefined {
  const value = bitmapOf(scanBitmaps(data).fields, '27');
  return value === undefined ? undefined : toHex(value);
}

/** A payment's result names its receipt (87) or its card (22); totals do neither. */
export function isOfOnePayment(data: Uint8Array): boolean {
  return scanBitmaps(data).fields.some(({ bmp }) => bmp === '87' || bmp === '22');
}

function groupsOf(
  block: Uint8Array | undefined,
  amountMinor: number | undefined,
): Pick<Totals, 'count' | 'firstNumber' | 'lastNumber' | 'byScheme'> | undefined {
  if (block?.length !== BLOCK_BYTES) return undefined;
  const groups = SCHEMES.map((scheme, index) => groupOf(scheme, block, 4 + index * GROUP_BYTES));
  const sum = groups.reduce((whole, group) => whole + group.amountMinor, 0);
  const fits = sum === (amountMinor ?? sum) || amountMinor === 0;
  if (!Number.isSafeInteger(sum) || !fits) return undefined;
  const first = receiptNumber(block.subarray(0, 2));
  const last = receiptNumber(block.subarray(2, 4));
  const counted = groups.every((group) => group.count < FULL_COUNT);
  return {
    byScheme: groups.filter((group) => group.count > 0 || group.amountMinor !== 0),
    ...(counted ? { count: groups.reduce((whole, group) => whole + group.count, 0) } : {}),
    ...(first === undefined ? {} : { firstNumber: first }),
    ...(last === undefined ? {} : { lastNumber: last }),
  };
}

function groupOf(scheme: string, block: Uint8Array, at: number) {
  const sum = numberOfBcd(block.subarray(at + 1, at + GROUP_BYTES));
  return { scheme, count: block[at] ?? 0, amountMinor: sum ?? Number.NaN };
}

/** Four digits; 0000 is no receipt. */
function receiptNumber(bytes: Uint8Array): string | undefined {
  const digits = toHex(bytes);
  return /^\d{4}$/.test(digits) && digits !== '0000' ? digits : undefined;
}

function numberIn(fields: readonly BitmapField[], bmp: string): number | undefined {
  const value = bitmapOf(fields, bmp);
  return value === undefined ? undefined : numberOfBcd(value);
}
