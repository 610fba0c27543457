import { must } from '../breach.ts';
import { REFUND, SALE, soldBefore, VOID, voidOf } from '../dialogues.ts';
import { record } from '../every-step.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, sale, type Trial } from '../stage/aftermath.ts';
import { Bench } from '../stage/bench.ts';
import { tillWords } from '../stage/happenings.ts';
import { entriesOf } from '../stage/law.ts';
import { LOSE, PASS } from '../stage/steps.ts';
import type { Subject } from '../subject.ts';

const theme = 'capabilities';

export const capabilities: readonly Scenario[] = [
  {
    id: 'capability/refund',
    theme,
    title: 'capability refund: money is given back, without touching the sale',
    notFor: REFUND.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const sold = await soldBefore(bench, seat);
      const paid = await bench.pay(seat, { ...sale(bench, 500), kind: 'refund' });
      must(paid.outcome.kind === 'approved', `a refund is ${paid.outcome.kind}`);
      await aftermath(bench, [sold, { paid, allowed: {} }]);
    },
  },
  {
    id: 'capability/no-refund',
    theme,
    title: 'without the capability refund a refund is not started, and no byte is written',
    notFor: ({ capabilities: { refund } }) => (refund ? 'capability refund: the protocol has one' : null),
    run: (subject) => neverStarted(subject, 'refund'),
  },
  {
    id: 'capability/void-any',
    theme,
    title: 'capability void: any: an older payment of the batch is undone, and no other',
    notFor: ({ capabilities: { void: grade } }) =>
      grade === 'any' ? null : `capability void: ${grade}: older payments stay`,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const trials: Trial[] = [];
      for (const minor of [1100, 1200, 1300])
        trials.push({ paid: await bench.pay(seat, sale(bench, minor)), allowed: {} });
      const paid = await bench.pay(seat, voidOf(trials[0]?.paid));
      must(paid.outcome.kind === 'approved', `the void of the first of three is ${paid.outcome.kind}`);
      const standing = bench.ledger.filter(({ kind, reversed }) => kind === 'sale' && !reversed);
      must(
        standing.map(({ amountMinor }) => amountMinor).join() === '1200,1300',
        'another payment was undone',
      );
      await aftermath(bench, [...trials, { paid, allowed: {} }]);
    },
  },
  {
    id: 'capability/void-last',
    theme,
    title:
      'the very last payment is undone, also on a terminal that can undo no other, and an older one is left alone there',
    notFor: (subject) => VOID.notFor(subject) ?? subject.withoutHabit.voidsLastOnly ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject, { habits: { voidsLastOnly: true } });
      const seat = await bench.sit();
      const [first, second] = [
        await bench.pay(seat, sale(bench, 1100)),
        await bench.pay(seat, sale(bench, 1200)),
      ];
      const tooOld = await bench.pay(seat, voidOf(first));
      must(tooOld.outcome.kind !== 'approved', 'an older payment was undone');
      const paid = await bench.pay(seat, voidOf(second));
      must(paid.outcome.kind === 'approved', `the void of the last payment is ${paid.outcome.kind}`);
      const trials = [first, second, tooOld, paid].map((one) => ({ paid: one, allowed: {} }));
      await aftermath(bench, trials);
    },
  },
  {
    id: 'capability/no-void',
    theme,
    title: 'without the capability void a void is not started, and no byte is written',
    notFor: ({ capabilities: { void: grade } }) =>
      grade === 'none' ? null : `capability void: ${grade}: payments can be taken back`,
    run: (subject) => neverStarted(subject, 'void'),
  },
  {
    id: 'capability/void-once',
    theme,
    title: 'what was undone cannot be undone again, and a void of another amount undoes nothing',
    notFor: VOID.notFor,
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const sold = await soldBefore(bench, seat);
      const command = voidOf(sold.paid);
      const less = await bench.pay(seat, { ...command, amount: { ...command.amount, minor: 1 } });
      must(less.outcome.kind !== 'approved', 'a void of another amount is approved');
      const paid = await bench.pay(seat, command);
      const again = await bench.pay(seat, command);
      must(paid.outcome.kind === 'approved', `the void is ${paid.outcome.kind}`);
      must(again.outcome.kind !== 'approved', 'the same payment is undone twice');
      await aftermath(bench, [sold, ...[less, paid, again].map((one) => ({ paid: one, allowed: {} }))]);
    },
  },
  {
    id: 'capability/void-without-card',
    theme,
    title: 'capability voidNeedsCard: false: a void needs nobody at the terminal',
    notFor: (subject) =>
      VOID.notFor(subject) ??
      (subject.capabilities.voidNeedsCard ? 'capability voidNeedsCard: the card is presented again' : null),
    run: async (subject) => {
      const bench = await Bench.set(subject, { settings: { autopilot: 'off' } });
      const seat = await bench.sit();
      const sold = await soldBefore(bench, seat);
      const paid = await bench.pay(seat, voidOf(sold.paid));
      must(paid.outcome.kind === 'approved', `nobody is there, and the void is ${paid.outcome.kind}`);
      await aftermath(bench, [sold, { paid, allowed: {} }]);
    },
  },
  {
    id: 'capability/abort',
    theme,
    title:
      'capability abort: a payment that waits for its customer is stopped, and a customer who comes later is not charged',
    notFor: withoutAbort,
    run: async (subject) => {
      for (const kind of ['sale', 'refund'] as const) {
        if (kind === 'refund' && !subject.capabilities.refund) continue;
        const bench = await Bench.set(subject, { settings: { autopilot: 'off' } });
        const seat = await bench.sit();
        bench.clock.timer('cancel', 5000, () => seat.session.abort());
        bench.clock.timer('late customer', 20_000, () => bench.press('approve'));
        const began = bench.clock.monotonic();
        const paid = await bench.pay(seat, { ...sale(bench), kind });
        must(paid.outcome.kind === 'aborted', `a ${kind} that was stopped is ${paid.outcome.kind}`);
        must(bench.clock.monotonic() - began < 15_000, 'it was not stopped, it ran out');
        await bench.clock.pass(30_000);
        await aftermath(bench, [{ paid, allowed: {} }]);
      }
    },
  },
  {
    id: 'capability/abort-in-time',
    theme,
    title: 'a cancel at any moment of a payment ends as the ledger says: aborted or approved, never unknown',
    notFor: withoutAbort,
    run: async (subject) => {
      for (let ms = 0; ms <= 1200; ms += 60) {
        const bench = await Bench.set(subject);
        const seat = await bench.sit();
        bench.clock.timer('cancel', ms, () => seat.session.abort());
        const paid = await bench.pay(seat, sale(bench));
        must(
          paid.outcome.kind === 'aborted' || paid.outcome.kind === 'approved',
          `it is ${paid.outcome.kind}`,
        );
        await aftermath(bench, [{ paid, allowed: {} }]);
      }
    },
  },
  {
    id: 'capability/no-abort',
    theme,
    title: 'without the capability abort a cancel writes nothing, and the payment goes on to its end',
    notFor: ({ capabilities: { abort } }) =>
      abort ? 'capability abort: the terminal can be asked to stop' : null,
    run: async (subject) => {
      const { steps } = await record(subject, SALE);
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      for (const ms of [0, 50, 400]) bench.clock.timer('cancel', ms, () => seat.session.abort());
      bench.cable.begin();
      const paid = await bench.pay(seat, sale(bench));
      must(paid.outcome.kind === 'approved', `the payment is ${paid.outcome.kind}`);
      must(bench.cable.steps.length === steps.length, 'a cancel wrote something');
      await aftermath(bench, [{ paid, allowed: {} }]);
    },
  },
  {
    id: 'capability/abort-of-nothing',
    theme,
    title: 'a cancel before, between and after payments writes nothing',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const seat = await bench.sit();
      const from = bench.happenings.length;
      seat.session.abort();
      await bench.clock.pass(10_000);
      must(bench.happenings.length === from, 'a cancel of nothing wrote something');
      const trials: Trial[] = [];
      for (let round = 0; round < 2; round += 1) {
        trials.push({ paid: await bench.pay(seat, sale(bench)), allowed: {} });
        const quiet = bench.happenings.length;
        seat.session.abort();
        await bench.clock.pass(10_000);
        must(bench.happenings.length === quiet, 'a cancel after the end wrote something');
      }
      must(
        trials.every(({ paid }) => paid.outcome.kind === 'approved'),
        'an older cancel stopped a later payment',
      );
      await aftermath(bench, trials);
    },
  },
  {
    id: 'capability/commit-acknowledged',
    theme,
    title:
      'capability commitPoint: acknowledged: an approval whose acknowledgement is lost may be taken back, one whose dialogue was acknowledged to the end stands',
    notFor: ({ capabilities: { commitPoint } }) =>
      commitPoint === 'acknowledged'
        ? null
        : 'capability commitPoint: received: see capability/commit-received',
    run: async (subject) => {
      must(
        (await standsAfterCut(subject, 'result', 'reverse')) === 0,
        'not acknowledged, and not taken back',
      );
      for (const vendor of ['reverse', 'decline', 'keep'] as const)
        must((await standsAfterCut(subject, 'end', vendor)) === 1, 'acknowledged to the end, and taken back');
    },
  },
  {
    id: 'capability/commit-received',
    theme,
    title: 'capability commitPoint: received: an approval stands although nobody acknowledged it',
    notFor: ({ capabilities: { commitPoint } }) =>
      commitPoint === 'received'
        ? null
        : 'capability commitPoint: acknowledged: see capability/commit-acknowledged',
    run: async (subject) => {
      must((await standsAfterCut(subject, 'result', 'keep')) === 1, 'received, and taken back');
    },
  },
];

function withoutAbort({ capabilities: { abort } }: Subject): string | null {
  return abort ? null : 'capability abort: the protocol has no abort; staff press the stop key';
}

async function neverStarted(subject: Subject, kind: 'refund' | 'void'): Promise<void> {
  const bench = await Bench.set(subject);
  const seat = await bench.sit();
  const sold = await soldBefore(bench, seat);
  const command = kind === 'void' ? voidOf(sold.paid) : { ...sale(bench), kind };
  const paid = await bench.pay(seat, command);
  must(paid.outcome.kind === 'not_started', `a ${kind} is ${paid.outcome.kind}`);
  must(tillWords(paid.happenings).length === 0, 'something was written');
  await aftermath(bench, [sold, { paid, allowed: {} }]);
}

/** How much of a sale stands when the line is lost with the arrival of its result, or of its end. */
async function standsAfterCut(
  subject: Subject,
  word: 'result' | 'end',
  missingAcknowledgement: 'reverse' | 'decline' | 'keep',
): Promise<number> {
  const bench = await Bench.set(subject, { settings: { missingAcknowledgement } });
  const seat = await bench.sit();
  let lost = false;
  bench.cable.handle = (step) => {
    const came = step.words.includes(word);
    if (lost || !came) return lost ? LOSE : PASS;
    lost = true;
    return { do: 'cut', after: step.bytes.length, isNoticed: false };
  };
  const paid = await bench.pay(seat, sale(bench));
  must(lost, `the dialogue has no ${word}`);
  await bench.clock.pass(400_000);
  const { length } = entriesOf(paid, bench.ledger).standing;
  await aftermath(bench, [{ paid, allowed: { unknown: true } }]);
  return length;
}
