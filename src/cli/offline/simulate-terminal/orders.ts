import { AppError } from '../../../base/errors.ts';
import { assertNever } from '../../../base/invariant.ts';
import { type Currency, formatMoney, isCurrency, parseAmount } from '../../../base/money.ts';
import {
  FAULT_POINTS,
  type Fault,
  KEYS,
  type Key,
  type LedgerEntry,
  type StaffedTerminal,
  type TypedTransaction,
} from '../../../sandbox/controllable-terminal.ts';
import { plain } from '../../show/plain.ts';
import { table } from '../../show/table.ts';
import { faultOf, quoted, usage, word } from './settings.ts';

/** A command of a person at the keys. */
export type Order =
  | { readonly kind: 'press'; readonly key: Key }
  | { readonly kind: 'type'; readonly typed: TypedTransaction }
  | { readonly kind: 'next_amount'; readonly amountMinor: number }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'close' | 'ledger' | 'screen' | 'help' }
  | { readonly kind: 'quit' };

/** Default duration of faults, ms: longer than a till waits for a response. */
const USUAL_SILENCE_MS = 10_000;
const USUAL_POWER_LOSS_MS = 3000;

export const HELP = `The customer:  approve  decline  wrong_pin  abort  walk_away
The staff:     sale 12.34   refund 5.00   void [RECEIPT]   end_of_day   next_amount 10.00
Trouble:       cut   silence [MS]   power_loss [MS]        strikes when the next result is told
               fault WHEN:DO[:MS]                          at another moment, or something else
Looking:       ledger   screen   help   quit
WHEN: ${FAULT_POINTS.join(' ')}
`;

/**
 * Parses one command line.
 * @returns null for an empty line or a comment (#).
 * @throws USAGE, AMOUNT_INVALID with a text.
 */
export function orderOf(line: string, currency: Currency): Order | null {
  const [verb = '', ...words] = line.trim().toLowerCase().replaceAll('-', '_').split(/\s+/);
  if (verb === '' || verb.startsWith('#')) return null;
  if (words.length > 1) throw usage(`${quoted(line)} has a word too many; "help" shows what there is`);
  const [argument] = words;
  const key = KEYS.find((candidate) => candidate === verb);
  if (key) return { kind: 'press', key };
  const read = VERBS[verb];
  if (!read) throw usage(`${quoted(verb)} is no order; "help" shows what there is`);
  return read(argument, currency);
}

/**
 * Runs a command; returns the text to show, empty when there is none.
 * @throws SANDBOX_* with a text when the terminal cannot.
 */
export function carryOut(order: Exclude<Order, { kind: 'quit' }>, terminal: StaffedTerminal): string {
  switch (order.kind) {
    case 'press':
      terminal.press(order.key);
      return `pressed: ${order.key}`;
    case 'type':
      return `typed at the terminal: ${entryLine(terminal.typeByHand(order.typed))}`;
    case 'next_amount':
      terminal.nextAmount(order.amountMinor);
      return 'the next sale is approved for that amount';
    case 'close':
      terminal.closeByHand();
      return 'end of day typed at the terminal: a new batch begins';
    case 'fault':
      terminal.inject(order.fault);
      return `waiting to strike: ${order.fault.do} at ${order.fault.when}`;
    case 'ledger':
      return ledgerTable(terminal.snapshot().ledger);
    case 'screen':
      return screenLine(terminal);
    case 'help':
      return HELP.trimEnd();
    default:
      return assertNever(order);
  }
}

/** The customer's display, and whether a till is connected. */
export function screenLine(terminal: StaffedTerminal): string {
  const { screen, busy } = terminal.snapshot();
  return `screen: ${plain(screen)}${busy ? ' (busy)' : ''}`;
}

/** One transaction as text: `sale 12.34 EUR approved, receipt 0001`. */
export function entryLine(entry: LedgerEntry): string {
  const { kind, currency, amountMinor, result, receiptNumber, reversed } = entry;
  const money = moneyText(amountMinor, currency);
  const taken = reversed ? ', taken back' : '';
  return `${kind} ${money} ${result}, receipt ${receiptNumber}${taken}`;
}

type ReadOrder = (argument: string | undefined, currency: Currency) => Order;

const VERBS: Readonly<Record<string, ReadOrder>> = {
  sale: (argument, currency) => typed('sale', argument, currency),
  refund: (argument, currency) => typed('refund', argument, currency),
  void: (argument) => ({
    kind: 'type',
    typed: { kind: 'void', ...(argument === undefined ? {} : { receiptNumber: receiptOf(argument) }) },
  }),
  end_of_day: alone('close'),
  next_amount: (argument, currency) => ({ kind: 'next_amount', amountMinor: minorOf(argument, currency) }),
  fault: (argument) => ({ kind: 'fault', fault: faultOf(argument ?? '') }),
  cut: (argument) => ({ kind: 'fault', fault: { when: pointOf(argument), do: 'cut' } }),
  silence: (argument) => lasting('silence', argument, USUAL_SILENCE_MS),
  power_loss: (argument) => lasting('power_loss', argument, USUAL_POWER_LOSS_MS),
  ledger: alone('ledger'),
  screen: alone('screen'),
  help: alone('help'),
  quit: alone('quit'),
};

function alone(kind: 'close' | 'ledger' | 'screen' | 'help' | 'quit'): ReadOrder {
  return (argument) => {
    if (argument !== undefined) throw usage(`${quoted(argument)} is a word too many`);
    return { kind };
  };
}

function typed(kind: 'sale' | 'refund', argument: string | undefined, currency: Currency): Order {
  return { kind: 'type', typed: { kind, amountMinor: minorOf(argument, currency) } };
}

function lasting(strikes: 'silence' | 'power_loss', argument: string | undefined, usual: number): Order {
  if (argument !== undefined && !/^\d{1,8}$/.test(argument))
    throw usage(`${strikes} takes milliseconds, not ${quoted(argument)}`);
  const ms = argument === undefined ? usual : Number(argument);
  return { kind: 'fault', fault: { when: 'result', do: strikes, ms } };
}

function pointOf(argument: string | undefined): Fault['when'] {
  return argument === undefined ? 'result' : word('WHEN of a cut', argument, FAULT_POINTS);
}

function minorOf(argument: string | undefined, currency: Currency): number {
  if (argument === undefined) throw new AppError('AMOUNT_INVALID', 'an amount is missing, like 12.34');
  return parseAmount(argument, currency).minor;
}

function receiptOf(argument: string): string {
  if (!/^\d{1,4}$/.test(argument))
    throw usage(`a receipt number has up to four digits, not ${quoted(argument)}`);
  return argument.padStart(4, '0');
}

function ledgerTable(entries: readonly LedgerEntry[]): string {
  if (entries.length === 0) return 'the ledger is empty: no customer was charged';
  const rows = entries.map((entry) => [
    entry.receiptNumber,
    entry.kind,
    moneyText(entry.amountMinor, entry.currency),
    entry.result,
    entry.reversed ? 'taken back' : '',
    entry.byHand ? 'by hand' : '',
  ]);
  return table(['receipt', 'what', 'amount', 'result', '', ''], rows).trimEnd();
}

function moneyText(minor: number, currency: string): string {
  return isCurrency(currency) ? formatMoney({ minor, currency }) : `${minor} ${currency}`;
}
