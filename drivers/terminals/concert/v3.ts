import {
  currencyOfNumericCode,
  type MoneyCommand,
  numericCodeOf,
  type OwnReference,
  present,
  type Receipts,
  type TransactionReport,
  TruncatedCardNumber,
  type Verdict,
} from '../../../src/driver-kit/terminal.ts';
import { maskText } from './card-data.ts';
import { receiptText } from './decode-parts.ts';
import { type Counter, type Language, type Payable, payableOf, type ReadResult } from './language.ts';
import { applicationName, entryModeOf } from './names.ts';
import { v3Refusal, v3Words } from './result-codes.ts';
import { amountIn, type MoneyAction, readV3, type V3Message, v3Money, v3Reference } from './v3-messages.ts';

const ACTIONS = { sale: '0', refund: '1' } as const satisfies Record<Payable, MoneyAction>;
/** Actions that are not about a payment. */
const QUESTIONS = new Set(['I', 'T', '3', 'B', 'P', 'R']);
/** AE of an answer: done; not done. */
const DONE = '10';
const NOT_DONE = '01';

/** Everything except ISO-8859-1 text and line feeds. */
const UNPRINTABLE = /[^\x20-\x7e\xa0-\xff\n]/g;

/**
 * V3 (Caisse-AP): tagged text; our attempt's id is in tag CF.
 * Why a class: a terminal that has once returned our reference always does, so an answer without it is not the expected answer.
 */
export class V3 implements Language {
  readonly #counter: Counter;
  readonly #receipt: '000' | '100';
  #givesNamesBack = false;

  /** `receipt`: only where the answer may be long; a frame on a cable holds 512 bytes. */
  constructor(counter: Counter, wire: 'serial' | 'tcp') {
    this.#counter = counter;
    this.#receipt = wire === 'tcp' && counter.settings.receipt === 'customer' ? '100' : '000';
  }

  money(command: MoneyCommand): Uint8Array {
    const { settings, currency } = this.#counter;
    const action = ACTIONS[payableOf(command, this.#counter)];
    const { minor } = command.amount;
    return v3Money(settings, action, minor, numericCodeOf(currency), command.attemptId, this.#receipt);
  }

  read(data: Uint8Array, command: MoneyCommand): ReadResult | null {
    const message = readV3(data);
    if (QUESTIONS.has(message.get('CD') ?? '')) return null;
    const whose = whoseIs(message, command);
    const difference = this.#differenceOf(message, command);
    if (whose === 'ours') this.#givesNamesBack = true;
    return resultOf(message, command, whose, difference);
  }

  /** Whether an answer that says "done" may have been cut between two tags. */
  isLacking(message: V3Message, command: MoneyCommand): boolean {
    return this.#differenceOf(message, command) !== null;
  }

  /**
   * What contradicts an answer that says "done": without all of its echoes it may be that of another payment. An answer that says
   * "not done" may omit them, for a customer who presses stop.
   */
  #differenceOf(message: V3Message, command: MoneyCommand): string | null {
    if (message.get('AE') !== DONE) return null;
    const { kind, amount } = command;
    const { settings, currency } = this.#counter;
    const [checkout, amountMinor] = [message.get('CA'), amountIn(message.get('CB'))];
    if (this.#givesNamesBack && whoseIs(message, command) === 'unnamed')
      return 'without our reference, which this terminal gave back before';
    if (message.get('CD') !== actionOf(kind)) return 'for another action';
    if (Number(message.get('CE') ?? Number.NaN) !== numericCodeOf(currency)) return 'in another currency';
    if (checkout !== undefined && checkout !== settings.checkout) return 'for another checkout';
    if (amountMinor === undefined || amountMinor < 1) return 'without its amount';
    const isPart = kind === 'sale' && amountMinor < amount.minor;
    return isPart || amountMinor === amount.minor ? null : 'for another amount';
  }
}

function actionOf(kind: MoneyCommand['kind']): MoneyAction | undefined {
  return kind === 'sale' || kind === 'refund' ? ACTIONS[kind] : undefined;
}

/** The terminal's report of an older payment (CD T, CD 3), if it is ours. */
export function reportOfOlder(message: V3Message, reference: OwnReference): TransactionReport | null {
  if (whoseIs(message, reference) !== 'ours') return null;
  const isWhole = message.get('AE') !== DONE || amountIn(message.get('CB')) !== undefined;
  const verdict = isWhole ? verdictOf(message) : 'unclear';
  return reportOf(message, 'unknown', verdict, reference.attemptId);
}

/**
 * A reference belongs to another payment when it looks like one of ours and is not. Any other value of CF is the terminal's own: some
 * fill it whatever we send.
 */
function whoseIs(message: V3Message, { attemptId }: OwnReference): ReadResult['whose'] {
  const name = message.get('CF')?.trim();
  if (name === v3Reference(attemptId)) return 'ours';
  return name !== undefined && /^[0-9a-f]{32}$/.test(name) ? 'anothers' : 'unnamed';
}

function resultOf(
  message: V3Message,
  { kind, attemptId }: MoneyCommand,
  whose: ReadResult['whose'],
  difference: string | null,
): ReadResult {
  const isStrange = difference !== null || whose === 'anothers';
  const verdict = isStrange ? 'unclear' : verdictOf(message);
  return {
    whose,
    isStrange,
    words: wordsOf(message, difference),
    report: reportOf(message, kind, verdict, whose === 'ours' ? attemptId : undefined),
    receipts: receiptsOf(message),
  };
}

function verdictOf(message: V3Message): Verdict {
  const result = message.get('AE');
  if (result === DONE) return 'approved';
  return result === NOT_DONE ? v3Refusal(reasonOf(message)) : 'unclear';
}

function wordsOf(message: V3Message, difference: string | null): string {
  const result = message.get('AE');
  if (result === undefined) return 'the terminal answered without a result';
  const reason = result === NOT_DONE ? `: ${v3Words(reasonOf(message))}` : '';
  return `the terminal answered ${result.slice(0, CODE_LENGTH)}${reason}${difference === null ? '' : `, but ${difference}`}`;
}

/** Digits of a result and of a reason; a terminal may send any text in a field. */
const CODE_LENGTH = 2;

function reasonOf(message: V3Message): string | undefined {
  return message.get('AF')?.slice(0, CODE_LENGTH);
}

function reportOf(
  message: V3Message,
  kind: TransactionReport['kind'],
  verdict: Verdict,
  reference: string | undefined,
): TransactionReport {
  const get = (tag: string) => message.get(tag)?.trim() || undefined;
  const isDone = get('AE') === DONE;
  const amountMinor = isDone ? amountIn(get('CB')) : undefined;
  const facts = {
    amountMinor,
    currency: currencyOfNumericCode(Number(get('CE') ?? Number.NaN)),
    responseCode: (isDone ? undefined : reasonOf(message)) ?? get('AE')?.slice(0, CODE_LENGTH),
    reference,
    authCode: masked(get('AC')),
    maskedPan: TruncatedCardNumber.of(get('AA') ?? ''),
    cardScheme: applicationName(get('CC')),
    entryMode: entryModeOf(get('CI')),
    applicationId: masked(get('AI')),
    merchantId: masked(get('CG')),
    terminalClock: masked(get('AP')),
    text: isDone ? undefined : v3Words(reasonOf(message)),
  };
  return { verdict, kind, ...present(facts) };
}

/** Masked, because a terminal may send any text in a field. */
function masked(value: string | undefined): string | undefined {
  return value === undefined ? undefined : maskText(value);
}

/** The customer's receipt: AK in the container ZT, or by itself. */
function receiptsOf({ elements }: V3Message): Receipts {
  const inner = elements.flatMap(({ children = [] }) => children);
  const coded = [...inner, ...elements].find(({ tag }) => tag === 'AK')?.value;
  const text = coded === undefined ? undefined : receiptText(coded);
  return text === undefined ? {} : { customer: maskText(text.replace(UNPRINTABLE, '').trimEnd()) };
}
