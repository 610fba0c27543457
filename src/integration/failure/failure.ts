import { AppError, messageOf } from '../../base/errors.ts';
import { SOURCE_CODES } from '../connector.ts';

/**
 * What a failure does to the run and to the integration. `pause`: the whole integration waits for a person. `pause_stream`: this
 * stream does. `wait`: no error of the provider, not
 * counted.
 * `retry`: again within the run, then counted. `fail`: counted at once.
 */
export type FailureEffect = 'pause' | 'pause_stream' | 'wait' | 'retry' | 'fail';

/** The sink is the service: its refusal is no error of the provider. */
export const SINK_CODES = {
  SINK_UNAUTHORISED: 'wait',
  SINK_LINE_DOWN: 'wait',
  SINK_RATE_LIMITED: 'wait',
  SINK_UNAVAILABLE: 'retry',
  SINK_MALFORMED: 'retry',
  SINK_REFUSED: 'fail',
} as const satisfies Readonly<Record<string, FailureEffect>>;
export type SinkCode = keyof typeof SINK_CODES;

const EFFECTS: Readonly<Record<string, FailureEffect>> = {
  ...SOURCE_CODES,
  ...SINK_CODES,
  /** Disk space is short, and payments come first. */
  STORAGE_FULL: 'wait',
};

/** A failure as tilld stores, counts and shows it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly effect: FailureEffect;
  /** The wait that the other side asks for, ms. */
  readonly retryAfterMs: number | null;
  /** The status of the other side's answer; null: there was none, or it is not known. */
  readonly status: number | null;
}

const MOST_MESSAGE = 500;

/** Any thrown value, by its cause. An error that no connector may throw is a bug of the connector: counted, not repeated. */
export function failureOf(error: unknown): Failure {
  const message = messageOf(error).slice(0, MOST_MESSAGE);
  if (!(error instanceof AppError))
    return { code: 'CONNECTOR_BROKEN', message, effect: 'fail', retryAfterMs: null, status: null };
  const effect = EFFECTS[error.code] ?? 'fail';
  const [retryAfterMs, status] = [numberOf(error, 'retryAfterMs'), numberOf(error, 'status')];
  return { code: error.code, message, effect, retryAfterMs, status };
}

function numberOf({ context }: AppError, name: 'retryAfterMs' | 'status'): number | null {
  const details = context['details'];
  const found = context[name] ?? (details instanceof Object ? Reflect.get(details, name) : null);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : null;
}
