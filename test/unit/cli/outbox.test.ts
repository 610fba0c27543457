import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutboxReport } from '../../../src/api/contract/outbox-report.ts';
import { command, documentOf } from './command-line.ts';
import { AT, DEVICE, FakeDaemon, list, one, PAYMENT_ID } from './fake-daemon.ts';

const ID = '0199c0de-0000-7000-8000-0000000000ab';
const PARKED = OutboxReport.parse({
  id: ID,
  object: 'outbox_report',
  payment_id: PAYMENT_ID,
  parent_id: null,
  device_id: DEVICE.id,
  amount_minor: 1234,
  currency: 'EUR',
  kind: 'result',
  type: 'sale',
  status: 'parked',
  attempts: 2,
  last_error: 'refused: 422 invoice_locked',
  created_at: AT,
  key_first_used_at: AT,
  decision: null,
});
const DROPPED = OutboxReport.parse({
  ...PARKED,
  status: 'dropped',
  decision: { decision: 'dropped', at: AT, caller: 'socket', by: 'Anna', reason: 'by hand' },
});

describe('tillctl outbox', () => {
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = await new FakeDaemon()
      .on('GET /v2/outbox', () => list([PARKED]))
      .on('GET /v2/terminal-devices', () => list([DEVICE]))
      .on(`POST /v2/outbox/${ID}/retry`, () => one({ ...PARKED, status: 'pending' }))
      .on(`POST /v2/outbox/${ID}/drop`, () => one(DROPPED))
      .start();
  });
  afterEach(() => daemon.remove());

  it.each([
    ['', ['outbox'], 'refused: 422 invoice_locked'],
    ['list', ['outbox', 'list', '--status', 'parked'], 'parked'],
    ['list', ['outbox', 'list'], '12.34 EUR'],
    ['list', ['outbox', 'list'], 'Counter 1'],
    ['retry', ['outbox', 'retry', ID], 'pending'],
    ['drop', ['outbox', 'drop', ID, '--reason', 'by hand', '--by', 'Anna'], 'dropped by Anna'],
  ])('%s shows each report, in words and as JSON', async (_, words, shown) => {
    const printed = await command(['--socket', daemon.socket, ...words]);
    expect(printed).toMatchObject({ exit: 0, out: expect.stringContaining(shown) });
    const json = await command(['--socket', daemon.socket, '--json', ...words]);
    expect(documentOf(json.out)).toHaveProperty('data');
  });

  it.each([
    ['a drop without a reason', ['outbox', 'drop', ID]],
    ['an empty reason', ['outbox', 'drop', ID, '--reason', ' ']],
    ['an id that is none', ['outbox', 'retry', 'newest']],
    ['a status that is none', ['outbox', '--status', 'lost']],
  ])('refuses %s', async (_, words) => {
    expect((await command(['--socket', daemon.socket, ...words])).exit).toBe(2);
  });
});
