import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { type AgentCounts, countAgents } from './count-agents.ts';

/** Upper bounds in s. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The agents of the whole database are counted so often at most. */
const COUNT_EVERY_MS = 30_000;

export interface HubMetricsDeps {
  readonly database: Database;
  /** Epoch ms. */
  readonly now: () => number;
}

export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What Prometheus reads of one hub: requests and entries of this process, and the agents of the database, which every hub of it counts alike. */
export class HubMetrics {
  readonly #deps: HubMetricsDeps;
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'tillhub_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'tillhub_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: BOUNDS_S,
    registers: [this.#registry],
  });
  readonly #entries = new Counter({
    name: 'tillhub_journal_entries_total',
    help: 'Journal entries that were stored, each once.',
    registers: [this.#registry],
  });
  readonly #messages = new Counter({
    name: 'tillhub_alert_messages_total',
    help: 'Attempts to send a message of an alert: delivered, failed.',
    labelNames: ['outcome'],
    registers: [this.#registry],
  });
  readonly #agents = new Gauge({
    name: 'tillhub_agents',
    help: 'Agents by state: reporting (seen within 3 minutes), silent, quarantined, revoked.',
    labelNames: ['state'],
    registers: [this.#registry],
  });
  readonly #database = new Gauge({
    name: 'tillhub_database_up',
    help: '1 when PostgreSQL answered when the agents were last counted.',
    registers: [this.#registry],
  });
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: HubMetricsDeps) {
    this.#deps = deps;
  }

  /** A request was answered. `route`: as it is registered, so that no id and no name becomes a label. */
  answered({ method, route, status, seconds }: Answered): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ method, route }, seconds);
  }

  stored(entries: number): void {
    this.#entries.inc(entries);
  }

  /** Of one attempt at several messages of alerts. */
  sent({ delivered, failed }: { readonly delivered: number; readonly failed: number }): void {
    this.#messages.inc({ outcome: 'delivered' }, delivered);
    this.#messages.inc({ outcome: 'failed' }, failed);
  }

  /** The text that Prometheus reads, and its media type. */
  async read(): Promise<{ readonly text: string; readonly mediaType: string }> {
    await this.#count();
    return { text: await this.#registry.metrics(), mediaType: this.#registry.contentType };
  }

  async #count(): Promise<void> {
    const { database, now } = this.#deps;
    if (now() - this.#countedAt < COUNT_EVERY_MS) return;
    this.#countedAt = now();
    this.#agents.reset();
    const counts = await countAgents(database, now()).catch((): AgentCounts | null => null);
    this.#database.set(counts === null ? 0 : 1);
    for (const [state, count] of Object.entries(counts ?? {})) this.#agents.set({ state }, count);
  }
}
