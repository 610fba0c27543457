import { AppError } from '../../../src/base/errors.ts';
import { must } from '../breach.ts';
import { soldBefore } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, sale, sitDown, type Trial, untilReady } from '../stage/aftermath.ts';
import { Bench, type Paid } from '../stage/bench.ts';
import { judgeFree } from '../stage/law.ts';
import { LOSE, PASS } from '../stage/steps.ts';
import type { Subject } from '../subject.ts';

const theme = 'busy';
/** The customer of the lost till takes this long, ms. */
const SLOW_CUSTOMER_MS = 25_000;

export const busy: readonly Scenario[] = [
  {
    id: 'busy/is-seen',
    theme,
    title:
      'a terminal on which an older payment still runs is not ready, and is asked nothing about money meanwhile',
    notFor: provesIdle,
    run: async (subject) => {
      const { bench, trial } = await lostPayment(subject);
      const from = bench.happenings.length;
      const readiness = await readinessAtOnce(bench);
      must(readiness !== 'ready', 'it is ready although a customer still pays for another till');
      judgeFree(bench.happenings.slice(from), 'the question whether it is ready');
      await aftermath(bench, [trial]);
    },
  },
  {
    id: 'busy/second-payment',
    theme,
    title:
      'a payment that is sent although an older one still runs is never approved for the older one, and one charge is one outcome',
    run: async (subject) => {
      const { bench, trial } = await lostPayment(subject);
      const second = await secondPayment(bench);
      await aftermath(bench, [
        trial,
        ...(second ? [{ paid: second, allowed: { unknown: true, orderUntold: true } }] : []),
      ]);
    },
  },
  {
    id: 'busy/becomes-free',
    theme,
    title: 'once the older payment has ended the terminal is ready by itself, and sells',
    run: async (subject) => {
      const { bench, trial } = await lostPayment(subject);
      const seat = await sitDown(bench);
      await untilReady(bench, seat);
      const paid = await bench.pay(seat, sale(bench, 2100));
      must(paid.outcome.kind === 'approved', `the next sale is ${paid.outcome.kind}`);
      await aftermath(bench, [trial, { paid, allowed: {} }]);
    },
  },
  {
    id: 'busy/card-left-in',
    theme,
    title: 'while a card is in the terminal it is not ready, and it becomes so when the card is gone',
    notFor: (subject) => provesIdle(subject) ?? subject.withoutHabit.cardStaysMs ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject, { habits: { cardStaysMs: 8000 } });
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const readiness = await bench.call('readiness', (signal) => seat.session.readiness(signal));
      must(readiness.kind !== 'ready', 'it is ready with a card in it');
      await untilReady(bench, seat);
      await aftermath(bench, past);
    },
  },
  {
    id: 'busy/starting-up',
    theme,
    title: 'a terminal that has just been switched on is waited for, and then sells',
    notFor: ({ withoutHabit }) => withoutHabit.bootMs ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject, { habits: { bootMs: 15_000 } });
      const seat = await sitDown(bench);
      const readiness = await bench.call('readiness', (signal) => seat.session.readiness(signal));
      must(readiness.kind === 'wait', `it is ${readiness.kind} while it starts`);
      const early = await bench.pay(seat, sale(bench));
      must(early.outcome.kind !== 'approved', 'it sold while it started');
      await untilReady(bench, seat);
      await aftermath(bench, [{ paid: early, allowed: { unknown: true } }]);
    },
  },
  {
    id: 'busy/after-power-loss',
    theme,
    title:
      'a terminal that lost its power while idle is made ready by the driver alone, also on the link that it had',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      bench.losePower();
      await bench.clock.pass(10_000);
      const here = subject.wire === 'serial' ? seat : await sitDown(bench);
      await untilReady(bench, here);
      const paid = await bench.pay(here, sale(bench, 2200));
      // What is volatile may be missing only now: the terminal says so before it begins, and the next one succeeds.
      must(['approved', 'not_started'].includes(paid.outcome.kind), `the sale is ${paid.outcome.kind}`);
      await aftermath(bench, [...past, { paid, allowed: {} }]);
    },
  },
  {
    id: 'busy/idle-hang-up',
    theme,
    title:
      'a link that the terminal ends while idle is no fault: the next payment over it is not started, a new link sells',
    notFor: ({ manifest, wire }) =>
      wire === 'tcp' && manifest.connection === 'per_exchange'
        ? 'connection per_exchange: no link is kept while the terminal is idle'
        : null,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      bench.cable.cut('closed_by_peer');
      await bench.clock.pass(5000);
      const paid = await bench.pay(seat, sale(bench));
      must(paid.outcome.kind === 'not_started', `over a link that had ended it is ${paid.outcome.kind}`);
      await aftermath(bench, [{ paid, allowed: {} }]);
    },
  },
];

function provesIdle({ capabilities: { settleMs, goesOnMs } }: Subject): string | null {
  const longest = Math.max(settleMs, goesOnMs);
  return longest < 180_000
    ? null
    : `capabilities settleMs, goesOnMs: ${longest / 1000} s: the terminal's own word proves little, time does`;
}

/** A till is lost while its customer looks for the card. */
async function lostPayment(subject: Subject): Promise<{ readonly bench: Bench; readonly trial: Trial }> {
  const bench = await Bench.set(subject, { settings: { autopilotMs: SLOW_CUSTOMER_MS } });
  const seat = await bench.sit();
  let progressed = false;
  bench.cable.handle = ({ from }) => {
    if (progressed) return LOSE;
    progressed = from === 'terminal' && bench.terminal.snapshot().busy && bench.clock.monotonic() > 500;
    return PASS;
  };
  bench.clock.timer('till lost', 2000, () => bench.cable.cut('closed_by_us'));
  const paid = await bench.pay(seat, sale(bench));
  bench.cable.heal();
  must(paid.outcome.kind === 'unknown', `a payment whose till was lost is ${paid.outcome.kind}`);
  must(bench.terminal.snapshot().busy, 'the virtual terminal is not busy any more');
  return { bench, trial: { paid, allowed: { unknown: true } } };
}

async function readinessAtOnce(bench: Bench): Promise<string> {
  try {
    const { session } = await bench.sit();
    return (await bench.call('readiness', (signal) => session.readiness(signal))).kind;
  } catch (error) {
    must(error instanceof AppError && error.retry !== 'never', `it gave up: ${error}`);
    return error.code;
  }
}

/** Where a conversation can be opened at all, a sale goes out at once, whatever the terminal says of itself. */
async function secondPayment(bench: Bench): Promise<Paid | undefined> {
  const seat = await bench.sit().catch((error: unknown) => {
    must(error instanceof AppError && error.retry !== 'never', `it gave up: ${error}`);
  });
  if (!seat) return undefined;
  const paid = await bench.pay(seat, sale(bench, 2300));
  must(paid.outcome.kind !== 'declined', 'a busy terminal is reported as a decline');
  return paid;
}
