import { judgeMonth, type Sold } from './judge-month.ts';
import type { Month, MonthOptions } from './play-month.ts';
import { playMonth } from './play-month.ts';

/** What must hold; see the README beside this. */
const BARS = { p50Ms: 1500, p99Ms: 4000, exceededPercent: 1, idlePercent: 1 };

/** The last line of a run, field by field. */
export interface MonthFigure {
  /** Sold in all: in the month, and while the backlog was reported. */
  readonly payments: number;
  readonly lost: number;
  readonly doubled: number;
  /** Keys first used over 23 h ago that were used without a look-up right before; those with one are `keys_old`. */
  readonly keys_reused_old: number;
  readonly keys_old: number;
  readonly echoes_run: number;
  /** From the end of a live payment to the service having its result, ms of simulated time. */
  readonly live: { readonly count: number; readonly p50_ms: number; readonly p99_ms: number };
  /** While reports were pending and the service was there: `granted` by the rate alone; `idle_percent` of it was not used. */
  readonly budget: {
    readonly granted: number;
    readonly used: number;
    readonly exceeded_percent: number;
    readonly idle_percent: number;
    readonly longest_idle_ms: number;
  };
  /** From the return of the service until nothing of the month was pending, outages in between included. */
  readonly drained_in_h: number;
  readonly wall_ms: number;
  /** Bars that were missed and rules that were broken, in words. */
  readonly failures: readonly string[];
}

/** Plays the month and holds it against its bars. */
export async function monthFigure(options: MonthOptions): Promise<MonthFigure> {
  const startedAt = performance.now();
  const month = await playMonth(options);
  const waits: number[] = [];
  const judged = judgeMonth(month.database, month.ledger.payments, (sold) => {
    if (sold.createdAt >= month.liveFrom) waits.push(waitOf(month, sold));
  });
  month.database.close();
  waits.sort((a, b) => a - b);
  const { granted, used, exceededPercent, idlePercent, longestIdleMs } = month.gauge.use;
  const figure = {
    payments: judged.attempts,
    lost: judged.lost.length,
    doubled: judged.doubled.length + Math.max(0, month.charged - judged.succeeded),
    keys_reused_old: month.accusations.filter((text) => text.endsWith('without a look-up')).length,
    keys_old: month.service.watch.lateKeys,
    echoes_run: judged.echoesRun,
    live: { count: waits.length, p50_ms: percentile(waits, 0.5), p99_ms: percentile(waits, 0.99) },
    budget: {
      granted: Math.round(granted),
      used,
      exceeded_percent: exceededPercent,
      idle_percent: idlePercent,
      longest_idle_ms: Math.round(longestIdleMs),
    },
    drained_in_h: Math.round(month.drainedInMs / 36_000) / 100,
  };
  const failures = [
    ...missed(figure),
    ...(judged.rowsLeft > 0 ? [`${judged.rowsLeft} reports are still owed or wait for a person`] : []),
    ...(month.charged === judged.succeeded
      ? []
      : [`${month.charged} were charged, ${judged.succeeded} are booked`]),
    ...[...judged.lost, ...judged.doubled, ...month.accusations].slice(0, 20),
  ];
  return { ...figure, wall_ms: Math.round(performance.now() - startedAt), failures };
}

function missed(figure: Omit<MonthFigure, 'wall_ms' | 'failures'>): readonly string[] {
  const { lost, doubled, keys_reused_old, keys_old, echoes_run, live, budget } = figure;
  const bars: readonly [name: string, value: number, most: number][] = [
    ['lost', lost, 0],
    ['doubled', doubled, 0],
    ['keys_reused_old', keys_reused_old, 0],
    ['echoes_run', echoes_run, 0],
    ['live.p50_ms', live.p50_ms, BARS.p50Ms],
    ['live.p99_ms', live.p99_ms, BARS.p99Ms],
    ['budget.exceeded_percent', budget.exceeded_percent, BARS.exceededPercent],
    ['budget.idle_percent', budget.idle_percent, BARS.idlePercent],
  ];
  const over = bars.flatMap(([name, value, most]) =>
    value <= most ? [] : [`${name} is ${value}, at most ${most} is allowed`],
  );
  const proved = keys_old > 0 && live.count > 0;
  return proved ? over : [...over, 'no old key and no live payment: the run proves nothing of them'];
}

/** Ms from the end of a live payment to the service having its result; infinite when it never had it. */
function waitOf({ gauge, epoch }: Month, { serviceId, completedAt }: Sold): number {
  const tookAt = gauge.tookResultAt.get(serviceId);
  return tookAt === undefined || completedAt === null
    ? Number.POSITIVE_INFINITY
    : epoch + tookAt - completedAt;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
