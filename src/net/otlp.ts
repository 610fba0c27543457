import type { Clock, Timer } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Span, Spans } from '../base/span.ts';
import { traceIdOf } from '../base/trace.ts';
import { type OnePost, postOnce } from './post-once.ts';

/** The limit of waiting spans; further ones are dropped and counted. */
const MOST_WAITING = 512;
const EVERY_MS = 5_000;
const WITHIN_MS = 5_000;
const KINDS = { server: 2, client: 3 } as const;

export interface OtlpDeps {
  /** The collector's endpoint, like `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the status of the answer. */
  readonly post?: (post: OnePost) => Promise<number>;
}

/**
 * Sends spans as OTLP over HTTP, in JSON.
 * Why not the SDK of OpenTelemetry: tilld sends three spans of a payment, each known when it ends, under ids that follow from the payment. For that
 * the SDK and its exporter are ten packages of 24 MB, and 76 ms and 25 MiB of memory where traces are on (measured, versions 3.1 and 0.301).
 *
 * INVARIANTS:
 * - no caller waits for it, and no failure of it reaches a caller;
 * - never more than 512 spans wait, one post runs at a time, and each span is sent once or not at all;
 * - dropped spans are counted, and the count is logged with the next successful post.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export class OtlpSpans implements Spans {
  readonly #parts: Required<OtlpDeps>;
  readonly #stopping = new AbortController();
  #waiting: Span[] = [];
  #timer: Timer | null = null;
  #dropped = 0;
  #isDown = false;

  constructor(deps: OtlpDeps) {
    this.#parts = { post: toTheCollector, ...deps };
  }

  ended(span: Span): void {
    if (span.of.trace?.sampled === false || this.#stopping.signal.aborted) return;
    if (this.#waiting.length >= MOST_WAITING) this.#dropped += 1;
    else this.#waiting.push(span);
    this.#timer ??= this.#parts.clock.timer('spans', EVERY_MS, () => void this.#send());
  }

  /** Waiting spans are lost: no stop waits for a collector. */
  stop(): void {
    this.#stopping.abort(new AppError('STOPPED', 'tilld stops'));
    this.#timer?.stop();
    this.#timer = null;
  }

  async #send(): Promise<void> {
    const spans = this.#waiting;
    this.#waiting = [];
    try {
      await this.#post(JSON.stringify(documentOf(spans, this.#parts.version)));
      this.#taken();
    } catch (error) {
      this.#lost(spans.length, error);
    }
    this.#timer = null;
    if (this.#waiting.length > 0 && !this.#stopping.signal.aborted)
      this.#timer = this.#parts.clock.timer('spans', EVERY_MS, () => void this.#send());
  }

  async #post(body: string): Promise<void> {
    const { endpoint: url, post } = this.#parts;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(WITHIN_MS)]);
    const status = await post({ url, headers: { 'content-type': 'application/json' }, body, signal });
    if (status >= 300) throw new AppError('TRACING_REFUSED', `the answer was ${status}`);
  }

  #taken(): void {
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (this.#isDown || dropped > 0) this.#parts.log.info({ dropped }, 'traces are taken again');
    this.#isDown = false;
  }

  #lost(spans: number, error: unknown): void {
    this.#dropped += spans;
    if (!this.#isDown && !this.#stopping.signal.aborted)
      this.#parts.log.warn({ error: messageOf(error) }, 'traces are not taken: they are dropped');
    this.#isDown = true;
  }
}

function documentOf(spans: readonly Span[], version: string) {
  const resource = { attributes: attributesOf({ 'service.name': 'tilld', 'service.version': version }) };
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'tilld' }, spans: spans.map(spanOf) }] }],
  };
}

function spanOf({ of, id, parent, kind, name, startedAt, endedAt, facts }: Span) {
  return {
    traceId: traceIdOf(of),
    spanId: id,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(Math.max(startedAt, endedAt)),
    attributes: attributesOf({ 'tilld.payment': of.id, ...facts }),
  };
}

function attributesOf(facts: Readonly<Record<string, string | number>>) {
  return Object.entries(facts).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** OTLP's JSON form: a 64-bit number is text. */
function nanos(at: number): string {
  return `${Math.round(at)}000000`;
}

/** The operator names the collector: it may be anywhere. */
function toTheCollector(post: OnePost): Promise<number> {
  return postOnce(post, () => true);
}
