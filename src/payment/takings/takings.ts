import type { Currency } from '../../base/money.ts';
import type { ShopDay } from '../../base/shop-day.ts';
import type { Taking, TakingsSource } from './taking.ts';

/** Sums of what succeeded, in minor units of one currency. */
export interface Sums {
  readonly sales: CountedSum;
  readonly refunds: CountedSum;
  readonly voids: CountedSum;
  /** Tips of the sales less those of the voids; null: no terminal reported one. */
  readonly tipsMinor: number | null;
  /** Sales less refunds less voids. */
  readonly netMinor: number;
}

interface CountedSum {
  readonly count: number;
  readonly amountMinor: number;
}

/** The takings of a day in one currency; amounts of two are never added. */
export interface CurrencyTakings {
  readonly currency: Currency;
  readonly total: Sums;
  readonly terminals: readonly (Sums & { readonly deviceId: string })[];
  /** `scheme` null: the terminal did not report one. */
  readonly schemes: readonly (Sums & { readonly scheme: string | null })[];
  /** One for each hour of the day, in their order; `at`: its start, epoch ms. */
  readonly hours: readonly (Sums & { readonly at: number })[];
}

export interface DayTakings {
  readonly day: ShopDay;
  /** Attempts of the day without an outcome: the sums may still change. */
  readonly open: number;
  readonly currencies: readonly CurrencyTakings[];
}

/**
 * Adds up the payments of a day.
 * @param yieldToPayments lets other work of the process run; called after each page
 * @throws STORAGE_FAILED
 */
export async function takingsOf(
  day: ShopDay,
  source: TakingsSource,
  yieldToPayments: () => Promise<unknown>,
): Promise<DayTakings> {
  const byCurrency = new Map<Currency, CurrencySums>();
  let open = 0;
  for (const page of source.pages(day)) {
    for (const taking of page) {
      if (taking.outcome === 'open') open += 1;
      else kept(byCurrency, taking.currency, () => new CurrencySums(day)).add(taking);
    }
    await yieldToPayments();
  }
  const currencies = [...byCurrency]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sums]) => ({ currency, ...sums.sums() }));
  return { day, open, currencies };
}

/** A day without takings in this currency. */
export function noTakings(currency: Currency, day: ShopDay): CurrencyTakings {
  return { currency, ...new CurrencySums(day).sums() };
}

/** The day in one currency while it is added up. */
class CurrencySums {
  readonly #total = new Adder();
  readonly #terminals = new Map<string, Adder>();
  readonly #schemes = new Map<string, { readonly scheme: string | null; readonly adder: Adder }>();
  readonly #hours: readonly { readonly at: number; readonly adder: Adder }[];

  constructor({ hours }: ShopDay) {
    this.#hours = hours.map((at) => ({ at, adder: new Adder() }));
  }

  add(taking: Taking): void {
    const { deviceId, scheme } = taking;
    this.#total.add(taking);
    kept(this.#terminals, deviceId, () => new Adder()).add(taking);
    // Terminals write one scheme in more than one way.
    kept(this.#schemes, scheme?.toLowerCase() ?? '', () => ({ scheme, adder: new Adder() })).adder.add(
      taking,
    );
    this.#hours.findLast(({ at }) => at <= taking.at)?.adder.add(taking);
  }

  sums(): Omit<CurrencyTakings, 'currency'> {
    return {
      total: this.#total.sums(),
      terminals: [...this.#terminals]
        .map(([deviceId, adder]) => ({ deviceId, ...adder.sums() }))
        .toSorted(byNet),
      schemes: [...this.#schemes.values()]
        .map(({ scheme, adder }) => ({ scheme, ...adder.sums() }))
        .toSorted(byNet),
      hours: this.#hours.map(({ at, adder }) => ({ at, ...adder.sums() })),
    };
  }
}

class Adder {
  readonly #of = {
    sale: { count: 0, amountMinor: 0 },
    refund: { count: 0, amountMinor: 0 },
    void: { count: 0, amountMinor: 0 },
  };
  #tipsMinor: number | null = null;

  add({ type, amountMinor, tipMinor }: Taking): void {
    this.#of[type].count += 1;
    this.#of[type].amountMinor += amountMinor;
    if (tipMinor !== null)
      this.#tipsMinor = (this.#tipsMinor ?? 0) + (type === 'void' ? -tipMinor : tipMinor);
  }

  sums(): Sums {
    const { sale, refund, void: voided } = this.#of;
    return {
      sales: { ...sale },
      refunds: { ...refund },
      voids: { ...voided },
      tipsMinor: this.#tipsMinor,
      netMinor: sale.amountMinor - refund.amountMinor - voided.amountMinor,
    };
  }
}

/** The greatest first. */
function byNet(one: Sums, other: Sums): number {
  return other.netMinor - one.netMinor;
}

function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
