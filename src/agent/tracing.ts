import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Spans } from '../base/span.ts';
import { requestSpanOf, spanOf } from '../base/trace.ts';
import type { Config } from '../config/schema.ts';
import { OtlpSpans } from '../net/otlp.ts';
import type { PaymentEvent, Payments } from '../payment/payments.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

const ENDED = /\.(succeeded|declined|cancelled|error)$/;

export interface TracingDeps {
  readonly config: Config;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The exporter of spans; null when the configuration names no collector. */
export function makeTracing({ config, lifecycle, ...parts }: TracingDeps): Spans | null {
  const { endpoint } = config.tracing;
  if (endpoint === undefined) return null;
  const spans = new OtlpSpans({ endpoint, ...parts });
  lifecycle.started('tracing', () => spans.stop());
  return spans;
}

/** Exports a span of every dialogue that ended: from the commit before its first byte to the commit of its outcome. */
export function traceDialogues(payments: Pick<Payments, 'subscribe'>, spans: Spans | null): void {
  if (spans) payments.subscribe({ event: (event) => traceDialogue(event, spans) });
}

function traceDialogue({ type, subject }: PaymentEvent, spans: Spans): void {
  if (subject.kind !== 'payment' || !ENDED.test(type)) return;
  const { attempt } = subject.view;
  const { dispatchedAt: startedAt, completedAt: endedAt } = attempt;
  if (startedAt === null || endedAt === null) return;
  spans.ended({
    of: attempt,
    id: spanOf(attempt.id),
    parent: requestSpanOf(attempt),
    kind: 'client',
    name: `terminal ${attempt.type}`,
    startedAt,
    endedAt,
    facts: { 'tilld.device': attempt.deviceId, 'tilld.state': attempt.state.name },
  });
}
