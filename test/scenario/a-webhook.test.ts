import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { Till } from '../support/till.ts';
import { type Seen, startPeer } from '../unit/net/peer.ts';

const SALE = { device_id: DEVICE_ID, amount_minor: 1234, currency: 'EUR' };
const EVENTS = ['requested', 'in_progress', 'in_doubt', 'succeeded', 'declined', 'cancelled', 'error'].map(
  (what) => `terminal_payment.${what}`,
);

/** A receiver that outlives the daemon; while it `hangs` it takes requests and says nothing. */
async function aReceiver() {
  const how = { hangs: false };
  const peer = await startPeer((response) => {
    if (!how.hangs) response.writeHead(200).end();
  });
  onTestFinished(() => peer.close());
  return { url: peer.url, seen: peer.seen, how };
}

async function register(till: Till, url: string): Promise<{ id: string; secret: string }> {
  return (await till.ask('POST', '/webhook-endpoints', { url, events: EVENTS })).body.data;
}

const eventOf = ({ body }: Seen): { id: string; type: string } => JSON.parse(body);

function isSigned({ headers, body }: Seen, secret: string): boolean {
  const [, seconds, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? [];
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex') === v1;
}

/** Every event of the list has reached the receiver with the bytes that the list shows. */
async function expectAll(till: Till, seen: readonly Seen[], secret: string): Promise<void> {
  const listed: { id: string; type: string }[] = await eventually(async () => {
    const { data } = (await till.ask('GET', '/events?limit=100')).body;
    const isOver = data.some(({ type }: { type: string }) => type === 'terminal_payment.succeeded');
    return isOver && data.every(({ id }: { id: string }) => seen.some((one) => eventOf(one).id === id))
      ? data
      : undefined;
  });
  const bodies = new Map(seen.map((one) => [eventOf(one).id, one.body]));
  for (const event of listed) expect(bodies.get(event.id)).toBe(JSON.stringify(event));
  expect([...bodies.keys()]).toEqual(listed.map(({ id }) => id));
  expect(seen.every((one) => isSigned(one, secret))).toBe(true);
}

function books(world: World): string {
  const folder = join(world.folder, 'state');
  const files = readdirSync(folder).filter((name) => name.startsWith('money.db'));
  return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
}

describe('a registered endpoint', () => {
  it('gets everything that happens to a sale, as the list of events shows it, in its order, signed', async () => {
    const world = await aWorld();
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    const { url, seen } = await aReceiver();
    const { secret } = await register(till, url);
    await till.ask('POST', '/terminal-payments', SALE);
    await expectAll(till, seen, secret);
    expect(seen.map((one) => eventOf(one).type)).toEqual([
      'terminal_payment.requested',
      'terminal_payment.in_progress',
      'terminal_payment.succeeded',
    ]);
    expect(seen[0]?.headers['user-agent']).toMatch(/^tilld\/\d/);
  });

  it('misses nothing when the daemon is killed right after an event was committed', async () => {
    const world = await aWorld();
    const first = await Daemon.start(world);
    const till = await Till.at(first);
    const { url, seen } = await aReceiver();
    const { secret } = await register(till, url);
    await till.ask('POST', '/terminal-payments', SALE);
    await first.kill();
    const moved = till.moved(await Daemon.start(world));
    await eventually(
      async () => (await moved.ask('GET', '/terminal-devices')).body.data[0].status === 'ready',
      60_000,
    );
    await moved.ask('POST', '/terminal-payments', { ...SALE, amount_minor: 500 });
    await expectAll(moved, seen, secret);
  });

  it('gets the same event again when the daemon is killed before it has noted an answer', async () => {
    const world = await aWorld();
    const first = await Daemon.start(world);
    const till = await Till.at(first);
    const { url, seen, how } = await aReceiver();
    how.hangs = true;
    const { secret } = await register(till, url);
    await till.ask('POST', '/terminal-payments', SALE);
    await eventually(() => seen.length > 0);
    await eventually(async () => (await till.ask('GET', '/events?limit=100')).body.data.length === 3);
    await first.kill();
    how.hangs = false;
    const moved = till.moved(await Daemon.start(world));
    await expectAll(moved, seen, secret);
    expect(seen.map((one) => eventOf(one).type)).toEqual([
      'terminal_payment.requested',
      'terminal_payment.requested',
      'terminal_payment.in_progress',
      'terminal_payment.succeeded',
    ]);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });
});

describe('the secret of an endpoint', () => {
  it('stands nowhere in the books, and is lost with the key that sealed it: the shop sells on, and a rolled one signs again', async () => {
    const world = await aWorld();
    const first = await Daemon.start(world);
    const till = await Till.at(first);
    const { url, seen } = await aReceiver();
    const { id, secret } = await register(till, url);
    expect(books(world)).not.toContain(secret);
    await first.stop();
    rmSync(join(world.folder, 'state', 'credentials', 'seal.key'));

    const again = await Daemon.start(world);
    const moved = till.moved(again);
    await moved.ask('POST', '/terminal-payments', SALE);
    const failing = await eventually(async () => {
      const { data } = (await moved.ask('GET', `/webhook-deliveries?endpoint_id=${id}`)).body;
      return data.length === 3 && data.every(({ attempts }: { attempts: number }) => attempts === 1)
        ? data
        : undefined;
    });
    expect(failing[0]).toMatchObject({ status: 'pending', last_error: expect.stringContaining('roll it') });
    const listed = await moved.ask('GET', '/webhook-endpoints');
    expect(listed.body.data).toMatchObject([{ id, status: 'enabled', needs_new_secret: true }]);
    expect((await moved.ask('GET', '/terminal-payments')).body.data[0].status).toBe('succeeded');

    const rolled = (await moved.ask('POST', `/webhook-endpoints/${id}/roll-secret`)).body.data.secret;
    const redelivered = await moved.ask('POST', `/webhook-deliveries/${failing[0].id}/redeliver`);
    expect(redelivered.status).toBe(201);
    const one = await eventually(() => seen[0]);
    expect([isSigned(one, rolled), isSigned(one, secret)]).toEqual([true, false]);
  });
});
