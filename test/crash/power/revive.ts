import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../../src/base/errors.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../../src/payment/attempt/state-machine.ts';
import type { Accusation, Crime } from './crimes.ts';
import type { Expectation, LedgerLine } from './expectation.ts';
import { RecordedShop } from './shop.ts';

/** Later than every life of a scenario. */
const LAST_LIFE = 9;
const MOST_ATTEMPTS = 100;

/**
 * Opens the whole shop on what a power cut has left, with the terminal as it was at that moment, and lets it come to an end: every doubt is
 * looked into, and whoever was not told that it was paid presses the same sale again. Then nobody may have paid twice, and the books
 * must say of every attempt what its terminal did. The terminal's ledger is the truth.
 */
export async function reviveShop(
  folder: string,
  spare: string,
  expected: Expectation,
): Promise<readonly Accusation[]> {
  const accusations: Accusation[] = [];
  const accuse = (crime: Crime, text: string) => void accusations.push({ crime, text });
  rmSync(spare, { recursive: true, force: true });
  mkdirSync(spare, { recursive: true });
  if (expected.terminalMemory !== null) writeFileSync(join(spare, 'terminal.json'), expected.terminalMemory);
  try {
    const shop = await RecordedShop.open({ folder, spare, life: LAST_LIFE, ack: () => undefined });
    for (const attempt of shop.money.payments.openAttempts()) await shop.settle(attempt);
    for (const minor of basketsOf(shop, expected)) await pressAgain(shop, minor);
    judgeCharges(shop, accuse);
    await shop.close();
  } catch (error) {
    accuse('integrity', `the shop does not open again: ${messageOf(error)}`);
  }
  return accusations;
}

/** What was rung up at this counter, whether the books know of it or somebody was told: by its sum, which is its own in these scenarios. */
function basketsOf(shop: RecordedShop, { baskets }: Expectation): ReadonlySet<number> {
  const rung = attemptsOf(shop).filter(({ type, origin }) => type === 'sale' && origin.kind === 'local');
  return new Set([...baskets, ...rung.map(({ amount }) => amount.minor)]);
}

/** The till asks again, under the same key: what it was answered before it is answered again; a refusal is an answer. */
async function pressAgain(shop: RecordedShop, minor: number): Promise<void> {
  if (shop.payments.storedAnswer('socket', `key-${minor}`) !== null) return;
  try {
    await shop.settle(shop.sell(minor));
  } catch (error) {
    if (!(error instanceof AppError) || error.code.startsWith('STORAGE')) throw error;
  }
}

function judgeCharges(shop: RecordedShop, accuse: (crime: Crime, text: string) => void): void {
  const standing = linesOf(shop).filter(({ result, reversed }) => result === 'approved' && !reversed);
  const lines = linesOf(shop);
  const count = (kind: LedgerLine['kind'], minor: number) =>
    standing.filter((line) => line.kind === kind && line.amountMinor === minor && !line.byHand).length;
  for (const { kind, amountMinor } of standing) {
    if (kind !== 'void' && count(kind, amountMinor) > 1)
      accuse('double_charges', `${kind} of ${amountMinor} was done ${count(kind, amountMinor)} times`);
  }
  const attempts = attemptsOf(shop);
  for (const attempt of attempts) judgeOutcome(attempt, attempts, lines, accuse);
}

/** Amounts are the names here: where another attempt of the same sum succeeded, the line is that one's. */
function judgeOutcome(
  attempt: Attempt,
  all: readonly Attempt[],
  lines: readonly LedgerLine[],
  accuse: (crime: Crime, text: string) => void,
): void {
  const { id, type, state } = attempt;
  if (!isFinal(state)) return;
  const minor = minorOf(attempt);
  const approved = lines.filter(
    (line) => line.kind === type && line.amountMinor === minor && line.result === 'approved',
  );
  if (state.name === 'succeeded' && approved.length === 0)
    accuse('lost_outcomes', `${id} succeeded after the start, and the terminal has no such ${type}`);
  const isAnothers = all.some(
    (other) => other.type === type && other.state.name === 'succeeded' && minorOf(other) === minor,
  );
  const stands = approved.some(({ reversed, byHand }) => !reversed && !byHand);
  if (state.name !== 'succeeded' && stands && !isAnothers)
    accuse('lost_outcomes', `${id} is ${state.name} after the start, and the terminal has charged it`);
}

function minorOf({ report, amount }: Attempt): number {
  return report?.amountMinor ?? amount.minor;
}

function attemptsOf(shop: RecordedShop): readonly Attempt[] {
  return shop.money.payments.listAttempts({ limit: MOST_ATTEMPTS }).items;
}

function linesOf(shop: RecordedShop): readonly LedgerLine[] {
  return shop.terminal.snapshot().ledger;
}
