import type { MoneyCommand, Outcome, TransactionReport } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, sale } from '../stage/aftermath.ts';
import { Bench, type Paid, type Seat } from '../stage/bench.ts';
import { tillWords } from '../stage/happenings.ts';
import { judgeOnce } from '../stage/law.ts';
import { nextReference } from '../stage/references.ts';
import type { Subject } from '../subject.ts';

const theme = 'capabilities';
const [RESERVED, BOOKED] = [5000, 3000];

/** What a terminal reserves on a card, books later or frees. */
export const reservations: readonly Scenario[] = [
  {
    id: 'capability/preauthorisation',
    theme,
    title:
      'capability preauthorisation: a reservation charges nothing, its booking exactly what was booked, its release nothing',
    notFor: withoutReservations,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const booked = await reserve(bench, seat);
      must(chargedOf(bench) === 0, `a reservation charged ${chargedOf(bench)}`);
      await succeed(bench, seat, { ...later(bench, booked, BOOKED), kind: 'capture' });
      must(chargedOf(bench) === BOOKED, `a booking of ${BOOKED} charged ${chargedOf(bench)}`);
      const freed = await reserve(bench, seat);
      await succeed(bench, seat, { ...later(bench, freed, RESERVED), kind: 'release' });
      must(chargedOf(bench) === BOOKED, `with a release ${chargedOf(bench)} is charged`);
      await aftermath(bench);
    },
  },
  {
    id: 'capability/preauthorisation-declined',
    theme,
    title: 'a reservation that is declined, or whose customer presses stop, is told so, and charges nothing',
    notFor: withoutReservations,
    run: async (subject) => {
      for (const [key, outcome] of [
        ['decline', 'declined'],
        ['abort', 'aborted'],
      ] as const) {
        const bench = await Bench.set(subject);
        const seat = await bench.sit();
        bench.press(key);
        const paid = await pay(bench, seat, reservation(bench));
        must(paid.outcome.kind === outcome, `it is ${paid.outcome.kind}, not ${outcome}`);
        must(chargedOf(bench) === 0, `it charged ${chargedOf(bench)}`);
        await aftermath(bench);
      }
    },
  },
  {
    id: 'capability/no-preauthorisation',
    theme,
    title: 'without the capability preauthorisation a reservation is not started, and no byte is written',
    notFor: ({ capabilities }) =>
      capabilities.preauthorisation ? 'capability preauthorisation: money can be reserved' : null,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const paid = await pay(bench, seat, reservation(bench));
      must(paid.outcome.kind === 'not_started', `it is ${paid.outcome.kind}`);
      must(tillWords(paid.happenings).length === 0, 'something was written');
      await aftermath(bench);
    },
  },
];

function withoutReservations({ capabilities }: Subject): string | null {
  return capabilities.preauthorisation ? null : 'capability preauthorisation: the protocol reserves no money';
}

function reservation(bench: Bench): MoneyCommand {
  return { ...sale(bench, RESERVED), kind: 'preauthorisation' };
}

async function reserve(bench: Bench, seat: Seat): Promise<TransactionReport> {
  return succeed(bench, seat, reservation(bench));
}

async function succeed(bench: Bench, seat: Seat, command: MoneyCommand): Promise<TransactionReport> {
  const { outcome } = await pay(bench, seat, command);
  must(outcome.kind === 'approved', `a ${command.kind} is ${outcome.kind}${wordsOf(outcome)}`);
  return outcome.report;
}

async function pay(bench: Bench, seat: Seat, command: MoneyCommand): Promise<Paid> {
  const paid = await bench.pay(seat, command);
  judgeOnce(paid.happenings, 'money');
  return paid;
}

/** What a booking or a release of this reservation has in common. */
function later(bench: Bench, { number, trace }: TransactionReport, minor: number) {
  return {
    ...nextReference(),
    amount: { minor, currency: bench.subject.currency },
    original: {
      amountMinor: RESERVED,
      ...(number === undefined ? {} : { number }),
      ...(trace === undefined ? {} : { trace }),
    },
  };
}

/** What customers have really paid. */
function chargedOf(bench: Bench): number {
  return bench.ledger
    .filter(({ kind, result, reversed }) => kind === 'sale' && result === 'approved' && !reversed)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function wordsOf(outcome: Outcome): string {
  return 'message' in outcome ? `: ${outcome.message}` : '';
}
