import { expect, it, vi } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { aPeopleProvider, PEOPLE_RECIPE } from '../support/people-provider.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';

vi.setConfig({ testTimeout: 60_000 });

const KEY = 'the-key-of-people';
const HOUR = 3_600_000;

/** `HH:MM` in UTC. */
function wallTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}

interface Stream {
  readonly rows: number;
  readonly state: string;
  readonly next_run_at: string;
  readonly next_runs_at: readonly string[];
  readonly run: { readonly no: number; readonly kind: string; readonly outcome: string } | null;
}

it('no run begins in quiet hours by itself, and one that a person asks for does; the next times are shown', async () => {
  const now = Date.now();
  const end = now + 3 * HOUR;
  // Two minutes after the quiet hours have ended, then every five: times at one interval would be shown as one.
  const cron = `${(new Date(end).getUTCMinutes() + 2) % 5}-59/5 * * * *`;
  const provider_a = {
    connector: 'rest',
    sink: 'mirror',
    interval_s: 60,
    settings: { recipe: PEOPLE_RECIPE },
    quiet_hours: { from: wallTime(now - HOUR), to: wallTime(end) },
    time_zone: 'UTC',
    schedules: { customers: { cron, jitter_s: 0 } },
  };
  const shop = await aWorld({}, { integrations: { provider_a } });
  const daemon = await Daemon.start(shop);
  const { url: baseUrl } = await aPeopleProvider(KEY, 3);
  const stream = async () => {
    const path = '/v2/integrations/provider_a/streams';
    const { data } = (await askOver(daemon.socket, 'GET', path)) as { data: readonly Stream[] };
    return data[0];
  };
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', {
    credentials: { apiKey: KEY, baseUrl },
  });
  // Activation is a request of a person.
  await eventually(async () => (await stream())?.rows === 3);
  const first = (await stream())?.run?.no;

  const full = await tillctl(daemon, 'sync', 'provider_a', '--full-resync', '--wait');
  expect(full.code).toBe(0);
  const after = await stream();
  expect(after?.run).toMatchObject({ kind: 'full', outcome: 'complete' });
  expect(after?.run?.no).toBeGreaterThan(first ?? 0);

  const due = Math.floor(end / 60_000) * 60_000;
  expect(after?.next_runs_at).toHaveLength(5);
  expect(Date.parse(after?.next_runs_at[0] ?? '')).toBe(due);
  const gaps = after?.next_runs_at.slice(2).map((time, index) => {
    return Date.parse(time) - Date.parse(after.next_runs_at[index + 1] ?? '');
  });
  expect(gaps).toEqual([300_000, 300_000, 300_000]);
  expect(after?.next_run_at).toBe(after?.next_runs_at[0]);
  const shown = await tillctl(daemon, 'integrations', '--streams', '--utc');
  const times = after?.next_runs_at.map((at) => `${at.slice(0, 10)} ${at.slice(11, 19)}Z`);
  expect(shown.stdout).toContain(`provider_a/customers runs next at ${times?.join(', ')}`);

  expect(await daemon.stop()).toBe(0);
  const again = await Daemon.start(shop);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { data } = (await askOver(again.socket, 'GET', '/v2/integrations/provider_a/streams')) as {
    data: readonly Stream[];
  };
  expect(data[0]?.run?.no).toBe(after?.run?.no);
  expect(await again.stop()).toBe(0);
});
