import { TruncatedCardNumber } from '../../../src/driver-kit/terminal.ts';

/** More characters than this are a card number, whole or masked. */
const HARMLESS = 10;

/** The field of a card number, 19 characters with leading zeros, masked: at most six digits and four. */
export function shownCard(field: string): string {
  const number = field.replace(/^0+/, '');
  if (number.length <= HARMLESS) return field;
  const card = TruncatedCardNumber.of(number);
  return card === undefined ? '*'.repeat(field.length) : `${card}`.padStart(field.length, '0');
}

/** The card number of a result; undefined where the terminal reports none. */
export function cardOf(field: string | undefined): TruncatedCardNumber | undefined {
  return TruncatedCardNumber.of((field ?? '').trim().replace(/^0+/, ''));
}
