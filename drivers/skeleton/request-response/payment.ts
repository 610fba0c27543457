import {
  AppError,
  type Currency,
  conclude,
  decimalOf,
  type MoneyCommand,
  type Observer,
  type Outcome,
  payOnce,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { resultWords } from '../sample/result-codes.ts';
import type { Conversation } from './conversation.ts';
import type { Request, Response } from './messages.ts';
import { reportOf } from './report.ts';
import { MOST_MINOR } from './settings.ts';

export interface Payment {
  readonly conversation: Conversation;
  readonly command: MoneyCommand;
  /** The terminal's only currency. */
  readonly currency: Currency;
  readonly customerMs: number;
  readonly observer: Observer;
}

/** Runs one sale: one request and one response, on one connection. Never throws. */
export function pay(payment: Payment, signal: AbortSignal): Promise<Outcome> {
  const { conversation, command, currency, customerMs: ms, observer } = payment;
  // What `payOnce` catches before the first byte is "not started"; behind it everything but a result is unknown.
  return payOnce(observer, async (sending) => {
    const request = requestOf(command, currency);
    const response = await conversation.send(request, { name: 'customer', ms }, signal, sending);
    return concluded(response, payment);
  });
}

/** @throws TERMINAL_CANNOT for a command that the protocol does not have */
function requestOf({ kind, amount, ticket }: MoneyCommand, currency: Currency): Request {
  if (kind !== 'sale') throw cannot('this terminal can sell only');
  if (amount.currency !== currency) throw cannot('this terminal has another currency');
  if (amount.minor < 1 || amount.minor > MOST_MINOR) throw cannot('this terminal cannot take that amount');
  return { id: ticket, do: 'sale', amount: decimalOf(amount), currency };
}

function concluded({ refused, result }: Response, { command, currency, observer }: Payment): Outcome {
  if (refused === 'busy' && !result)
    return {
      kind: 'not_started',
      code: 'TERMINAL_BUSY',
      message: 'the terminal is busy: nothing began. The customer was not charged.',
    };
  const report = result ? reportOf(result, currency) : undefined;
  if (!report) return unknown('TERMINAL_RESULT_MISSING', 'the terminal answered without a result');
  if (report.reference !== command.ticket)
    return unknown('TERMINAL_RESULT_UNCLEAR', 'the result is that of another sale');
  const message = resultWords(report.responseCode ?? '');
  const outcome = conclude(report, { kind: 'completed', message }, {});
  return observer.beforeAcknowledge(report, outcome)
    ? outcome
    : unknown('NOT_STORED', "the terminal's answer could not be stored", report);
}

function unknown(code: string, message: string, lastReport?: TransactionReport): Outcome {
  return { kind: 'unknown', code, message, ...(lastReport ? { lastReport } : {}) };
}

function cannot(why: string): AppError {
  return new AppError('TERMINAL_CANNOT', `${why}: nothing was sent to it`);
}
