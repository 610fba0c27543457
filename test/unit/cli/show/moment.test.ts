import { describe, expect, it } from 'vitest';
import { spawnTillctl } from '../command-line.ts';
import { FakeDaemon, list } from '../fake-daemon.ts';

const MIRRORED = {
  object: 'mirrored_list',
  list: 'invoices',
  path: '/v2/invoices',
  rows: 1,
  fresh_at: '2026-07-01T23:30:00.250Z',
};

describe('the times that people are shown', () => {
  it.each([
    ['Europe/Berlin', [], '2026-07-02 01:30:00 '],
    ['America/St_Johns', [], '2026-07-01 21:00:00 '],
    ['Europe/Berlin', ['--utc'], '2026-07-01 23:30:00Z '],
  ])('are in the zone of the machine, %s, or in UTC where asked: %j', async (zone, more, shown) => {
    const daemon = await new FakeDaemon().on('GET /v2/mirror', () => list([MIRRORED])).start();
    const words = ['--socket', daemon.socket, 'mirror', ...more];
    const { out, err } = await spawnTillctl(words, '', { TZ: zone }).ended;
    expect([out, err]).toEqual([expect.stringContaining(shown), '']);
    const json = await spawnTillctl([...words, '--json'], '', { TZ: zone }).ended;
    expect(json.out).toContain('"2026-07-01T23:30:00.250Z"');
    await daemon.remove();
  });
});
