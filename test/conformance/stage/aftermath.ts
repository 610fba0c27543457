import { passesLuhn } from '../../../src/base/card-number.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { MoneyCommand, OwnReference } from '../../../src/terminal/ports.ts';
import { Breach, must } from '../breach.ts';
import type { Bench, Paid, Seat } from './bench.ts';
import { type Allowance, entriesOf, judge } from './law.ts';
import { type Mark, movementOf } from './movement.ts';
import { nextReference } from './references.ts';

/** Longer than a customer, a host and every wait of a terminal together, ms. */
const CALM_MS = 400_000;
/** How often a terminal that asks to wait is asked again, and how long is waited in between. */
const MOST_ASKED = 90;
const ASK_AGAIN_MS = 2000;
/** What the clean sale costs: like nothing else in the suite, minor units above the usual. */
const CLEAN_EXTRA = 7;

/** A dialogue of the scenario, what justifies its outcome, and what the terminal told before it. */
export interface Trial {
  readonly paid: Paid;
  readonly allowed: Allowance;
  /** Where it is there, an unknown outcome must be found out from it. */
  readonly baseline?: Mark;
}

/** What the clean sale at the end showed. */
export interface After {
  /** The batch that is open; 0 without a clean sale. */
  readonly batch: number;
}

/**
 * What holds after every scenario: the seat can be closed; the ledger agrees with every outcome; what is unknown is found out where
 * the driver promises it; a clean sale on a new link is charged once; no timer, no listener and no late write is left.
 * `sells` false: the terminal is ready for a sale on a new link, and that is enough.
 * @throws Breach
 */
export async function aftermath(bench: Bench, trials: readonly Trial[] = [], sells = true): Promise<After> {
  bench.cable.heal();
  if (bench.lastSeat) await closeSeat(bench, bench.lastSeat);
  await bench.clock.pass(CALM_MS);
  if (!bench.terminal.powered) bench.terminal.start();
  for (const [index, trial] of trials.entries())
    judge(trial.paid, bench.ledger, trial.allowed, trials[index + 1]?.paid);
  const seat = await sitDown(bench);
  await untilReady(bench, seat);
  const last = trials.at(-1);
  if (last?.paid.outcome.kind === 'unknown' && last.baseline) await findOut(bench, seat, last, last.baseline);
  const batch = sells ? await sellCleanly(bench, seat) : 0;
  await closeSeat(bench, seat);
  await bench.clock.pass(CALM_MS);
  leavesNothing(bench);
  return { batch };
}

/** Ends a conversation, twice: a second `close` does nothing. */
export async function closeSeat(bench: Bench, { session, link }: Seat): Promise<void> {
  await bench.call('close', () => session.close());
  await bench.call('close again', () => session.close());
  await bench.clock.run('the link of a closed session', link.closed);
}

/** Opens a link on which the terminal may still be busy with an older dialogue; with the time limits of the core. */
export async function sitDown(bench: Bench): Promise<Seat> {
  for (let asked = 0; ; asked += 1) {
    try {
      return await bench.sit();
    } catch (error) {
      if (error instanceof Breach || !(error instanceof AppError)) throw error;
      must(asked < MOST_ASKED, `the terminal cannot be reached any more: ${error.code} ${error.message}`);
      must(error.retry !== 'never', `open gave up: ${error.code} ${error.message}`);
      await bench.clock.pass(ASK_AGAIN_MS);
    }
  }
}

/** Waits until a sale could go out. */
export async function untilReady(bench: Bench, { session }: Seat): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    const readiness = await bench.call('readiness', (signal) => session.readiness(signal));
    if (readiness.kind === 'ready') return;
    must(
      readiness.kind === 'wait' && asked < MOST_ASKED,
      `the terminal is not ready again: ${readiness.code} ${readiness.message}`,
    );
    await bench.clock.pass(ASK_AGAIN_MS);
  }
}

/** What the terminal reports of its past now, and of this command. */
export async function readMark(bench: Bench, { session }: Seat, command: MoneyCommand): Promise<Mark> {
  const last = await bench.call('lastTransaction', (signal) => session.lastTransaction(signal));
  if (bench.subject.capabilities.recover !== 'by_reference') return { last, own: null };
  const sale = saleOf(command);
  const reference = { ...command, ...(sale ? { sale } : {}) };
  const ask = async (signal: AbortSignal) => session.ownTransaction?.(reference, signal) ?? null;
  return { last, own: await bench.call('ownTransaction', ask) };
}

/** The sale that a void undoes, by both of its references; the terminal knows one of them. */
function saleOf(command: MoneyCommand): OwnReference | null {
  if (command.kind !== 'void') return null;
  const { reference = '' } = command.original;
  return { attemptId: reference, ticket: reference };
}

async function findOut(bench: Bench, seat: Seat, { paid }: Trial, baseline: Mark): Promise<void> {
  const grade = bench.subject.capabilities.recover;
  if (grade === 'none') return;
  const movement = movementOf(grade, paid.command, baseline, await readMark(bench, seat, paid.command));
  const really = entriesOf(paid, bench.ledger).standing.length > 0 ? 'moved' : 'not_moved';
  must(
    movement === really,
    `recovery (${grade}) says ${movement.replace('_', ' ')}, the ledger says ${really.replace('_', ' ')}`,
  );
}

async function sellCleanly(bench: Bench, seat: Seat): Promise<number> {
  bench.press('approve');
  const paid = await bench.pay(seat, sale(bench, bench.subject.amounts.usual + CLEAN_EXTRA));
  must(
    paid.outcome.kind === 'approved',
    `a clean sale afterwards on a new link is ${paid.outcome.kind}${'message' in paid.outcome ? `: ${paid.outcome.message}` : ''}`,
  );
  judge(paid, bench.ledger, {});
  return bench.ledger.at(-1)?.batch ?? 0;
}

function leavesNothing(bench: Bench): void {
  const { running } = bench.driverClock;
  must(running.length === 0, `after close the driver's timers still run: ${running.join(', ')}`);
  must(bench.leaks.length === 0, `${bench.leaks[0]}`);
  must(
    !bench.happenings.some(({ kind }) => kind === 'stray'),
    'the driver wrote to a link that it had closed, although nobody asked it for anything',
  );
  const leak = bench.transcript.find(showsCardNumber);
  must(leak === undefined, `the transcript shows a card number: ${leak?.slice(0, 60)}`);
}

/**
 * A run of 13 to 19 digits that passes the check of card numbers and begins as one of a card does; also as the hexadecimal
 * digits of its characters.
 */
function showsCardNumber(line: string): boolean {
  const plain = line.match(/(?<![0-9A-F])[2-6]\d{12,18}(?![0-9A-F])/gi) ?? [];
  const characters = line.match(/(?<!3\d)3[2-6](?:3\d){12,18}(?!3\d)/g) ?? [];
  const spelt = characters.map((hex) => hex.replace(/3(\d)/g, '$1'));
  return [...plain, ...spelt].some(passesLuhn);
}

/** A sale of this amount, or of the usual one. */
export function sale(
  bench: Bench,
  minor = bench.subject.amounts.usual,
): Extract<MoneyCommand, { kind: 'sale' | 'refund' }> {
  return {
    kind: 'sale',
    ...nextReference(),
    amount: { minor, currency: bench.subject.currency },
  };
}
