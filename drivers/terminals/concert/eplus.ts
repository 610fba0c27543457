import {
  type Currency,
  currencyOfNumericCode,
  type MoneyCommand,
  numericCodeOf,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { cardOfReport } from './card-data.ts';
import { type EplusAnswer, eplusRequest, readEplusAnswer, ticketIn } from './eplus-messages.ts';
import { type Counter, type Language, type Payable, payableOf, type ReadResult } from './language.ts';
import { modeName } from './names.ts';
import { eplusMeaning, eplusWords } from './result-codes.ts';

const TYPES = { sale: '0', refund: '1' } as const satisfies Record<Payable, string>;

/**
 * E+ (Concert V2): fixed-width fields; our ticket is in the ten private characters. A terminal that has once returned a ticket
 * always does, so an answer without one is not the expected answer.
 */
export function eplus(counter: Counter): Language {
  const { checkout } = counter.settings;
  const currencyCode = numericCodeOf(counter.currency);
  let givesTicketsBack = false;
  return {
    money: (command) => {
      const type = TYPES[payableOf(command, counter)];
      return eplusRequest(type, checkout, command.amount.minor, currencyCode, command.ticket);
    },
    read: (data, command) => {
      const answer = readEplusAnswer(data);
      const lacksTicket = givesTicketsBack && ticketIn(answer.private) === undefined;
      givesTicketsBack ||= ticketIn(answer.private) === command.ticket;
      return resultOf(answer, command, counter, lacksTicket);
    },
  };
}

/**
 * Every answer repeats the request; one that does not, or has another ticket, is not about our payment, whatever its
 * result is. Our ticket makes an answer ours; from a terminal that does not repeat the private field the other fields are enough.
 */
function resultOf(
  answer: EplusAnswer,
  command: MoneyCommand,
  { settings, currency }: Counter,
  lacksTicket: boolean,
): ReadResult {
  const ticket = ticketIn(answer.private);
  const whose = ticket === undefined ? 'unnamed' : ticket === command.ticket ? 'ours' : 'anothers';
  const difference = lacksTicket
    ? 'without our ticket, which this terminal gave back before'
    : differenceOf(answer, command, settings.checkout, numericCodeOf(currency));
  const isStrange = difference !== null || whose === 'anothers';
  const meaning = isStrange ? 'unclear' : eplusMeaning(answer.result, settings.results);
  const answered = `the terminal answered ${answer.result}, ${eplusWords(answer.result)}`;
  return {
    whose,
    isStrange,
    words: difference === null ? answered : `${answered}, but ${difference}`,
    report: reportOf(answer, command, meaning, ticket),
    receipts: {},
  };
}

function differenceOf(
  answer: EplusAnswer,
  { amount }: MoneyCommand,
  checkout: string,
  currencyCode: number,
): string | null {
  if (answer.checkout !== checkout) return `for checkout ${answer.checkout} and not ${checkout}`;
  if (answer.currencyCode !== currencyCode) return 'in another currency';
  if (answer.amountMinor !== amount.minor) return 'for another amount';
  return null;
}

function reportOf(
  answer: EplusAnswer,
  { kind }: MoneyCommand,
  verdict: TransactionReport['verdict'],
  ticket: string | undefined,
): TransactionReport {
  const currency: Currency | undefined = currencyOfNumericCode(answer.currencyCode);
  const maskedPan = cardOfReport(answer.report ?? '');
  const cardScheme = modeName(answer.mode);
  return {
    verdict,
    kind,
    amountMinor: answer.amountMinor,
    ...(currency === undefined ? {} : { currency }),
    responseCode: answer.result,
    ...(ticket === undefined ? {} : { reference: ticket }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    text: eplusWords(answer.result),
  };
}
