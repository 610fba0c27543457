import { isDeepStrictEqual } from 'node:util';
import type { SpoiltEnd } from '../../../src/sandbox/controllable-terminal.ts';
import type { TransactionReport } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { REFUND, SALE, soldBefore, VOID, voidOf } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat, readMark, sale, sitDown, untilReady } from '../stage/aftermath.ts';
import { Bench, type Seat } from '../stage/bench.ts';
import { entriesOf, oursOf } from '../stage/law.ts';
import { movementOf } from '../stage/movement.ts';
import { LOSE, PASS } from '../stage/steps.ts';
import type { Subject } from '../subject.ts';

const theme = 'recovery';

const reportsPast = ({ capabilities }: Subject) =>
  capabilities.recover === 'none'
    ? 'capability recover: none: the terminal reports nothing of its past'
    : null;
const endsTwice = ({ capabilities }: Subject) =>
  capabilities.commitPoint === 'acknowledged'
    ? null
    : 'capability commitPoint: received: the result is the end of the dialogue, nothing can end badly behind it';

export const recovery: readonly Scenario[] = [
  {
    id: 'recovery/empty',
    theme,
    title: 'a terminal that has sold nothing says so, and not that it cannot be read',
    notFor: reportsPast,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const last = await lastOf(bench, await bench.sit());
      must(last.kind === 'empty', `it says ${last.kind}`);
      await aftermath(bench);
    },
  },
  {
    id: 'recovery/same-numbers',
    theme,
    title:
      'the last transaction has the number, the trace, the amount and the clock of the payment that it was',
    notFor: reportsPast,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      for (const dialogue of [SALE, REFUND].filter(({ notFor }) => notFor(subject) === null)) {
        const { outcome } = await bench.pay(seat, {
          ...sale(bench),
          kind: dialogue === SALE ? 'sale' : 'refund',
        });
        must(outcome.kind === 'approved', `the ${dialogue.name} is ${outcome.kind}`);
        const last = await lastOf(bench, seat);
        must(last.kind === 'found', `the last transaction is ${last.kind}`);
        for (const field of [
          'verdict',
          'number',
          'trace',
          'amountMinor',
          'terminalClock',
          'authCode',
          'reference',
        ] as const)
          must(
            last.report[field] === outcome.report[field],
            `${field} of the last transaction is ${last.report[field]}, of the payment ${outcome.report[field]}`,
          );
      }
      await aftermath(bench);
    },
  },
  {
    id: 'recovery/nothing-since',
    theme,
    title: 'read again and again, on old links and new ones, the last transaction is the same in every field',
    notFor: reportsPast,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const first = await lastOf(bench, seat);
      for (let round = 0; round < 3; round += 1) {
        await bench.clock.pass(20_000);
        must(
          isDeepStrictEqual(await lastOf(bench, seat), first),
          'it is another one although nothing happened',
        );
      }
      await closeSeat(bench, seat);
      bench.losePower();
      await bench.clock.pass(30_000);
      const again = await lastOf(bench, await sitDown(bench));
      must(isDeepStrictEqual(again, first), 'it is another one after a power loss');
      await aftermath(bench, past);
    },
  },
  {
    id: 'recovery/by-hand',
    theme,
    title: 'a transaction that staff typed at the terminal is seen as another one',
    notFor: reportsPast,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const first = await lastOf(bench, seat);
      await bench.clock.pass(5000);
      bench.terminal.typeByHand({ kind: 'sale', amountMinor: subject.amounts.usual });
      const now = await lastOf(bench, seat);
      must(now.kind === 'found' && first.kind === 'found', `it says ${now.kind}`);
      must(!isDeepStrictEqual(now, first), 'it looks like the one before, in every field');
      const { reference = '' } = now.report;
      const isOfOurs = past.some(({ paid }) => oursOf(paid.command).includes(reference));
      must(!isOfOurs, `it has the reference "${reference}" of the payment before: no till gave it one`);
      await aftermath(bench, past);
    },
  },
  {
    id: 'recovery/wrapped-numbers',
    theme,
    title: 'numbers that begin again at 1 are reported as they are',
    notFor: reportsPast,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      bench.terminal.presetNumbers(9998, 999_998);
      const numbers: (string | undefined)[] = [];
      for (let round = 0; round < 3; round += 1) {
        const { outcome } = await bench.pay(seat, sale(bench));
        must(outcome.kind === 'approved', `the sale is ${outcome.kind}`);
        const last = await lastOf(bench, seat);
        const [reported, paid] = [
          last.kind === 'found' ? numberOf(last.report) : undefined,
          numberOf(outcome.report),
        ];
        must(reported === paid, 'the number is another one');
        numbers.push(paid);
      }
      must(new Set(numbers).size === 3, `three payments have the numbers ${numbers.join(', ')}`);
      await aftermath(bench);
    },
  },
  {
    id: 'recovery/cannot-tell',
    theme,
    title:
      'a terminal that reports nothing of its last transaction is unreadable, never empty, and its grade becomes none',
    notFor: (subject) => reportsPast(subject) ?? subject.withoutHabit.reportsNothing ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject, { habits: { reportsNothing: true } });
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const last = await lastOf(bench, seat);
      must(last.kind === 'unreadable', `it says ${last.kind}`);
      const { recover } = seat.session.capabilities;
      must(recover === 'none', `the grade stays ${recover}`);
      await aftermath(bench, past);
    },
  },
  {
    id: 'recovery/declined',
    theme,
    title: 'after a decline the last transaction is the one before, or the decline, never an approval',
    notFor: reportsPast,
    run: async (subject) => {
      for (const storesDeclined of [false, true]) {
        if (storesDeclined && subject.withoutHabit.storesDeclined !== undefined) continue;
        const bench = await Bench.set(subject, { habits: { storesDeclined } });
        const seat = await bench.sit();
        const past = [await soldBefore(bench, seat)];
        const command = sale(bench, subject.amounts.usual + 1);
        const mark = await readMark(bench, seat, command);
        bench.press('decline');
        const paid = await bench.pay(seat, command);
        const now = await readMark(bench, seat, command);
        const movement = movementOf(subject.capabilities.recover, command, mark, now);
        must(movement === 'not_moved', `it says ${movement}`);
        await aftermath(bench, [...past, { paid, allowed: {} }]);
      }
    },
  },
  {
    id: 'recovery/of-a-void',
    theme,
    title: 'after a void the last transaction shows that it was one',
    notFor: (subject) => reportsPast(subject) ?? VOID.notFor(subject),
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const sold = await soldBefore(bench, seat);
      const command = voidOf(sold.paid);
      const mark = await readMark(bench, seat, command);
      const paid = await bench.pay(seat, command);
      must(paid.outcome.kind === 'approved', `the void is ${paid.outcome.kind}`);
      const now = await readMark(bench, seat, command);
      const movement = movementOf(subject.capabilities.recover, command, mark, now);
      must(movement === 'moved', `it says ${movement}`);
      await aftermath(bench, [sold, { paid, allowed: {} }]);
    },
  },
  ...(['kept', 'reversed', 'reversed_silently', 'untold'] satisfies SpoiltEnd[]).map(spoilt),
  {
    id: 'recovery/settle',
    theme,
    title:
      'capability settleMs: once the terminal has been ready for so long in a row, nothing of a lost payment comes any more',
    run: async (subject) => {
      for (const looksIdle of [false, true]) {
        if (looksIdle && subject.withoutHabit.looksIdleMs !== undefined) continue;
        for (let step = 0; step < 8; step += 1) await settles(subject, step, looksIdle);
      }
    },
  },
];

/** The trace, or the terminal's only number. */
function numberOf({ trace, number }: TransactionReport): string | undefined {
  return trace ?? number;
}

/** The terminal approved, was acknowledged, and ends badly. */
function spoilt(how: SpoiltEnd): Scenario {
  const words: Readonly<Record<SpoiltEnd, string>> = {
    kept: 'keeps the money',
    reversed: 'takes the money back and says so',
    reversed_silently: 'takes the money back without a word',
    untold: 'keeps the money and never told of it',
  };
  return {
    id: `recovery/bad-end-${how}`,
    theme,
    title: `an approved payment whose dialogue ends badly, where the terminal ${words[how]}, is unknown, and the truth is found out`,
    notFor: endsTwice,
    run: async (subject) => {
      for (const dialogue of [SALE, REFUND, VOID].filter(({ notFor }) => notFor(subject) === null)) {
        const bench = await Bench.set(subject);
        const { seat, past, baseline, command } = await dialogue.prepare(bench);
        must(seat !== undefined && command !== undefined, 'not about money');
        bench.terminal.spoilNextEnd(how);
        const paid = await bench.pay(seat, command);
        const { kind } = paid.outcome;
        must(kind === 'unknown', `a ${command.kind} is ${kind}`);
        const trial = { paid, allowed: { unknown: true } };
        await aftermath(bench, [...past, baseline ? { ...trial, baseline } : trial]);
      }
    },
  };
}

/** A sale loses its till at `step`; a new one watches the terminal until it may say "nothing happened". */
async function settles(subject: Subject, step: number, looksIdle: boolean): Promise<void> {
  const bench = await Bench.set(subject, {
    ...(looksIdle ? { habits: { looksIdleMs: subject.capabilities.settleMs - 5000 } } : {}),
    settings: { autopilotMs: 8000 },
  });
  const seat = await bench.sit();
  bench.cable.begin();
  bench.cable.handle = ({ index }) =>
    index === step ? { do: 'cut', after: 1, isNoticed: false } : index > step ? LOSE : PASS;
  const paid = await bench.pay(seat, sale(bench));
  bench.cable.heal();
  // A sale of fewer steps was not cut: its connection still stands.
  await closeSeat(bench, seat);
  await untilSettled(bench, await sitDown(bench));
  const before = entriesOf(paid, bench.ledger).standing.length;
  await bench.clock.pass(600_000);
  const after = entriesOf(paid, bench.ledger).standing.length;
  must(
    before === after,
    `at step ${step} the ledger moved after the settle time: ${before} stood, then ${after}`,
  );
  await aftermath(bench, [{ paid, allowed: { unknown: true } }]);
}

/** Waits until the terminal has been ready for `settleMs` in a row, and may no longer go on with what nobody hears (`goesOnMs`). */
async function untilSettled(bench: Bench, seat: Seat): Promise<void> {
  const { settleMs, goesOnMs } = bench.subject.capabilities;
  const inDoubtSince = bench.clock.monotonic();
  let since = inDoubtSince;
  const isSettled = (now: number) => now - since >= settleMs && now - inDoubtSince >= goesOnMs;
  for (let asked = 0; !isSettled(bench.clock.monotonic()); asked += 1) {
    must(asked < 400, 'the terminal never comes to rest');
    const readiness = await bench.call('readiness', (signal) => seat.session.readiness(signal));
    await bench.clock.pass(2000);
    if (readiness.kind !== 'ready') since = bench.clock.monotonic();
  }
  await untilReady(bench, seat);
}

function lastOf(bench: Bench, { session }: Seat) {
  return bench.call('lastTransaction', (signal) => session.lastTransaction(signal));
}
