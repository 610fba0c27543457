/** A payment as plain data, with the words of the interface. */
export interface CountedPayment {
  readonly created: number;
  readonly device: string;
  readonly kind: 'sale' | 'refund' | 'void';
  readonly end: 'succeeded' | 'declined' | 'open';
  readonly currency: string;
  readonly asked: number;
  /** What the terminal reported; null: no amount. */
  readonly approved: number | null;
  readonly tip: number | null;
  readonly scheme: string | null;
  /** Index of the sale of a refund or void; null: none. */
  readonly of: number | null;
}

export interface Recount {
  readonly open: number;
  /** By `CURRENCY`, `CURRENCY terminal ID`, `CURRENCY scheme NAME`, `CURRENCY hour LABEL`. */
  readonly sums: ReadonlyMap<string, Recounted>;
}

/** Sales, refunds, voids as `count/amount`; what is left of them; tips of sales without those that were voided. */
export type Recounted = readonly [
  sales: string,
  refunds: string,
  voids: string,
  net: number,
  tips: number | null,
];

/** `2026-03-29 03 GMT+2`: the wall clock's hour, and its distance from UTC, so that an hour that comes twice is two. */
export function hourLabel(at: number, zone: Intl.DateTimeFormat): string {
  const words = zone.formatToParts(at);
  const of = (type: string) => words.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')} ${of('timeZoneName')}`;
}

export function zoneOf(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  });
}

/** Recounts a day from a list of everything, group by group, each from the beginning. */
export function recount(
  payments: readonly CountedPayment[],
  day: string,
  zone: Intl.DateTimeFormat,
): Recount {
  const today = payments
    .map((payment) => ({
      ...payment,
      hour: hourLabel(payment.created, zone),
      kept: keptTip(payment, payments),
    }))
    .filter(({ hour }) => hour.startsWith(`${day} `));
  const schemeOf = (one: CountedPayment) =>
    (one.scheme ?? (one.of === null ? null : payments[one.of]?.scheme) ?? '').toLowerCase();
  const sums = new Map<string, Recounted>();
  type Counted = (typeof today)[number];
  for (const one of today.filter(({ end }) => end === 'succeeded')) {
    const groups: [string, (other: Counted) => boolean][] = [
      [one.currency, () => true],
      [`${one.currency} terminal ${one.device}`, ({ device }) => device === one.device],
      [`${one.currency} scheme ${schemeOf(one)}`, (other) => schemeOf(other) === schemeOf(one)],
      [`${one.currency} hour ${one.hour}`, ({ hour }) => hour === one.hour],
    ];
    for (const [name, isIn] of groups.filter(([name]) => !sums.has(name)))
      sums.set(
        name,
        sumsOf(
          today.filter(
            (other) => other.end === 'succeeded' && other.currency === one.currency && isIn(other),
          ),
        ),
      );
  }
  return { open: today.filter(({ end }) => end === 'open').length, sums };
}

/** What staff keep of a sale's tip, and lose by a void of it; null: nothing is known of one. */
function keptTip({ kind, tip, of }: CountedPayment, all: readonly CountedPayment[]): number | null {
  if (kind === 'sale') return tip;
  const given = kind === 'void' && of !== null ? all[of]?.tip : null;
  return given === null || given === undefined ? null : 0 - given;
}

function sumsOf(payments: readonly (CountedPayment & { readonly kept: number | null })[]): Recounted {
  const totals = { sale: 0, refund: 0, void: 0 };
  const counts = { sale: 0, refund: 0, void: 0 };
  let tips: number | null = null;
  for (const { kind, approved, asked, kept } of payments) {
    counts[kind] += 1;
    totals[kind] += approved === null ? asked : approved;
    if (kept !== null) tips = kept + (tips === null ? 0 : tips);
  }
  return [
    `${counts.sale}/${totals.sale}`,
    `${counts.refund}/${totals.refund}`,
    `${counts.void}/${totals.void}`,
    totals.sale - totals.refund - totals.void,
    tips,
  ];
}
