import type { TerminalActivity } from '../../api/contract/terminal-activity.ts';
import type { TerminalDevice } from '../../api/contract/terminal-device.ts';
import { moment } from './moment.ts';
import { facts, table } from './table.ts';

const STATES = {
  connected: 'ready',
  not_connected: 'not ready',
  wrong_terminal: 'another terminal',
} as const;

/** A terminal for people: what it is, its last seven days, and when it was connected. */
export function terminalText(device: TerminalDevice, activity: TerminalActivity): string {
  const { payments, connections } = activity;
  const { succeeded, declined, decline_rate: rate, mean_ms: meanMs } = payments;
  const known = facts([
    ['terminal', device.name],
    ['status', statusOf(device)],
    ['because', device.status_reason],
    ['serial number', device.terminal_serial],
    ['terminal id', device.terminal_id],
    ['model', device.model],
    ['firmware', device.firmware],
    ['last seen', device.last_seen_at],
    ['ready', uptimeText(activity)],
    ['payments', `${succeeded + declined} since ${moment(payments.since)}`],
    ['declined', rate === null ? null : `${declined} (${percent(rate)})`],
    ['mean time', meanMs === null ? null : `${(meanMs / 1000).toFixed(1)} s`],
  ]);
  const rows = connections.map(({ state, since, until, reason }) => [
    since,
    until ?? 'now',
    STATES[state],
    reason ?? '',
  ]);
  const history = table(['SINCE', 'UNTIL', 'STATE', 'BECAUSE'], rows);
  return `${known}\n${rows.length === 0 ? 'When it was ready is not known yet.\n' : history}`;
}

/** The status for people: a terminal that answers and needs a person is not called offline. */
export function statusOf({ status, needs }: TerminalDevice): string {
  return status === 'offline' && needs !== null ? 'needs a person' : status;
}

/** The share of the time of which the connection is known, and how long that is where it is not the whole week. */
function uptimeText({ uptime, known_s: knownS, from, to }: TerminalActivity): string {
  if (uptime === null) return 'not known yet';
  const isWhole = knownS >= (Date.parse(to) - Date.parse(from)) / 1000 - 1;
  return `${percent(uptime)} of ${isWhole ? 'the last 7 days' : `the ${hours(knownS)} h that are known of the last 7 days`}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function hours(seconds: number): string {
  return (seconds / 3600).toFixed(1);
}
