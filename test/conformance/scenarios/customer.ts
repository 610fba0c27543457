import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import type { MoneyCommand, Outcome } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import { type Dialogue, REFUND, SALE, VOID } from '../dialogues.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, closeSeat, sale, type Trial } from '../stage/aftermath.ts';
import { Bench, type BenchOptions } from '../stage/bench.ts';
import type { ObserverHabits } from '../stage/observer.ts';
import type { Subject } from '../subject.ts';

const theme = 'money';
/** Amounts whose digits are control bytes of the protocols (02, 03, 04, 05, 06, 10, 15), and runs of them. */
const TRICKY = [
  2, 3, 4, 5, 6, 10, 15, 16, 100, 203, 606, 1002, 1003, 1010, 1015, 1515, 60_610, 101_010, 160_310,
];

/** What customers do, and what must come of it. */
const CUSTOMERS: readonly (readonly [id: string, words: string, keys: readonly Key[], Outcome['kind']])[] = [
  ['approves', 'approves', ['approve'], 'approved'],
  ['declined', 'is declined', ['decline'], 'declined'],
  ['aborts', 'presses stop', ['abort'], 'aborted'],
  ['second-try', 'types a wrong PIN and then the right one', ['wrong_pin', 'approve'], 'approved'],
  ['wrong-pins', 'types three wrong PINs', ['wrong_pin', 'wrong_pin', 'wrong_pin'], 'declined'],
  ['pin-then-stop', 'types a wrong PIN and presses stop', ['wrong_pin', 'abort'], 'aborted'],
];

export const customer: readonly Scenario[] = [
  ...[SALE, REFUND].flatMap((dialogue) =>
    CUSTOMERS.map(
      ([id, words, keys, outcome]): Scenario => ({
        id: `money/${dialogue.name}-${id}`,
        theme,
        title: `a ${dialogue.name} whose customer ${words} is ${outcome}, and the ledger says so`,
        notFor: dialogue.notFor,
        run: async (subject) => {
          const bench = await Bench.set(subject);
          await dialogueWith(bench, dialogue, keys, reportedAs(subject, outcome));
        },
      }),
    ),
  ),
  {
    id: 'money/walks-away',
    theme,
    title: 'a customer who walks away is never charged, and the driver says no earlier than the terminal',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      await dialogueWith(bench, SALE, ['walk_away'], reportedAs(subject, 'aborted'));
    },
  },
  {
    id: 'money/stored-declines',
    theme,
    title: 'declines that the terminal stores and counts are declines',
    notFor: ({ withoutHabit }) => withoutHabit.storesDeclined ?? null,
    run: async (subject) => {
      const bench = await Bench.set(subject, { habits: { storesDeclined: true } });
      await dialogueWith(bench, SALE, ['decline'], 'declined');
    },
  },
  {
    id: 'money/amounts',
    theme,
    title:
      'every amount is charged to the unit: the least, the largest, and those whose digits are control bytes',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const { least } = subject.amounts;
      const most = subject.manifest.maxAmountMinor;
      const amounts = [least, ...TRICKY.filter((minor) => minor > least), most - 1, most];
      await payAll(
        bench,
        amounts.map((minor) => sale(bench, minor)),
      );
    },
  },
  {
    id: 'money/one-after-the-other',
    theme,
    title: 'ten sales in one conversation are ten charges',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      await payAll(
        bench,
        Array.from({ length: 10 }, (_, index) => sale(bench, 1000 + index)),
      );
    },
  },
  {
    id: 'money/a-link-each',
    theme,
    title: 'five sales over five links are five charges',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const trials: Trial[] = [];
      for (let index = 0; index < 5; index += 1) {
        const seat = await bench.sit();
        trials.push({ paid: await bench.pay(seat, sale(bench, 1000 + index)), allowed: {} });
        await closeSeat(bench, seat);
      }
      await aftermath(bench, trials);
    },
  },
  {
    id: 'money/less',
    theme,
    title: 'a payment that is approved for less is reported at what it is',
    run: (subject) => otherAmount(subject, -234),
  },
  {
    id: 'money/more',
    theme,
    title: 'a payment that is approved for more is reported at what it is',
    run: (subject) => otherAmount(subject, 200),
  },
  {
    id: 'money/wrong-currency',
    theme,
    title: 'another currency than that of the terminal is not started, and no byte is written',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      const currency = subject.currency === 'EUR' ? 'CHF' : 'EUR';
      await notStarted(bench, { ...sale(bench), amount: { minor: 1234, currency } });
    },
  },
  {
    id: 'money/nothing',
    theme,
    title: 'an amount of nothing is not started, and no byte is written',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      await notStarted(bench, sale(bench, 0));
    },
  },
  {
    id: 'money/too-much',
    theme,
    title: 'an amount that the protocol cannot carry is not started, and no byte is written',
    run: async (subject) => {
      const bench = await Bench.set(subject);
      await notStarted(bench, sale(bench, subject.manifest.maxAmountMinor + 1));
    },
  },
  ...(['accepted', 'beforeAcknowledge', 'beforeEnd'] as const).flatMap((call): readonly Scenario[] => [
    refused(call, 'refuses', { refuses: call }),
    refused(call, 'throws', { throwsIn: call }),
  ]),
  {
    id: 'money/slow-disk',
    theme,
    title:
      'an approval that is stored only when the terminal no longer waits is not acknowledged: the outcome is unknown',
    notFor: ({ capabilities }) =>
      capabilities.commitPoint === 'acknowledged'
        ? null
        : 'capability commitPoint: received: the acknowledgement decides nothing',
    run: async (subject) => {
      const slow = subject.times.acknowledgeMs + 500;
      for (const dialogue of [SALE, REFUND, VOID].filter(({ notFor }) => notFor(subject) === null)) {
        const bench = await Bench.set(subject, { settings: { missingAcknowledgement: 'keep' } });
        const inside = (call: string) => {
          if (call === 'beforeAcknowledge') bench.clock.stall(slow);
        };
        const { seat, past, mark, command } = await begun(bench, dialogue);
        const paid = await bench.pay(seat, command, { inside });
        must(
          paid.outcome.kind === 'unknown',
          `a ${dialogue.name} acknowledged too late is ${paid.outcome.kind}`,
        );
        const stored = paid.happenings.findIndex(
          (one) => one.kind === 'observer' && one.call === 'beforeAcknowledge',
        );
        must(
          !paid.happenings.slice(stored).some(({ kind }) => kind === 'wrote'),
          'something was written although the terminal no longer waited for it',
        );
        await aftermath(bench, [...past, { paid, allowed: { unknown: true }, ...mark }]);
      }
    },
  },
];

/** Protocols with one word for both call a payment that was stopped a declined one. */
function reportedAs({ stopped }: Subject, outcome: Outcome['kind']): Outcome['kind'] {
  return outcome === 'aborted' ? (stopped?.outcome ?? outcome) : outcome;
}

async function dialogueWith(
  bench: Bench,
  dialogue: Dialogue,
  keys: readonly Key[],
  outcome: Outcome['kind'],
): Promise<void> {
  const { seat, past, mark, command } = await begun(bench, dialogue);
  bench.press(...keys);
  const paid = await bench.pay(seat, command);
  must(paid.outcome.kind === outcome, `the outcome is ${paid.outcome.kind}, not ${outcome}`);
  await aftermath(bench, [...past, { paid, allowed: {}, ...mark }]);
}

/** Everything up to a money command, and the command. */
async function begun(bench: Bench, dialogue: Dialogue) {
  const { seat, past, baseline, command } = await dialogue.prepare(bench);
  must(seat !== undefined && command !== undefined, `${dialogue.name} is not about money`);
  return { seat, past, command, mark: baseline ? { mark: baseline } : {} };
}

async function payAll(bench: Bench, commands: readonly MoneyCommand[]): Promise<void> {
  const seat = await bench.sit();
  const trials: Trial[] = [];
  for (const command of commands) {
    const paid = await bench.pay(seat, command);
    must(
      paid.outcome.kind === 'approved',
      `a sale of ${command.amount.minor} is ${paid.outcome.kind}${'message' in paid.outcome ? `: ${paid.outcome.message}` : ''}`,
    );
    trials.push({ paid, allowed: {} });
  }
  await aftermath(bench, trials);
}

async function otherAmount(subject: Subject, difference: number): Promise<void> {
  const bench = await Bench.set(subject);
  const seat = await bench.sit();
  const amountMinor = subject.amounts.usual + difference;
  bench.terminal.nextAmount(amountMinor, difference > 0 ? { tipMinor: difference } : {});
  const paid = await bench.pay(seat, sale(bench));
  must(paid.outcome.kind === 'approved', `the outcome is ${paid.outcome.kind}`);
  await aftermath(bench, [{ paid, allowed: { amountMinor } }]);
}

/** `execute` resolves without having written a byte. */
export async function notStarted(bench: Bench, command: MoneyCommand): Promise<void> {
  const seat = await bench.sit();
  const paid = await bench.pay(seat, command);
  must(paid.outcome.kind === 'not_started', `the outcome is ${paid.outcome.kind}`);
  must(!paid.happenings.some(({ kind }) => kind === 'wrote'), 'something was written');
  await aftermath(bench, [{ paid, allowed: {} }]);
}

function refused(call: string, words: string, habits: ObserverHabits): Scenario {
  return {
    id: `money/core-${words}-${call}`,
    theme,
    title: `when the core ${words} in ${call}, nothing more is answered, execute resolves unknown and throws nothing`,
    run: async (subject) => {
      for (const missingAcknowledgement of ['reverse', 'decline', 'keep'] as const)
        for (const dialogue of [SALE, REFUND, VOID].filter(({ notFor }) => notFor(subject) === null))
          await refusedIn(subject, dialogue, habits, { settings: { missingAcknowledgement } });
    },
  };
}

async function refusedIn(
  subject: Subject,
  dialogue: Dialogue,
  habits: ObserverHabits,
  options: BenchOptions,
): Promise<void> {
  const bench = await Bench.set(subject, options);
  const { seat, past, mark, command } = await begun(bench, dialogue);
  const from = bench.happenings.length;
  const paid = await bench.pay(seat, command, habits);
  must(paid.outcome.kind === 'unknown', `a ${command.kind} that could not be stored is ${paid.outcome.kind}`);
  await bench.clock.pass(subject.times.longestMs);
  const no = bench.happenings.findIndex(
    (one, index) => index >= from && one.kind === 'observer' && one.answer !== true,
  );
  must(no >= 0, 'the call never came');
  const answered = bench.happenings
    .slice(no)
    .some((one) => one.kind === 'wrote' && one.packets.some(({ word }) => word === 'acknowledgement'));
  must(!answered, 'the terminal was answered all the same');
  await aftermath(bench, [...past, { paid, allowed: { unknown: true }, ...mark }]);
}
