import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { ptyForTests } from '../support/pty.ts';
import { Till, tillctl } from '../support/till.ts';

const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
const probe = await ptyForTests();
await probe.pty?.pipe.close();
const WIRES = [
  ['tcp', false, ''],
  ['pty', probe.pty === undefined, probe.reason],
] as const;

function reportedAs(world: World, id: string) {
  return world.service.control.ledger().find((line) => line['id'] === id);
}

describe.each(WIRES)('a sale, end to end, over %s', (over, missing, reason) => {
  it.skipIf(missing)(
    `by tillctl ends succeeded, here, on the terminal and at the service${reason}`,
    async () => {
      const world = await aWorld({ over, autopilotMs: 100 });
      const daemon = await Daemon.start(world);
      const { code, stdout, stderr } = await tillctl(
        daemon,
        'pay',
        '--device',
        'counter 1',
        '--amount',
        '12.34',
        '--currency',
        'EUR',
        '--json',
      );
      expect(code).toBe(0);
      const { data } = JSON.parse(stdout);
      expect(data).toMatchObject({
        status: 'succeeded',
        charged: 'yes',
        amount_minor: 1234,
        approved_amount_minor: 1234,
        auth_code: expect.stringMatching(/^\d{6}$/),
        masked_pan: expect.stringMatching(/^\d{6}\*+\d{4}$/),
        card_scheme: expect.any(String),
        entry_mode: expect.stringMatching(/^(chip|contactless)$/),
        terminal_serial: '17F00001',
        receipts: { customer: expect.stringContaining('12.34'), merchant: expect.stringContaining('12.34') },
      });
      expect(stderr).not.toBe('');
      expect(world.terminal.snapshot().ledger).toMatchObject([
        { kind: 'sale', amountMinor: 1234, result: 'approved', reversed: false },
      ]);
      const line = await eventually(() => {
        const found = reportedAs(world, data.id);
        return found?.['status'] === 'succeeded' ? found : undefined;
      });
      expect(line).toMatchObject({
        auth_code: data.auth_code,
        calls: { create: { applied: 1 }, result: { applied: 1, refused: 0 } },
      });
      expect(await daemon.stop()).toBe(0);
    },
  );

  it.skipIf(missing)(
    `by HTTP with an API key shows the terminal's texts while the customer pays${reason}`,
    async () => {
      const world = await aWorld({ over, autopilot: 'off' });
      const daemon = await Daemon.start(world);
      const till = await Till.at(daemon);
      const created = await till.ask('POST', '/terminal-payments', SALE);
      expect(created.status).toBe(201);
      expect(created.body.data).toMatchObject({ status: 'requested', charged: 'unknown' });
      const { id } = created.body.data;
      const paying = await eventually(async () => {
        const { data } = (await till.ask('GET', `/terminal-payments/${id}`)).body;
        return data.progress !== null ? data : undefined;
      });
      expect(paying).toMatchObject({ status: 'in_progress', charged: 'unknown', in_doubt: false });
      world.terminal.press('wrong_pin');
      world.terminal.press('approve');
      const paid = await eventually(async () => {
        const { data } = (await till.ask('GET', `/terminal-payments/${id}`)).body;
        return data.status === 'succeeded' ? data : undefined;
      });
      expect(paid).toMatchObject({ charged: 'yes', progress: null });
      const events = (await till.ask('GET', '/events?limit=100')).body.data.map(
        (event: { type: string }) => event.type,
      );
      expect(events).toEqual([
        'terminal_payment.requested',
        'terminal_payment.in_progress',
        'terminal_payment.succeeded',
      ]);
    },
  );
});

describe('the order of a sale on disk', () => {
  it('is dispatched before the first byte, approved before the acknowledgement, succeeded at the end of the dialogue', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    const { stdout } = await tillctl(daemon, 'pay', '--device', DEVICE_ID, '--amount', '1.00', '--json');
    const { id } = JSON.parse(stdout).data;
    const explained = JSON.parse((await tillctl(daemon, 'explain', id, '--json')).stdout);
    const story: { kind: string; text: string }[] = explained.data.story;
    const frames = story.filter((line) => line.kind === 'frame').map((line) => line.text);
    expect(frames.some((text) => text.startsWith('→'))).toBe(true);
    await daemon.stop();
    const database = new Sqlite(daemon.database, { readonly: true });
    const states = database
      .prepare('SELECT to_state FROM journal WHERE attempt_id = ? ORDER BY seq')
      .pluck()
      .all(id);
    database.close();
    expect(states).toEqual(['requested', 'dispatched', 'accepted', 'approved', 'succeeded']);
  });
});
