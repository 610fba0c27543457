import type { Totals } from '../../terminal/ports.ts';
import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { BatchSums, OurTotals } from './settlement.ts';

/**
 * What the sums of a closed day say. `day_not_whole`: they differ, and tilld does not know when the day began at the terminal.
 * `no_sum`: the terminal reported none.
 */
export type ComparisonVerdict = 'agrees' | 'differs' | 'day_not_whole' | 'no_sum';

/** The terminal's figure beside ours: minor units, of `count` transactions. `difference`: terminal less ours. */
export interface ComparedLine {
  readonly what: 'sum' | 'count' | 'scheme';
  /** Of a `scheme`, as the terminal names it; else null. */
  readonly scheme: string | null;
  /** null: not reported. */
  readonly terminal: number | null;
  readonly ours: number;
  readonly difference: number | null;
}

export interface Comparison {
  readonly verdict: ComparisonVerdict;
  readonly lines: readonly ComparedLine[];
}

/**
 * The terminal's totals beside ours, line by line; pure. The sum alone decides: terminals count and name differently.
 * @param dayIsWhole our database holds every payment of this day of the terminal that went through tilld
 */
export function compareTotals(totals: Totals | null, ours: OurTotals, dayIsWhole: boolean): Comparison {
  const { amountMinor, count, byScheme = [] } = totals ?? {};
  const transactions = ours.sales.count + ours.refunds.count;
  const counts = [transactions + ours.voids.count, transactions - ours.voids.count];
  return {
    verdict: verdictOf(totals, ours, dayIsWhole),
    lines: [
      lineOf('sum', null, amountMinor ?? null, netsOf(ours)),
      lineOf('count', null, count ?? null, counts),
      ...schemeLines(byScheme, ours.byScheme ?? []),
    ],
  };
}

function verdictOf(totals: Totals | null, ours: OurTotals, dayIsWhole: boolean): ComparisonVerdict {
  if (totals?.amountMinor === undefined) return 'no_sum';
  if (agrees(totals, ours)) return 'agrees';
  return dayIsWhole ? 'differs' : 'day_not_whole';
}

/** Sums of the attempts that succeeded, as our database has them. */
export function ourTotals(attempts: readonly Attempt[]): OurTotals {
  const schemeOfId = new Map(attempts.map(({ id, report }) => [id, report?.cardScheme]));
  const schemeOf = ({ report, parentId }: Attempt) =>
    report?.cardScheme ?? (parentId === null ? undefined : schemeOfId.get(parentId)) ?? '';
  const schemes = [...new Set(attempts.map(schemeOf))];
  return {
    ...sumsOf(attempts),
    byScheme: schemes.map((scheme) => ({
      scheme,
      ...sumsOf(attempts.filter((attempt) => schemeOf(attempt) === scheme)),
    })),
  };
}

function sumsOf(attempts: readonly Attempt[]): BatchSums {
  const sumOf = (type: Attempt['type']) => {
    const these = attempts.filter((attempt) => attempt.type === type);
    return { count: these.length, amountMinor: these.reduce((sum, one) => sum + approvedMinor(one), 0) };
  };
  const [sales, refunds, voids] = [sumOf('sale'), sumOf('refund'), sumOf('void')];
  return { sales, refunds, voids, netMinor: sales.amountMinor - refunds.amountMinor - voids.amountMinor };
}

/** Whether the terminal's sum equals ours. */
export function agrees(totals: Totals, ours: BatchSums): boolean {
  return netsOf(ours).some((net) => net === totals.amountMinor);
}

/** Terminals differ in whether refunds count against the sum. */
function netsOf({ netMinor, sales, voids }: BatchSums): readonly number[] {
  return [netMinor, sales.amountMinor - voids.amountMinor];
}

/** @param ours what ours may be, as terminals count in more than one way: the one that agrees, else the first */
function lineOf(
  what: ComparedLine['what'],
  scheme: string | null,
  terminal: number | null,
  ours: readonly number[],
): ComparedLine {
  const own = ours.find((one) => one === terminal) ?? ours[0] ?? 0;
  return { what, scheme, terminal, ours: own, difference: terminal === null ? null : terminal - own };
}

/** Of each scheme that the terminal names, and of ours that it does not; none where it names no scheme. */
function schemeLines(
  theirs: NonNullable<Totals['byScheme']>,
  ours: NonNullable<OurTotals['byScheme']>,
): readonly ComparedLine[] {
  if (theirs.length === 0 || ours.length === 0) return [];
  const placed = ours.map((one) => ({
    one,
    name: theirs.find(({ scheme }) => isSame(scheme, one.scheme))?.scheme,
  }));
  const rest = theirs.find(({ scheme }) => lettersOf(scheme) === 'other')?.scheme;
  const named = theirs.map(({ scheme, amountMinor }) => {
    const these = placed.filter(({ name }) => (name ?? rest) === scheme).map(({ one }) => netsOf(one));
    return lineOf(
      'scheme',
      scheme,
      amountMinor,
      [0, 1].map((way) => sum(these.map((nets) => nets[way] ?? 0))),
    );
  });
  const unnamed = placed.filter(({ name }) => name === undefined && rest === undefined);
  return [...named, ...unnamed.map(({ one }) => lineOf('scheme', one.scheme, 0, netsOf(one)))];
}

/** Two names of which one contains the other: `VISA` and `Visa Debit` are one scheme. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
