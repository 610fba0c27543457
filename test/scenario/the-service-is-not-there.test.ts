import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { ServiceLine } from '../support/service-line.ts';
import { type LinkNow, linkOf, Till } from '../support/till.ts';

async function until(daemon: Daemon, what: string, is: (now: LinkNow) => boolean): Promise<void> {
  const from = performance.now();
  await eventually(async () => is(await linkOf(daemon)), 60_000);
  process.stderr.write(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
}

/** `npm run line`: how many times each trouble is measured in an idle shop; 0: not at all. */
const ROUNDS = Number(process.env['LINE_ROUNDS'] ?? 0);

/** The whole loopback goes down: for a network of its own (`unshare --net`) only. */
const CUT = process.env['LINE_CUT'] === '1';
/** What `tillctl status` says of each. */
const SHOWN = { silent: 'service', failing: 'service', refused: 'service', key: 'key', cut: 'line' } as const;
type Trouble = keyof typeof SHOWN;
const MEASURED: readonly Trouble[] = [
  'silent',
  'failing',
  'refused',
  'key',
  ...(CUT ? (['cut'] as const) : []),
];

const loopback = (state: 'up' | 'down') => void execFileSync('ip', ['link', 'set', 'lo', state]);

async function begin(trouble: Trouble, line: ServiceLine): Promise<void> {
  if (trouble === 'cut') loopback('down');
  else await line.becomes(trouble);
}

async function mend(trouble: Trouble, line: ServiceLine): Promise<void> {
  if (trouble === 'cut') loopback('up');
  else await line.becomes('through');
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Seconds from an act until something is so. */
async function seconds(act: () => Promise<void>, is: () => Promise<boolean>): Promise<number> {
  await act();
  const from = performance.now();
  await eventually(is, 60_000);
  return Math.round((performance.now() - from) / 100) / 10;
}

const sale = (amount: number) => ({ device_id: DEVICE_ID, amount_minor: amount, currency: 'EUR' });

async function sells(till: Till, amount: number): Promise<void> {
  const { id } = (await till.ask('POST', '/terminal-payments', sale(amount))).body.data;
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.charged === 'yes',
    60_000,
  );
}

async function worldBehind(url?: string): Promise<{ world: World; line: ServiceLine }> {
  const world = await aWorld({ autopilotMs: 50 });
  const line = await ServiceLine.to(world.service.url);
  onTestFinished(() => line.stop());
  const config = JSON.parse(readFileSync(world.config, 'utf8'));
  // The pace and the budget are those of a real shop.
  const { poll_interval_ms: _, requests_per_minute: __, burst: ___, ...service } = config.service;
  writeFileSync(world.config, JSON.stringify({ ...config, service: { ...service, url: url ?? line.url } }));
  return { world, line };
}

describe('a service that is not there', () => {
  it('keeps nobody from selling from the first second on; why it is not there is known, and reports follow once it is', async () => {
    const { world, line } = await worldBehind();
    await line.becomes('refused');
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    await sells(till, 100);
    await until(daemon, 'refused at the start', ({ code }) => code === 'service');
    await line.becomes('through');
    const from = performance.now();
    await eventually(() => world.service.control.ledger().length === 1, 60_000);
    process.stderr.write(`reported after it came: ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
    for (const [mode, reason] of [
      ['silent', 'service'],
      ['failing', 'service'],
      ['refused', 'service'],
    ] as const) {
      await until(daemon, `${mode}: the line stands before`, ({ state }) => state === 'online');
      await line.becomes(mode);
      await until(daemon, `${mode}: ${reason}`, ({ state, code }) => state === 'offline' && code === reason);
      const before = world.service.control.ledger().length;
      await sells(till, 200 + before);
      await line.becomes('through');
      const back = performance.now();
      await eventually(() => world.service.control.ledger().length > before, 60_000);
      process.stderr.write(
        `${mode}: reported after its end: ${((performance.now() - back) / 1000).toFixed(1)} s\n`,
      );
    }
    await until(daemon, 'key: the line stands before', ({ state }) => state === 'online');
    await line.becomes('key');
    await until(daemon, 'key: key', ({ code }) => code === 'key');
    await sells(till, 999);
    const before = world.service.control.ledger().length;
    await line.becomes('through');
    await eventually(() => world.service.control.ledger().length > before, 60_000);
  }, 180_000);

  const notTimed = ROUNDS > 0 ? '' : ' (skipped: times are for npm run line)';
  it.runIf(ROUNDS > 0)(`shows within five seconds, also in an idle shop${notTimed}`, async () => {
    const { world, line } = await worldBehind();
    const idle = await Daemon.start(world);
    const worst: Record<string, { down: number; back: number }> = {};
    for (let round = 0; round < ROUNDS; round += 1)
      for (const mode of MEASURED) {
        await eventually(async () => (await linkOf(idle)).state === 'online', 60_000);
        await pause(3_000 + Math.random() * 5_000);
        const down = await seconds(
          () => begin(mode, line),
          async () => (await linkOf(idle)).code === SHOWN[mode],
        );
        await pause(Math.random() * 5_000);
        const back = await seconds(
          () => mend(mode, line),
          async () => (await linkOf(idle)).state === 'online',
        );
        const before = worst[mode] ?? { down: 0, back: 0 };
        worst[mode] = { down: Math.max(before.down, down), back: Math.max(before.back, back) };
      }
    process.stderr.write(`worst of ${ROUNDS} in s: ${JSON.stringify(worst)}\n`);
  });

  it('because its name has no address is told apart, and the shop sells', async () => {
    const { world } = await worldBehind('https://no-such-name.invalid');
    const daemon = await Daemon.start(world);
    const till = await Till.at(daemon);
    await until(daemon, 'no name', ({ code }) => code === 'name_resolution');
    await sells(till, 100);
    const health = await fetch(`${daemon.url}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ can_sell: true, can_report: false });
    expect(await (await fetch(`${daemon.url}/metrics`)).text()).toContain(
      'tilld_link_down{reason="name_resolution"} 1',
    );
  });
});
