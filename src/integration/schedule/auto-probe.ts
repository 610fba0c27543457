import { type Errors, FORBIDDEN, type Integration } from '../integration.ts';

/** Causes that end by themselves: the provider, or the service, could not be reached or failed. */
const OUTAGES: readonly string[] = ['SOURCE_UNAVAILABLE', 'SINK_UNAVAILABLE'];

const MINUTE_MS = 60_000;
const FIRST_MS = 5 * MINUTE_MS;
const GROWTH = 3;
const MOST_MS = 6 * 60 * MINUTE_MS;
/** Beyond it the pause is the longest one anyway. */
const MOST_STEPS = 10;

/** The failures that have paused an integration; a stream that must not be read pauses itself alone. */
function pausing(errors: readonly Errors[], maxErrors: number): readonly Errors[] {
  const counted = errors.filter(({ cause }) => cause !== FORBIDDEN);
  const most = Math.max(0, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count > 0 && count >= Math.min(maxErrors, most));
}

/** Whether nothing but an outage has paused it, so that it probes itself. */
export function isOutage(errors: readonly Errors[], maxErrors: number): boolean {
  const causes = pausing(errors, maxErrors);
  return causes.length > 0 && causes.every(({ cause }) => OUTAGES.includes(cause));
}

/** Whether a paused integration may go on: no resource has failed as often as pauses it. */
export function isOver(errors: readonly Errors[], maxErrors: number): boolean {
  return errors.every(({ count, cause }) => count < maxErrors || cause === FORBIDDEN);
}

interface ProbeFacts {
  readonly resource: string;
  readonly maxErrors: number;
  /** The source asked not to be read before then; null: it did not. */
  readonly askAgainAt: number | null;
  readonly now: number;
}

/**
 * When an integration that an outage has paused runs a failing stream again, by itself: after 5, 15, 45, 135 minutes, then every six hours; later where
 * the source asks for it. Null: it does not.
 */
export function nextProbeAt(
  { isActive, isEnabled, pausedFor }: Pick<Integration, 'isActive' | 'isEnabled' | 'pausedFor'>,
  errors: readonly Errors[],
  { resource, maxErrors, askAgainAt, now }: ProbeFacts,
): number | null {
  if (!isActive || !isEnabled || pausedFor !== 'errors' || !isOutage(errors, maxErrors)) return null;
  const own = pausing(errors, maxErrors).find((one) => one.resource === resource);
  if (!own) return null;
  const steps = Math.min(MOST_STEPS, Math.max(0, own.count - maxErrors));
  // The clock was set back: it does not wait for as long as that.
  if (own.at > now) return now;
  const askedMs = askAgainAt === null ? 0 : askAgainAt - own.at;
  return own.at + Math.max(askedMs, Math.min(MOST_MS, FIRST_MS * GROWTH ** steps));
}
