import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src/base/errors.ts';
import type { TerminalJournal } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { soldBefore } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat, sale } from '../stage/aftermath.ts';
import { Bench, type Seat } from '../stage/bench.ts';
import type { Subject } from '../subject.ts';

const theme = 'closing';
/** What a terminal that reports nothing of its batch answers: it is asked nothing. */
const NO_JOURNAL: TerminalJournal = { complete: false, lines: [], totals: null };

export const closing: readonly Scenario[] = [
  {
    id: 'closing/twice',
    theme,
    title: 'close ends the link, a second and a third one do nothing, and nothing is written behind it',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const past = [await soldBefore(bench, seat)];
      await closeSeat(bench, seat);
      const from = bench.happenings.length;
      await bench.call('close a third time', () => seat.session.close());
      await bench.clock.pass(600_000);
      must(bench.happenings.length === from, 'something happened behind the close');
      must(bench.driverClock.running.length === 0, `timers run: ${bench.driverClock.running.join()}`);
      await aftermath(bench, past);
    },
  },
  {
    id: 'closing/over-a-dead-link',
    theme,
    title: 'close is safe over a link that has ended',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      bench.cable.cut();
      await bench.clock.pass(1000);
      await closeSeat(bench, seat);
      await aftermath(bench);
    },
  },
  {
    id: 'closing/behind-it',
    theme,
    title:
      'after close a payment is not started, an end of day is refused, and a question rejects: at once, without a byte',
    run: (subject) => nothingGoesOut(subject, closeSeat, new AbortController()),
  },
  {
    id: 'closing/aborted-before',
    theme,
    title:
      'under a signal that was aborted before, a payment is not started and a question rejects: at once, without a byte',
    run: (subject) => {
      const controller = new AbortController();
      controller.abort();
      return nothingGoesOut(subject, async () => undefined, controller);
    },
  },
  {
    id: 'closing/line-in-use',
    theme,
    title: 'a conversation that is closed frees its line for the next one at once',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      for (let round = 0; round < 3; round += 1) {
        const seat = await bench.sit();
        const closing = bench.call('close', () => seat.session.close());
        await closing;
        const next = await bench.sit();
        must(next.link !== seat.link, 'the same link');
        await closeSeat(bench, next);
      }
      await aftermath(bench);
    },
  },
];

async function nothingGoesOut(
  subject: Subject,
  before: (bench: Bench, seat: Seat) => Promise<void>,
  controller: AbortController,
): Promise<void> {
  const bench = await Bench.set(subject);
  const seat = await bench.sit();
  await before(bench, seat);
  const [from, began] = [bench.happenings.length, bench.clock.monotonic()];
  const paid = await bench.pay(seat, sale(bench), { controller });
  must(paid.outcome.kind === 'not_started', `a payment is ${paid.outcome.kind}`);
  const { session } = seat;
  const questions: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
    identify: (signal) => session.identify(signal),
    readiness: (signal) => session.readiness(signal),
    lastTransaction: (signal) => session.lastTransaction(signal),
    journal: (signal) => session.journal(signal),
  };
  for (const [name, ask] of Object.entries(questions)) {
    const answer = await bench.call(name, ask, controller).catch((reason: unknown) => reason);
    if (name === 'journal' && isDeepStrictEqual(answer, NO_JOURNAL)) continue;
    const words = answer instanceof Error ? `throws ${answer}` : `answers ${JSON.stringify(answer)}`;
    must(answer instanceof AppError, `${name} ${words}: it must reject with an AppError`);
  }
  const words = bench.happenings.slice(from).filter(({ kind }) => kind === 'wrote');
  must(words.length === 0, 'something was written');
  must(bench.clock.monotonic() - began < 1000, 'it took its time');
  await aftermath(bench, [{ paid, allowed: {} }]);
}
