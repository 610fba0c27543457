import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import type { Scenario } from '../scenario.ts';
import { aftermath, readMark, sale, type Trial } from '../stage/aftermath.ts';
import { Bench, type BenchOptions } from '../stage/bench.ts';
import type { Subject } from '../subject.ts';

const theme = 'capabilities';
/** The customer who is asked adds 10 %. */
const CUSTOMER: BenchOptions = { settings: { tipPercent: 10 } };

/** A terminal that asks its customer for a tip, because a sale says so. */
export const tips: readonly Scenario[] = [
  {
    id: 'capability/tip',
    theme,
    title:
      'capability tip: a sale that says so is charged with the tip, which result and last transaction state; another sale asks nobody',
    notFor: withoutTip,
    run: async (subject) => {
      const bench = await Bench.set(subject, CUSTOMER);
      const seat = await bench.sit();
      const plain: Trial = { paid: await bench.pay(seat, sale(bench)), allowed: {} };
      const command = asking(bench);
      const paid = await bench.pay(seat, command);
      must(paid.outcome.kind === 'approved', `the sale is ${paid.outcome.kind}`);
      const { last } = await readMark(bench, seat, command);
      must(last.kind === 'found', `the last transaction is ${last.kind}`);
      for (const { amountMinor, tipMinor } of [paid.outcome.report, last.report])
        must(
          amountMinor === withTip(subject) && tipMinor === tipOf(subject),
          `it is told as ${amountMinor} with a tip of ${tipMinor}`,
        );
      await aftermath(bench, [plain, { paid, allowed: { amountMinor: withTip(subject) } }]);
    },
  },
  {
    id: 'capability/tip-lost',
    theme,
    title: 'capability tip: a sale with a tip whose result is lost is found again, with its tip',
    notFor: withoutTip,
    run: async (subject) => {
      const bench = await Bench.set(subject, CUSTOMER);
      const seat = await bench.sit();
      const past: Trial = { paid: await bench.pay(seat, sale(bench)), allowed: {} };
      const command = asking(bench);
      const baseline = await readMark(bench, seat, command);
      bench.terminal.inject({ when: 'result', do: 'cut' });
      const paid = await bench.pay(seat, command);
      must(paid.outcome.kind === 'unknown', `the sale is ${paid.outcome.kind}`);
      const allowed = { unknown: true, amountMinor: withTip(subject) };
      await aftermath(bench, [past, { paid, allowed, baseline }]);
    },
  },
  {
    id: 'capability/no-tip',
    theme,
    title: 'without the capability tip nobody is asked for one, whatever the sale says',
    notFor: ({ capabilities }) =>
      capabilities.tip ? 'capability tip: the terminal asks when the sale says so' : null,
    run: async (subject) => {
      const bench = await Bench.set(subject, CUSTOMER);
      const seat = await bench.sit();
      const paid = await bench.pay(seat, asking(bench));
      must(paid.outcome.kind === 'approved', `the sale is ${paid.outcome.kind}`);
      await aftermath(bench, [{ paid, allowed: {} }]);
    },
  },
];

function withoutTip({ capabilities }: Subject): string | null {
  return capabilities.tip ? null : 'capability tip: the protocol has no request for a tip';
}

function asking(bench: Bench): MoneyCommand {
  return { ...sale(bench), kind: 'sale', tip: 'ask' };
}

function tipOf({ amounts }: Subject): number {
  return Math.round(amounts.usual / 10);
}

function withTip(subject: Subject): number {
  return subject.amounts.usual + tipOf(subject);
}
