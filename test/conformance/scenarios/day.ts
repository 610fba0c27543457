import { isDeepStrictEqual } from 'node:util';
import type { Totals } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { END_OF_DAY, QUESTIONS, REFUND, REPRINT, soldBefore, VOID, voidOf } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, sale, type Trial } from '../stage/aftermath.ts';
import { Bench, type Seat } from '../stage/bench.ts';
import { tillWords } from '../stage/happenings.ts';
import { judgeFree } from '../stage/law.ts';
import type { Subject } from '../subject.ts';

const theme = 'day';
const TOTALS = QUESTIONS.find(({ name }) => name === 'totals');

export const day: readonly Scenario[] = [
  {
    id: 'day/closes',
    theme,
    title:
      'capability endOfDay: the batch is closed once, totals that it states are those of the ledger, and the next sale is in a new one',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat), await soldBefore(bench, seat)];
      if (REFUND.notFor(subject) === null)
        past.push({ paid: await bench.pay(seat, { ...sale(bench), kind: 'refund' }), allowed: {} });
      const batchSum = sumOf(bench);
      const outcome = await close(bench, seat);
      must(outcome.kind === 'closed', `it is ${outcome.kind}`);
      if (outcome.totals?.amountMinor !== undefined) mustBe(outcome.totals, undefined, batchSum);
      const { batch } = await aftermath(bench, past);
      must(batch === 2, `the open batch is number ${batch}`);
    },
  },
  {
    id: 'day/empty',
    theme,
    title: 'an end of day of an empty batch is closed or refused, never unknown',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const outcome = await close(bench, await bench.sit());
      must(outcome.kind !== 'unknown', `it is unknown: ${'message' in outcome ? outcome.message : ''}`);
      const { batch } = await aftermath(bench);
      must(batch === (outcome.kind === 'closed' ? 2 : 1), `the open batch is number ${batch}`);
    },
  },
  {
    id: 'day/refused',
    theme,
    title: 'an end of day that the terminal refuses is refused, and the batch stays open',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      bench.terminal.nextClose('refused');
      const outcome = await close(bench, seat);
      must(outcome.kind === 'refused', `it is ${outcome.kind}`);
      const { batch } = await aftermath(bench, past);
      must(batch === 1, `the open batch is number ${batch}`);
    },
  },
  {
    id: 'day/updates',
    theme,
    title: 'an end of day after which the terminal updates itself is closed',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      bench.terminal.nextClose('updates');
      const outcome = await close(bench, seat);
      must(outcome.kind === 'closed', `it is ${outcome.kind}`);
      bench.losePower(120_000);
      await aftermath(bench, past);
    },
  },
  {
    id: 'day/none',
    theme,
    title: 'without the capability endOfDay an end of day is refused, and no byte is written',
    notFor: ({ capabilities }) =>
      capabilities.endOfDay ? 'capability endOfDay: the till closes the batch' : null,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const from = bench.happenings.length;
      const outcome = await close(bench, seat);
      must(outcome.kind === 'refused', `it is ${outcome.kind}`);
      must(tillWords(bench.happenings.slice(from)).length === 0, 'something was written');
      await aftermath(bench);
    },
  },
  {
    id: 'day/over-a-dead-link',
    theme,
    title:
      'an end of day over a link that has ended, or under an aborted signal, is refused: nothing was sent',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      for (const how of ['cut', 'stopped'] as const) {
        // A driver that calls for each exchange has no link that could have ended.
        const { manifest, wire } = subject;
        if (how === 'cut' && wire === 'tcp' && manifest.connection === 'per_exchange') continue;
        const bench = await Bench.set(subject);
        const seat = await bench.sit();
        const past = [await soldBefore(bench, seat)];
        const controller = new AbortController();
        if (how === 'cut') bench.cable.cut();
        else controller.abort();
        await bench.clock.pass(1000);
        const outcome = await close(bench, seat, controller);
        must(outcome.kind === 'refused', `${how}: it is ${outcome.kind}`);
        const { batch } = await aftermath(bench, past);
        must(batch === 1, `the open batch is number ${batch}`);
      }
    },
  },
  {
    id: 'day/void-behind-it',
    theme,
    title:
      'after an end of day a payment of the closed batch is not undone, whatever numbers the new one uses',
    notFor: (subject) => END_OF_DAY.notFor(subject) ?? VOID.notFor(subject),
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const command = voidOf(past[0]?.paid);
      must((await close(bench, seat)).kind === 'closed', 'it did not close');
      const paid = await bench.pay(seat, command);
      must(paid.outcome.kind !== 'approved', 'a payment of the closed batch was undone');
      await aftermath(bench, [...past, { paid, allowed: {} }]);
    },
  },
  {
    id: 'day/reprint',
    theme,
    title:
      'capability reprint: the receipt of the last sale is repeated once, and nothing that the terminal stores changes',
    notFor: REPRINT.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      const seen = () => bench.call('lastTransaction', (signal) => seat.session.lastTransaction(signal));
      const before = [await seen(), bench.ledger];
      const from = bench.happenings.length;
      const copy = await bench.call('reprint', async (signal) => seat.session.reprint?.(signal));
      must(copy !== undefined && copy.kind !== 'refused', `it is ${copy?.kind}`);
      must(
        copy?.kind !== 'printed' || bench.terminal.printed.length === 1,
        'nothing came out of the terminal',
      );
      judgeFree(bench.happenings.slice(from), 'a repeated receipt', true);
      must(
        isDeepStrictEqual([await seen(), bench.ledger], before),
        'a repeated receipt changed what is stored',
      );
      await aftermath(bench, past);
    },
  },
  {
    id: 'day/totals',
    theme,
    title:
      'capability totalsWithoutPaper: the totals are those of the ledger, and asking for them changes nothing',
    notFor: (subject) => TOTALS?.notFor(subject) ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const trials: Trial[] = [];
      mustBe(await totals(bench, seat), 0, 0);
      for (const minor of [1100, 1200, 1300]) {
        trials.push({ paid: await bench.pay(seat, sale(bench, minor)), allowed: {} });
        mustBe(await totals(bench, seat), trials.length, sumOf(bench));
        mustBe(await totals(bench, seat), trials.length, sumOf(bench));
      }
      if (VOID.notFor(subject) === null) {
        trials.push({ paid: await bench.pay(seat, voidOf(trials.at(-1)?.paid)), allowed: {} });
        mustBe(await totals(bench, seat), undefined, sumOf(bench));
      }
      const { batch } = await aftermath(bench, trials);
      must(batch === 1, 'asking for totals closed the batch');
    },
  },
  {
    id: 'day/journal',
    theme,
    title:
      'every line of the journal is a transaction of the ledger, and a journal that calls itself complete has all of them',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const trials: Trial[] = [];
      for (const minor of [1100, 1200, 1300])
        trials.push({ paid: await bench.pay(seat, sale(bench, minor)), allowed: {} });
      const journal = await bench.call('journal', (signal) => seat.session.journal(signal));
      const charged = bench.ledger.map(({ amountMinor }) => amountMinor);
      for (const { amountMinor, verdict } of journal.lines)
        must(
          verdict === 'approved' && charged.includes(amountMinor ?? 0),
          `a line of ${amountMinor} is in no ledger`,
        );
      must(
        new Set(journal.lines.map(({ trace }) => trace)).size === journal.lines.length,
        'a line comes twice',
      );
      must(
        !journal.complete || journal.lines.length === 3,
        `${journal.lines.length} of 3 lines call themselves complete`,
      );
      await aftermath(bench, trials);
    },
  },
  {
    id: 'day/after-it',
    theme,
    title: 'after an end of day neither totals nor journal show the closed batch, also where numbers restart',
    notFor: END_OF_DAY.notFor,
    run: async (subject) => {
      for (const numbersRestart of [false, true]) {
        if (numbersRestart && subject.withoutHabit.numbersRestart !== undefined) continue;
        await afterTheClose(subject, numbersRestart);
      }
    },
  },
];

async function afterTheClose(subject: Subject, numbersRestart: boolean): Promise<void> {
  const bench = await Bench.set(subject, { habits: { numbersRestart } });
  const seat = await bench.sit();
  const past = [await soldBefore(bench, seat)];
  must((await close(bench, seat)).kind === 'closed', 'it did not close');
  const journal = await bench.call('journal', (signal) => seat.session.journal(signal));
  must(journal.lines.length === 0, 'the journal shows the closed batch');
  if (subject.capabilities.totalsWithoutPaper) mustBe(await totals(bench, seat), 0, 0);
  await aftermath(bench, past);
}

function close(bench: Bench, { session }: Seat, controller?: AbortController) {
  return bench.call('endOfDay', (signal) => session.endOfDay(() => undefined, signal), controller);
}

function totals(bench: Bench, { session }: Seat): Promise<Totals | null> {
  return bench.call('totals', (signal) => session.totals(signal));
}

function mustBe(reported: Totals | null, count: number | undefined, amountMinor: number): void {
  must(reported !== null, 'no totals are reported');
  must(
    reported.amountMinor === amountMinor,
    `the totals are ${reported.amountMinor}, the ledger has ${amountMinor}`,
  );
  must(
    count === undefined || reported.count === undefined || reported.count === count,
    `the totals count ${reported.count}, the ledger ${count}`,
  );
}

/** What was taken less what was given back, in these scenarios all in the open batch. */
function sumOf(bench: Bench): number {
  return bench.ledger
    .filter(({ kind, result, reversed }) => kind !== 'void' && result === 'approved' && !reversed)
    .reduce((sum, { kind, amountMinor }) => sum + (kind === 'sale' ? amountMinor : -amountMinor), 0);
}
