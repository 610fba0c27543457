import { maskCardNumbers, type TransactionReport } from '../../../src/driver-kit/terminal.ts';
import { ANY_TERMINAL, type Answer } from './answers.ts';
import { cardOf } from './card-field.ts';
import { resultWords, verdictOf } from './result-codes.ts';

type Kind = TransactionReport['kind'];

const ENTRY_MODES: Readonly<Record<string, NonNullable<TransactionReport['entryMode']>>> = {
  ICC: 'chip',
  MAG: 'magstripe',
  MAN: 'manual',
  CLM: 'contactless',
  CLI: 'contactless',
};
const CARD_TYPES: Readonly<Record<string, string>> = {
  '1': 'PagoBANCOMAT',
  '2': 'credit card',
  '3': 'other card',
};
/** Codes of answers that report one transaction. */
const RESULTS = new Set(['E', 'V', 'e', 'i', 'c', 'v']);
/** The answer to a reversal; it has no amount. */
const REVERSAL_LENGTH = 84;
/** The amount of an answer to X ends here. */
const AMOUNT_END = 82;

/** Whether an answer is the result of one transaction. */
export function isResult({ code }: Answer): boolean {
  return RESULTS.has(code);
}

/** Whether an answer ends a command: the result of a transaction, or of an end of day. Its acknowledgement says that it is on disk. */
export function isOutcome(answer: Answer): boolean {
  return isResult(answer) || answer.code === 'C';
}

/**
 * The result of one transaction as a report; `kind` undefined: derived from its layout. The STAN is both number and
 * trace; 000000 is none. The time stays in its format, `DDDHHMM`: it is not known whether its days count from 0 or from 1, and the
 * year is missing, so it is not converted to a date. The report depends on the answer only: the same bytes give the same report.
 */
export function reportOf(answer: Answer, kind: Kind = kindOf(answer)): TransactionReport {
  const { terminalId, fields } = answer;
  const { result = '', text, auth, host_time: hostTime, entry, card_type: cardType } = fields;
  const verdict = verdictOf(result);
  const stan = stanOf(answer);
  const amountMinor = kind === 'void' ? undefined : amountOf(answer);
  const entryMode = ENTRY_MODES[entry ?? ''];
  const maskedPan = cardOf(fields['pan']);
  const cardScheme = CARD_TYPES[cardType ?? ''];
  return {
    verdict,
    kind,
    responseCode: result,
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(stan === undefined ? {} : { number: stan, trace: stan }),
    ...(isPresent(auth) ? { authCode: auth.trim() } : {}),
    ...(hostTime !== undefined && /^\d{7}$/.test(hostTime) ? { terminalClock: hostTime } : {}),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(entryMode === undefined ? {} : { entryMode }),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    ...(terminalId === ANY_TERMINAL ? {} : { terminalId }),
    ...(verdict === 'approved' ? {} : { text: wordsOf(result, text) }),
  };
}

/** The STAN of a result; 000000 is none. */
export function stanOf({ fields }: Answer): string | undefined {
  const { stan } = fields;
  return stan !== undefined && /^\d{6}$/.test(stan) && stan !== '000000' ? stan : undefined;
}

/** The stored result of a terminal without one: refused, without a number and without a text. */
export function isOfNothing(answer: Answer): boolean {
  const { result = '', text = '', online_id: onlineId = '' } = answer.fields;
  return (
    verdictOf(result) === 'refused' &&
    stanOf(answer) === undefined &&
    text.trim() === '' &&
    /^0*$/.test(onlineId.trim())
  );
}

/** The kind of a stored result; the answers to P and to a card verification look the same. */
function kindOf({ code, text: { length } }: Answer): Kind {
  switch (code) {
    case 'e':
    case 'i':
      return 'preauthorisation';
    case 'c':
    case 'v':
      return 'capture';
    case 'V':
      return 'sale';
    default:
      if (length === REVERSAL_LENGTH) return 'void';
      return length >= AMOUNT_END ? 'sale' : 'unknown';
  }
}

function amountOf({ fields }: Answer): number | undefined {
  const { amount = '' } = fields;
  return /^\d{8}$/.test(amount) && Number(amount) > 0 ? Number(amount) : undefined;
}

function isPresent(auth: string | undefined): auth is string {
  return auth !== undefined && /[^0 ]/.test(auth);
}

function wordsOf(result: string, text = ''): string {
  const shown = maskCardNumbers(text.replace(/[^\x20-\x7e]/g, ' ').trim());
  return shown === '' ? resultWords(result) : shown;
}
