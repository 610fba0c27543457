import { afterAll, beforeAll, expect, it } from 'vitest';
import { TerminalActivity } from '../../../src/api/contract/terminal-activity.ts';
import { SqliteTerminalActivity } from '../../../src/store/terminals/sqlite-terminal-activity.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, KEYS, startShop } from './shop.ts';

const HOUR = 3_600_000;

let started: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  started = await startShop();
});
afterAll(() => started.api.stop());

const read = (id = DEVICE_ID) =>
  ask(started.api.url, { path: `/v2/terminal-devices/${id}/activity`, key: KEYS.reader });

it('says of how much of the week the connection is known, and claims nothing where it is not', async () => {
  const empty = TerminalActivity.parse((await read()).json.data);
  expect(empty).toMatchObject({
    uptime: null,
    known_s: 0,
    connections: [],
    payments: { succeeded: 0, declined: 0, decline_rate: null, mean_ms: null },
  });
  const store = new SqliteTerminalActivity(started.shop.books);
  const now = Date.now();
  const add = (state: 'connected' | 'not_connected', from: number, to: number) =>
    store.add(DEVICE_ID, {
      state,
      since: now - from * HOUR,
      until: now - to * HOUR,
      reason: state === 'connected' ? null : 'the terminal does not answer',
    });
  store.add(DEVICE_ID, {
    state: 'connected',
    since: now - 500 * HOUR,
    until: now - 400 * HOUR,
    reason: null,
  });
  add('connected', 10, 4);
  add('not_connected', 4, 2);
  const { status, json } = await read();
  expect(status).toBe(200);
  expect(TerminalActivity.parse(json.data)).toMatchObject({
    object: 'terminal_activity',
    device_id: DEVICE_ID,
    connected_s: 6 * 3600,
    known_s: 8 * 3600,
    uptime: 0.75,
    connections: [
      { state: 'not_connected', reason: 'the terminal does not answer' },
      { state: 'connected', reason: null },
    ],
  });
});

it('is 404 for a device that is not there', async () => {
  const { status } = await read('0198c5a0-aaaa-7000-8000-0000000000ff');
  expect(status).toBe(404);
});
