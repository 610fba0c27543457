import { type ConnectionSpan, uptimeOf } from '../../terminal/connection-log.ts';
import type { TerminalActivity } from '../contract/terminal-activity.ts';
import type { TerminalFigures } from '../ports.ts';
import { instant, instantOrNull } from './instant.ts';

/** Most connections that are listed. */
const MOST_CONNECTIONS = 50;

export interface Activity {
  readonly deviceId: string;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  /** Newest first. */
  readonly spans: readonly ConnectionSpan[];
  readonly figures: TerminalFigures;
}

/** How well a terminal works, as the API shows it. */
export function renderTerminalActivity({ deviceId, from, to, spans, figures }: Activity): TerminalActivity {
  const { connectedMs, knownMs } = uptimeOf(spans, from, to);
  const { since, succeeded, declined, meanMs } = figures;
  return {
    object: 'terminal_activity',
    device_id: deviceId,
    from: instant(from),
    to: instant(to),
    connected_s: Math.floor(connectedMs / 1000),
    known_s: Math.floor(knownMs / 1000),
    uptime: shareOf(connectedMs, knownMs),
    payments: {
      since: instant(since),
      succeeded,
      declined,
      decline_rate: shareOf(declined, succeeded + declined),
      mean_ms: meanMs,
    },
    connections: spans.slice(0, MOST_CONNECTIONS).map((span) => ({
      state: span.state,
      since: instant(span.since),
      until: instantOrNull(span.until),
      reason: span.reason,
    })),
  };
}

/** Four digits behind the point; null: there is no whole. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
