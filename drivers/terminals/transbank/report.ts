import {
  maskCardNumbers,
  type TransactionReport,
  TruncatedCardNumber,
} from '../../../src/driver-kit/terminal.ts';
import type { AnswerFields } from './answers.ts';
import { NO_PAPER, resultWords, verdictOf } from './result-codes.ts';

const BRANDS: Readonly<Record<string, string>> = {
  VI: 'Visa',
  MC: 'Mastercard',
  AX: 'American Express',
  DC: 'Diners Club',
  DB: 'Redcompra',
  CA: 'Cabal',
  CR: 'Credencial',
  CE: 'closed card',
  TP: 'Presto',
  MG: 'Magna',
  TM: 'Más',
  RP: 'Ripley',
  EX: 'Extra',
  TC: 'CMR',
};
const CARD_TYPES: Readonly<Record<string, string>> = { CR: 'credit', DB: 'debit' };
/** The form of our tickets: six characters, the first a letter. */
const OWN_TICKET = /^[A-Z][0-9A-Z]{5}$/;

/**
 * A line of the list as a report. A voided sale has a negative amount, and its own authorisation and time, but the operation number
 * of the sale: it has no number of its own, so it is reported as the void of that one.
 */
export function reportOfLine(fields: AnswerFields): TransactionReport {
  const { amount = 0, authCode } = fields;
  const isApproved = fields.code === '00' && authCode !== '';
  const facts = factsOf(fields);
  const verdict = isApproved ? 'approved' : 'unclear';
  const amountMinor = Math.abs(amount);
  if (amount >= 0) return { ...facts, verdict, kind: 'sale', amountMinor, ...numbersOf(fields) };
  return { ...facts, verdict, kind: 'void', amountMinor, originalTrace: maskCardNumbers(fields.operation) };
}

/**
 * The answer to a sale of ours of `asked` pesos. An approval without an authorisation, or of another amount, is unclear: the protocol
 * has neither partial approval nor an addition but the tip. The amount includes the tip (?); where it equals the requested amount, the
 * tip is in the text only.
 */
export function reportOfSale(fields: AnswerFields, asked: number): TransactionReport {
  const verdict = verdictOf(fields.code);
  const facts = factsOf(fields);
  if (verdict !== 'approved')
    return {
      ...facts,
      verdict,
      kind: 'sale',
      ...numbersOf(fields),
      ...(fields.code === NO_PAPER ? { noPaper: true } : {}),
      text: resultWords(fields.code),
    };
  const { amount, tip } = fields;
  const hasTip = tip > 0 && amount === asked + tip;
  const isClear = fields.authCode !== '' && (amount === asked || hasTip);
  return {
    ...facts,
    ...numbersOf(fields),
    verdict: isClear ? 'approved' : 'unclear',
    kind: 'sale',
    ...(amount === undefined ? {} : { amountMinor: Math.abs(amount) }),
    ...(hasTip ? { tipMinor: tip } : {}),
    ...(isClear && tip > 0 && !hasTip ? { text: `with a tip of ${tip}` } : {}),
  };
}

function numbersOf({ operation }: AnswerFields): Pick<TransactionReport, 'trace'> {
  return operation === '' ? {} : { trace: maskCardNumbers(operation) };
}

/** Fields without a check of their own: no card number passes. */
function factsOf(fields: AnswerFields): Omit<TransactionReport, 'verdict' | 'kind'> {
  const { code, ticket, last4, brand, cardType, at } = fields;
  const [operation, authCode, terminalId, merchantId] = [
    fields.operation,
    fields.authCode,
    fields.terminalId,
    fields.merchantId,
  ].map(maskCardNumbers);
  const card = /^\d{4}$/.test(last4) ? TruncatedCardNumber.of(`************${last4}`) : undefined;
  const scheme = BRANDS[brand] ?? CARD_TYPES[cardType];
  return {
    responseCode: code,
    ...(OWN_TICKET.test(ticket) ? { reference: ticket } : {}),
    ...(operation ? { number: operation } : {}),
    ...(authCode ? { authCode } : {}),
    ...(card ? { maskedPan: card } : {}),
    ...(scheme === undefined ? {} : { cardScheme: scheme }),
    ...(terminalId ? { terminalId } : {}),
    ...(merchantId ? { merchantId } : {}),
    ...(at === '' ? {} : { terminalClock: at.slice(4) }),
  };
}
