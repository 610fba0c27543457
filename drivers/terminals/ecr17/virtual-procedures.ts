import { sleep, withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import { cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { Ledger, TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import type { VirtualLine } from './virtual-line.ts';
import { closedText, notClosedText, notReversedText, resultText } from './virtual-messages.ts';
import type { Ecr17VirtualOptions } from './virtual-options.ts';
import { closeParts, copyParts, receiptParts } from './virtual-receipts.ts';

const PIN_TRIES = 3;
/** The STAN of a procedure that uses up none. */
const NO_STAN = '000000';

/** The till that sent a command. `prints`: it has requested the receipt. */
export interface Till {
  readonly device: VirtualDevice;
  readonly options: Ecr17VirtualOptions;
  readonly line: VirtualLine;
  readonly prints: boolean;
  /** The payments, by their number in the ledger, that a till requested with P. */
  readonly paidWithP: Set<number>;
}

interface Payment {
  readonly code: 'P' | 'X';
  readonly amountMinor: number;
}

/** A sale: waits for the customer and applies the keys. */
export async function sell(till: Till, { code, amountMinor }: Payment): Promise<void> {
  const sold = (entry: Pick<Entry, 'amountMinor' | 'result'>) => {
    const record = enter(till, { kind: 'sale', ...entry });
    if (code === 'P') till.paidWithP.add(record.sequence);
    return record;
  };
  const refusal = await customerAt(till, `Present card: ${amountMinor}`);
  if (refusal) return sendResultOf(till, sold({ amountMinor, result: refusal }));
  await host(till);
  const ordered = till.device.faults.takeAmount()?.amountMinor ?? amountMinor;
  const record = sold({ amountMinor: ordered, result: 'approved' });
  till.device.show('Approved');
  await sendResultOf(till, record);
}

/** Voids the last payment, if its STAN is the one in the command and its card is presented again. */
export async function takeBack(till: Till, stan: string): Promise<void> {
  const { device } = till;
  const original = originalOf(device.ledger);
  if (!original || (stan !== NO_STAN && stan !== original.trace)) {
    await device.reach('result', till.line.wire);
    await sendResult(till, notReversedText(device.settings.terminalId), []);
    return;
  }
  const { amountMinor } = original;
  const refusal = await customerAt(till, `Reversal: ${amountMinor}`);
  if (refusal) return sendResultOf(till, enter(till, { kind: 'void', amountMinor, result: refusal }));
  await host(till);
  await sendResultOf(till, enter(till, { kind: 'void', amountMinor, result: 'approved', undoes: original }));
}

/** Closes the session, then reports it. */
export async function closeDay(till: Till): Promise<void> {
  const { device, options, line } = till;
  const { terminalId } = device.settings;
  const order = device.faults.takeClose();
  await device.reach('customer', line.wire);
  progress(till, 'CHIUSURA IN CORSO');
  await host(till);
  const sum = sumOf(device.ledger);
  if (order === 'refused') {
    await device.reach('result', line.wire);
    await sendResult(till, notClosedText(terminalId), []);
    return;
  }
  device.ledger.closeBatch({ numbersRestart: false, forgetsAtClose: options.forgetsAtClose });
  await device.reach('result', line.wire);
  await sendResult(till, closedText(terminalId, sum), closeParts(terminalId, sum));
}

/** A copy of the last receipt, for the till or on its own paper; without a transaction or without paper nothing comes. */
export async function reprint(till: Till, onTill: boolean): Promise<void> {
  const { device } = till;
  const last = device.ledger.lastStored();
  const parts = last ? copyParts(device.settings.terminalId, last) : [];
  if (onTill) await print(till, parts);
  else if (last && device.hasPaper()) device.print(parts.join(''));
}

/** The payment that a reversal undoes: the very last one of the open session, if it was not reversed. */
export function originalOf(ledger: Ledger): TransactionRecord | undefined {
  const last = ledger.openBatch().findLast(({ result }) => result === 'approved');
  return last?.kind === 'sale' && !last.reversed ? last : undefined;
}

/** The sum of the open session. */
export function sumOf(ledger: Ledger): number {
  return ledger
    .openBatch()
    .filter(({ kind, result, reversed }) => kind === 'sale' && result === 'approved' && !reversed)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

interface Entry {
  readonly kind: 'sale' | 'void';
  readonly amountMinor: number;
  readonly result: 'approved' | 'declined' | 'aborted';
  readonly undoes?: TransactionRecord;
}

function enter({ device, options }: Till, { undoes, ...entry }: Entry): TransactionRecord {
  const { ledger, clock, settings, faults } = device;
  const approved = entry.result === 'approved';
  const trace = entry.result === 'aborted' && !options.abortTakesStan ? NO_STAN : ledger.nextTrace();
  const card = approved ? (faults.takeCard() ?? cardOfCustomer(Number(trace) - 1)) : null;
  return ledger.enter({
    ...entry,
    currency: settings.currency,
    at: clock.now(),
    trace,
    cardId: undoes?.cardId ?? card?.id ?? null,
    authCode: approved ? trace : null,
    stored: approved || options.savesKo,
    unsettled: false,
    ...(undoes ? { undoes } : {}),
  });
}

async function sendResultOf(till: Till, record: TransactionRecord): Promise<void> {
  const { device, line, paidWithP } = till;
  const { terminalId } = device.settings;
  await device.reach('result', line.wire);
  await sendResult(till, resultText(terminalId, record, paidWithP), receiptParts(terminalId, record));
}

/** Sends the result, and the receipts before or after it where the till requested them. */
async function sendResult(till: Till, result: string, receipts: readonly string[]): Promise<void> {
  const { device, options, line } = till;
  const parts = till.prints && options.receipts !== 'none' ? receipts : [];
  if (options.receipts === 'before') await print(till, parts);
  if (!(await line.send(result, device.power))) return;
  await device.reach('result_acknowledged', line.wire);
  if (options.receipts === 'after') await print(till, parts);
  await device.reach('completion', line.wire);
}

async function print({ device, line }: Till, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await device.reach('print', line.wire);
    if (!(await line.send(`${device.settings.terminalId}0S${part}`, device.power))) return;
  }
}

/** What the customer does; undefined: pays. */
async function customerAt(till: Till, words: string): Promise<'declined' | 'aborted' | undefined> {
  const { device, line } = till;
  await device.reach('customer', line.wire);
  device.show(words);
  progress(till, 'PRESENTARE CARTA');
  for (let tries = 1; ; tries += 1) {
    const key = await keyOf(till);
    if (key === 'approve') return undefined;
    if (key === 'decline' || (key === 'wrong_pin' && tries === PIN_TRIES)) return 'declined';
    if (key !== 'wrong_pin') return 'aborted';
    device.show('Wrong PIN');
    progress(till, 'PIN ERRATO');
  }
}

async function keyOf({ device, options }: Till): Promise<Key> {
  const { clock, power, keypad } = device;
  const timeUp = () => new AppError('SANDBOX_CUSTOMER_TIMEOUT', 'no card in time');
  try {
    return await withDeadline(clock, options.customerTimeoutMs, timeUp, power, async (signal) => {
      const key = await keypad.next(signal);
      return key === 'walk_away' ? await noCustomer(signal) : key;
    });
  } catch {
    power.throwIfAborted();
    return 'abort';
  }
}

async function host(till: Till): Promise<void> {
  progress(till, 'ELABORAZIONE...');
  await sleep(till.device.clock, till.options.hostMs, till.device.power, 'sandbox host');
}

function progress({ options, line }: Till, words: string): void {
  if (options.progress) line.progress(words);
}

/** Never resolves; rejects when the signal aborts. */
function noCustomer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
