import { afterEach, beforeEach, expect, it } from 'vitest';
import { TerminalActivity } from '../../../src/api/contract/terminal-activity.ts';
import { command, documentOf } from './command-line.ts';
import { DEVICE, FakeDaemon, list, one } from './fake-daemon.ts';

const WEEK = { from: '2026-06-03T10:00:00.000Z', to: '2026-06-10T10:00:00.000Z' };
const ACTIVITY = TerminalActivity.parse({
  object: 'terminal_activity',
  device_id: DEVICE.id,
  ...WEEK,
  connected_s: 90 * 3600,
  known_s: 100 * 3600,
  uptime: 0.9,
  payments: { since: WEEK.from, succeeded: 37, declined: 3, decline_rate: 0.075, mean_ms: 6_420 },
  connections: [
    { state: 'connected', since: '2026-06-10T09:00:00.000Z', until: null, reason: null },
    {
      state: 'not_connected',
      since: '2026-06-10T08:00:00.000Z',
      until: '2026-06-10T09:00:00.000Z',
      reason: 'the terminal does not answer',
    },
  ],
});

let daemon: FakeDaemon;
let shown = ACTIVITY;
beforeEach(async () => {
  shown = ACTIVITY;
  daemon = await new FakeDaemon()
    .on('GET /v2/terminal-devices', () => list([DEVICE]))
    .on(`GET /v2/terminal-devices/${DEVICE.id}/activity`, () => one(shown))
    .start();
});
afterEach(() => daemon.remove());

const show = (...words: string[]) =>
  command(['--socket', daemon.socket, '--utc', 'devices', 'show', DEVICE.name, ...words]);

it('shows the connection and the payments of the week, and of how much of it they are known', async () => {
  const { exit, out } = await show();
  expect(exit).toBe(0);
  for (const line of [
    'ready          90.0 % of the 100.0 h that are known of the last 7 days',
    'payments       40 since 2026-06-03 10:00:00Z',
    'declined       3 (7.5 %)',
    'mean time      6.4 s',
    '2026-06-10 09:00:00Z  now                   ready',
    '2026-06-10 08:00:00Z  2026-06-10 09:00:00Z  not ready  the terminal does not answer',
  ])
    expect(out).toContain(line);
});

it('is one document with --json', async () => {
  expect(documentOf((await show('--json')).out)).toEqual({ data: ACTIVITY });
});

it('claims nothing where nothing is known, and names a whole week as one', async () => {
  const payments = { since: WEEK.from, succeeded: 0, declined: 0, decline_rate: null, mean_ms: null };
  shown = { ...ACTIVITY, connected_s: 0, known_s: 0, uptime: null, payments, connections: [] };
  const { out } = await show();
  expect(out).toContain('ready          not known yet');
  expect(out).toContain('When it was ready is not known yet.');
  expect(out).not.toContain('declined');
  shown = { ...ACTIVITY, connected_s: 604_800, known_s: 604_800, uptime: 1 };
  expect((await show()).out).toContain('100.0 % of the last 7 days');
});
