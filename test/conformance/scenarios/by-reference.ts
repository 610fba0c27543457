import type { OwnReference, OwnTransaction, TransactionReport } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { askForOwn, VOID, voidOf } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat, sale, sitDown, untilReady } from '../stage/aftermath.ts';
import { Bench, type Paid, type Seat } from '../stage/bench.ts';
import { entriesOf } from '../stage/law.ts';
import { nextReference } from '../stage/references.ts';
import { LOSE, PASS } from '../stage/steps.ts';
import type { Subject } from '../subject.ts';

const theme = 'recovery';
/** Longer than anything that a terminal still does for a till that is gone, ms. */
const CALM_MS = 400_000;
/** More writes than a sale of any such protocol has. */
const STEPS = 14;

/** What a terminal that carries our reference back tells of our payments. */
export const byReference: readonly Scenario[] = [
  {
    id: 'recovery/own-found',
    theme,
    title:
      'capability recover: by_reference: each of three payments of one amount is found by its own reference',
    notFor: withoutReference,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const paid: Paid[] = [];
      for (let round = 0; round < 3; round += 1) paid.push(await bench.pay(seat, sale(bench)));
      for (const { command, outcome } of paid) {
        must(outcome.kind === 'approved', `the sale is ${outcome.kind}`);
        const report = foundBy(command, await own(bench, seat, command));
        must(report.trace === outcome.report.trace, 'it is another one of the three');
        must(report.verdict === 'approved', `its verdict is ${report.verdict}`);
        must(report.amountMinor === command.amount.minor, `its amount is ${report.amountMinor}`);
        must(!isTakenBack(report), 'it is reported as taken back');
      }
      await aftermath(
        bench,
        paid.map((one) => ({ paid: one, allowed: {} })),
      );
    },
  },
  {
    id: 'recovery/own-voided',
    theme,
    title:
      'a payment that was undone is found by its reference, and reported as undone; its neighbour is not',
    notFor: (subject) => withoutReference(subject) ?? VOID.notFor(subject),
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const [first, second] = [await bench.pay(seat, sale(bench)), await bench.pay(seat, sale(bench))];
      const undone = await bench.pay(seat, voidOf(first));
      must(undone.outcome.kind === 'approved', `the void is ${undone.outcome.kind}`);
      must(isTakenBack(foundBy(first.command, await own(bench, seat, first.command))), 'it still stands');
      must(
        !isTakenBack(foundBy(second.command, await own(bench, seat, second.command))),
        'its neighbour does not',
      );
      await aftermath(
        bench,
        [first, second, undone].map((one) => ({ paid: one, allowed: {} })),
      );
    },
  },
  {
    id: 'recovery/own-absent',
    theme,
    title:
      'a payment that was never sent, or was declined, is absent or reported as declined, never as approved',
    notFor: withoutReference,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const sold = await bench.pay(seat, sale(bench));
      bench.press('decline');
      const declined = await bench.pay(seat, sale(bench));
      for (const reference of [nextReference(), declined.command]) {
        const answer = await own(bench, seat, reference);
        must(answer.kind !== 'unreadable', 'it cannot be read');
        must(answer.kind !== 'found' || answer.report.verdict !== 'approved', 'it is reported as approved');
      }
      await aftermath(
        bench,
        [sold, declined].map((one) => ({ paid: one, allowed: {} })),
      );
    },
  },
  {
    id: 'recovery/own-lost',
    theme,
    title: 'whenever the line is cut in a sale, its reference afterwards tells what the ledger has',
    notFor: withoutReference,
    run: async (subject) => {
      for (let step = 0; step < STEPS; step += 1) await lostAt(subject, step);
    },
  },
];

async function lostAt(subject: Subject, step: number): Promise<void> {
  const bench = await Bench.set(subject);
  const seat = await bench.sit();
  bench.cable.begin();
  bench.cable.handle = ({ index, bytes }) =>
    index === step ? { do: 'cut', after: bytes.length, isNoticed: false } : index > step ? LOSE : PASS;
  const paid = await bench.pay(seat, sale(bench));
  bench.cable.heal();
  await closeSeat(bench, seat);
  await bench.clock.pass(CALM_MS);
  const next = await sitDown(bench);
  await untilReady(bench, next);
  const answer = await own(bench, next, paid.command);
  must(answer.kind !== 'unreadable', `cut at step ${step}: it cannot be read`);
  const isCharged =
    answer.kind === 'found' && answer.report.verdict === 'approved' && !isTakenBack(answer.report);
  const stands = entriesOf(paid, bench.ledger).standing.length > 0;
  must(isCharged === stands, `cut at step ${step}: told ${answer.kind}, but the ledger says ${stands}`);
  await aftermath(bench, [{ paid, allowed: { unknown: true } }]);
}

function withoutReference({ capabilities: { recover } }: Subject): string | null {
  return recover === 'by_reference'
    ? null
    : `capability recover: ${recover}: the terminal carries no reference of ours back`;
}

function own(bench: Bench, { session }: Seat, reference: OwnReference): Promise<OwnTransaction> {
  return bench.call('ownTransaction', async (signal) => askForOwn(session, reference, signal));
}

function foundBy({ ticket, attemptId }: OwnReference, answer: OwnTransaction): TransactionReport {
  must(answer.kind === 'found', `it is ${answer.kind}`);
  const { reference } = answer.report;
  must(reference === ticket || reference === attemptId, `it is told with the reference ${reference}`);
  return answer.report;
}

function isTakenBack({ kind, originalTrace }: TransactionReport): boolean {
  return kind === 'void' || originalTrace !== undefined;
}
