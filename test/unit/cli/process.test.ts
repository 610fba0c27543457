import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentOf, spawnTillctl } from './command-line.ts';
import { DEVICE, FakeDaemon, list, one, PAYMENT_ID, paid, payment } from './fake-daemon.ts';

describe('the program tillctl', () => {
  let daemon: FakeDaemon;
  let now = payment();
  beforeEach(async () => {
    now = payment();
    daemon = await new FakeDaemon()
      .on('GET /v2/terminal-devices', () => list([DEVICE]))
      .on('POST /v2/terminal-payments', () => one(now, 201))
      .on(`GET /v2/terminal-payments/${PAYMENT_ID}`, () => one(now))
      .start();
  });
  afterEach(() => daemon.remove());
  const words = () => [
    'pay',
    '--device',
    DEVICE.id,
    '--amount',
    '12.34',
    '--json',
    '--socket',
    daemon.socket,
  ];

  it('prints its help and ends 0', async () => {
    const ran = await spawnTillctl(['--help']).ended;
    expect(ran).toMatchObject({ exit: 0, err: '' });
    expect(ran.out).toContain('pay [options]');
  });

  it('writes nothing but the document to standard output and ends with the code of the outcome', async () => {
    now = paid();
    const ran = await spawnTillctl(words()).ended;
    expect(ran.exit).toBe(0);
    expect(documentOf(ran.out)).toEqual({ data: paid() });
  });

  it('ends 5 at SIGINT, and leaves the payment alone', async () => {
    const { child, ended, printed } = spawnTillctl(words());
    await vi.waitFor(() => expect(printed.err).toContain(PAYMENT_ID), { timeout: 10_000 });
    child.kill('SIGINT');
    const ran = await ended;
    expect(ran.exit).toBe(5);
    expect(documentOf(ran.out)).toMatchObject({ data: { status: 'in_progress' } });
    expect(daemon.seen.filter((seen) => seen.method === 'POST')).toHaveLength(1);
  });

  it('ends 3 without a daemon', async () => {
    const ran = await spawnTillctl(['status', '--json', '--socket', '/nonexistent/tilld.sock']).ended;
    expect(ran.exit).toBe(3);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'no_daemon' } });
  });
});
