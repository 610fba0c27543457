import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { FAMILIES, type Family, type FamilyName, type Sample } from './families.ts';

/** Upper bounds in s: a contactless sale takes 3, a PIN and a slow line 30, a customer who hesitates 120. */
const BOUNDS_S = [1, 2, 5, 10, 20, 30, 60, 120, 300];

const FAMILY_NAMES = Object.keys(FAMILIES).filter((name): name is FamilyName => name in FAMILIES);
const GAUGE_NAMES = FAMILY_NAMES.filter((name) => FAMILIES[name].type === 'gauge');

/** Every metric of tilld, in a registry of its own, without the default metrics of prom-client. Counters and the histogram are counted up; gauges are read when they are requested. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #gauges: ReadonlyMap<string, Gauge>;
  readonly payments: Counter<'type' | 'outcome'>;
  readonly paymentSeconds: Histogram;
  readonly syncRuns: Counter<'provider' | 'resource' | 'outcome'>;
  readonly syncFailures: Counter<'provider' | 'resource' | 'cause' | 'status'>;
  readonly providerWebhooks: Counter<'provider' | 'outcome'>;

  constructor() {
    this.#gauges = new Map(GAUGE_NAMES.map((name) => [name, new Gauge(this.#configOf(name))]));
    this.payments = new Counter(this.#configOf('tilld_payments_total'));
    this.paymentSeconds = new Histogram({ ...this.#configOf('tilld_payment_seconds'), buckets: BOUNDS_S });
    this.syncRuns = new Counter(this.#configOf('tilld_sync_runs_total'));
    this.syncFailures = new Counter(this.#configOf('tilld_sync_failures_total'));
    this.providerWebhooks = new Counter(this.#configOf('tilld_provider_webhooks_total'));
  }

  /** The Prometheus text; a family without a value is not in it. @param samples every gauge as it is now */
  async text(samples: readonly Sample[]): Promise<string> {
    for (const gauge of this.#gauges.values()) {
      gauge.reset();
      // A gauge without labels would be 0 where nothing is known.
      gauge.remove({});
    }
    for (const { name, labels = {}, value } of samples) this.#gauges.get(name)?.set(labels, value);
    return (await Promise.all(FAMILY_NAMES.map((name) => this.#familyText(name)))).join('');
  }

  async #familyText(name: FamilyName): Promise<string> {
    const metric = await this.#registry.getSingleMetric(name)?.get();
    if (!metric || metric.values.length === 0) return '';
    // prom-client writes "Nan"; the text format has "NaN".
    return `${await this.#registry.getSingleMetricAsString(name)}\n`.replaceAll(/ Nan$/gm, ' NaN');
  }

  #configOf<Name extends FamilyName>(name: Name) {
    const { help, labels = [] }: Family = FAMILIES[name];
    return { name, help, labelNames: labels, registers: [this.#registry] };
  }
}
