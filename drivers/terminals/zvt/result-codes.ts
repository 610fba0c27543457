import type { MoneyCommand, Verdict } from '../../../src/driver-kit/terminal.ts';

/** The code of "aborted by time-out or key". */
const ABORTED = '6C';

/**
 * Codes that explicitly say that nothing was charged. Every other code is unclear, also 1–99 of the host where
 * ISO 8583 leaves the outcome open: 08, 0A, 0B, 10 are kinds of approval; 06, 09, 44 (answer too late), 5A–60 are errors of
 * the network; 66, 7D, A1, FC, FF are errors of the terminal after which the host may have booked.
 * @see PA00P015 10
 */
const EXPLICIT_REFUSALS: ReadonlySet<string> = new Set([
  ...hostCodesExcept([
    0x06, 0x08, 0x09, 0x0a, 0x0b, 0x10, 0x44, 0x5a, 0x5b, 0x5c, 0x5d, 0x5e, 0x5f, 0x60, 0x61, 0x62, 0x63,
  ]),
  '64',
  '65',
  '67',
  '68',
  '6A',
  '6B',
  '6E',
  '6F',
  '71',
  '72',
  '73',
  '75',
  '76',
  '78',
  '79',
  '7A',
  '7B',
  '7C',
  '7E',
  '83',
  '85',
  '89',
  '9B',
  'A3',
  'B1',
  'B2',
  'C0',
  'C1',
  'C2',
  'C3',
  'C4',
  'C5',
  'C6',
  'C8',
  'C9',
  'CB',
  'CD',
  'D2',
  'E4',
  'F0',
]);

/** The kind of command that got the code. */
export type Asked = MoneyCommand['kind'] | 'close' | 'last';

/**
 * Codes that refuse a reversal only. Inside a sale or a refund they would be about a reversal that the terminal
 * tried by itself, and prove nothing.
 */
const REVERSAL_REFUSALS: ReadonlySet<string> = new Set(['B4', 'B5']);

/** Codes for a batch that was not closed: not possible, please wait. */
const CLOSE_REFUSALS: ReadonlySet<string> = new Set(['77', '9C']);

const ALSO_REFUSED: Readonly<Record<Asked, ReadonlySet<string>>> = {
  sale: new Set(),
  refund: new Set(),
  void: REVERSAL_REFUSALS,
  close: CLOSE_REFUSALS,
  last: REVERSAL_REFUSALS,
};

/** The text of the terminal's codes. */
const WORDS: Readonly<Record<string, string>> = {
  '00': 'approved',
  '01': 'call the bank',
  '02': 'call the bank',
  '04': 'the card must be kept',
  '05': 'declined',
  '0C': 'invalid transaction',
  '0D': 'invalid amount',
  '0E': 'invalid card',
  '1E': 'format error',
  '33': 'limit exceeded',
  '36': 'the card has expired',
  '37': 'wrong PIN or password',
  '64': 'the card cannot be read',
  '65': 'no card data',
  '66': 'processing error',
  '67': 'not allowed for ec or Maestro cards',
  '68': 'not allowed for credit cards',
  '6A': 'the turnover file is full',
  '6B': 'the terminal is not registered',
  '6C': 'aborted by time-out or key',
  '6E': 'the card is blocked',
  '6F': 'wrong currency',
  '71': 'credit is not sufficient',
  '72': 'chip error',
  '73': 'the card data is wrong',
  '74': 'the key supply is used up',
  '75': 'the text is not authentic',
  '76': 'the card is not in the white list',
  '77': 'end-of-day is not possible',
  '78': 'the card has expired',
  '79': 'the card is not valid yet',
  '7A': 'unknown card',
  '7B': 'no fallback to magstripe',
  '7C': 'no fallback to magstripe',
  '7D': 'communication error',
  '7E': 'no fallback to magstripe',
  '83': 'the function is not possible',
  '85': 'a key is missing',
  '89': 'the PIN pad is out of order',
  '9A': 'protocol error',
  '9B': 'dial-up failed',
  '9C': 'please wait',
  A0: 'the receiver is not ready',
  A1: 'the host does not answer',
  A3: 'no connection to the host',
  A4: 'the Geldkarte submission failed',
  A5: 'not allowed by the rules for card data',
  B1: 'the memory is full',
  B2: 'the journal is full',
  B4: 'already reversed',
  B5: 'the reversal is not possible',
  B7: 'wrong amount for the pre-authorisation',
  B8: 'pre-authorisation error',
  BF: 'the voltage is too low',
  C0: 'the card lock is out of order',
  C1: 'the merchant card is missing or locked',
  C2: 'a diagnosis is needed',
  C3: 'the maximum amount is exceeded',
  C4: 'the card profile does not allow it',
  C5: 'the payment method is not supported',
  C6: 'the currency is not supported',
  C8: 'the amount is too small',
  C9: 'the maximum transaction amount is too small',
  CB: 'only in euros',
  CC: 'the printer is not ready',
  CD: 'cashback is not possible',
  D2: 'not for service cards',
  DC: 'a card is inserted',
  DD: 'the card was ejected',
  DE: 'insert the card',
  E0: 'remote maintenance is running',
  E1: 'the card was not removed',
  E2: 'the card reader is out of order',
  E3: 'the shutter is closed',
  E4: 'the terminal must be activated',
  E7: 'trouble with goods or cards',
  E8: 'trouble with goods or cards',
  E9: 'trouble with goods or cards',
  EA: 'trouble with goods or cards',
  EB: 'trouble with the PIN',
  EC: 'trouble with the PIN',
  ED: 'trouble with the PIN',
  F0: 'an end-of-day is needed first',
  F1: 'offline error',
  F5: 'the online personalisation (OPT) failed',
  F6: 'an online personalisation (OPT) is needed',
  FA: 'clearing error',
  FB: 'error in the data set',
  FC: 'device error',
  FD: 'wrong baud rate',
  FE: 'register error',
  FF: 'system error',
};

/**
 * The verdict of a result code (bitmap 27, or the byte of `06 1E`) in the dialogue of `asked`; a missing code is
 * unclear, never a success.
 */
export function verdictOf(code: string | undefined, asked: Asked): Verdict {
  if (code === undefined) return 'unclear';
  if (code === '00') return 'approved';
  if (code === ABORTED) return 'aborted';
  return EXPLICIT_REFUSALS.has(code) || ALSO_REFUSED[asked].has(code) ? 'refused' : 'unclear';
}

const WRONG_PASSWORD = '37';

/**
 * The text of a code in a dialogue in which no card has been asked for: a refusal (`84 xx`), an end of day, a question. There 37 is about the
 * password of our command, and about no PIN.
 */
export function refusalWords(code: string | undefined): string {
  if (code !== WRONG_PASSWORD) return resultWords(code);
  return `wrong password: set options.password of this device to the one in the terminal's menu (code ${code})`;
}

/** The text of a result code, with the code itself. */
export function resultWords(code: string | undefined): string {
  if (code === undefined) return 'the terminal gave no result code';
  return `${WORDS[code] ?? (isOfTheHost(code) ? 'result of the host' : 'unknown result')} (code ${code})`;
}

function isOfTheHost(code: string): boolean {
  const value = Number.parseInt(code, 16);
  return value >= 0x01 && value <= 0x63;
}

function hostCodesExcept(open: readonly number[]): string[] {
  const codes = Array.from({ length: 0x63 }, (_, index) => index + 1);
  return codes
    .filter((code) => !open.includes(code))
    .map((code) => code.toString(16).padStart(2, '0').toUpperCase());
}
