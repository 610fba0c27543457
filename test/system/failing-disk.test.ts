import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aWorld, eventually } from '../support/daemon.ts';
import { charged, lacking, type Machine, RunningDaemon } from './machine.ts';

const STRACE = 'strace';
const missing = lacking([STRACE]);
/** Worth another start. */
const FAILED = 1;

async function machine(missingAcknowledgement: 'keep' | 'reverse' = 'keep'): Promise<Machine> {
  const world = await aWorld({ autopilot: 'off', missingAcknowledgement });
  return { ...world, state: join(world.folder, 'state') };
}

/** From now on the system answers such calls of the daemon on these files with an error, as a disk that dies does. */
async function inject(
  daemon: RunningDaemon,
  calls: string,
  error: string,
  file: string,
): Promise<ChildProcess> {
  const args = [
    '-f',
    '-p',
    String(daemon.pid),
    '-P',
    file,
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:error=${error}`,
  ];
  const strace = spawn(STRACE, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void strace.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    if (!strace.stderr) return reject(new Error('strace says nothing'));
    createInterface({ input: strace.stderr }).on('line', (line) => {
      if (line.includes('attached')) resolve();
      if (line.includes('Operation not permitted')) reject(new Error(line));
    });
  });
  return strace;
}

const log = ({ state }: Machine) => join(state, 'money.db-wal');

describe.skipIf(missing !== '')(`a disk that fails ${missing}`, () => {
  it.each([
    ['keep', 'yes', 1234],
    ['reverse', 'no', 0],
  ] as const)(
    'at the sync of an outcome, on a terminal that would %s: nothing is acknowledged, tilld goes down, and the next start finds charged: %s',
    async (missingAcknowledgement, known, standing) => {
      const shop = await machine(missingAcknowledgement);
      const daemon = await RunningDaemon.ready(shop);
      const { id } = (await daemon.sell(1234)).body.data;
      await eventually(() => shop.terminal.snapshot().screen.startsWith('Present card'));
      const strace = await inject(daemon, 'fsync,fdatasync', 'EIO', log(shop));
      shop.terminal.press('approve');
      expect(await daemon.ended).toBe(FAILED);
      strace.kill('SIGKILL');
      expect(daemon.log).toMatch(/disk failed, going down/);
      await eventually(() => !shop.terminal.snapshot().busy, 30_000);
      const again = await RunningDaemon.ready(shop);
      expect(await again.settled(id)).toMatchObject({ charged: known });
      expect(charged(shop)).toBe(standing);
      const next = (await again.sell(500)).body.data.id;
      await eventually(() => shop.terminal.snapshot().screen.startsWith('Present card'));
      shop.terminal.press('approve');
      expect((await again.settled(next)).status).toBe('succeeded');
      expect(charged(shop)).toBe(standing + 500);
    },
  );

  it('at the sync of a request: nothing reaches the terminal, tilld goes down, and the next start sells', async () => {
    const shop = await machine();
    const daemon = await RunningDaemon.ready(shop);
    const strace = await inject(daemon, 'fsync,fdatasync', 'EIO', log(shop));
    await daemon.sell(1234).catch(() => undefined);
    expect(await daemon.ended).toBe(FAILED);
    strace.kill('SIGKILL');
    expect([daemon.log.includes('disk failed, going down'), shop.terminal.snapshot().ledger]).toEqual([
      true,
      [],
    ]);
    const again = await RunningDaemon.ready(shop);
    await again.sell(500);
    await eventually(() => shop.terminal.snapshot().screen.startsWith('Present card'));
    shop.terminal.press('approve');
    await eventually(() => charged(shop) === 500);
  });

  it('for want of room at the write of an outcome, although room was kept: nothing is acknowledged, and the next start finds out', async () => {
    const shop = await machine();
    const daemon = await RunningDaemon.ready(shop);
    const { id } = (await daemon.sell(1234)).body.data;
    await eventually(() => shop.terminal.snapshot().screen.startsWith('Present card'));
    const strace = await inject(daemon, 'pwrite64', 'ENOSPC', log(shop));
    shop.terminal.press('approve');
    expect(await daemon.ended).toBe(FAILED);
    strace.kill('SIGKILL');
    expect(daemon.log).toMatch(/outcome cannot be stored, going down/);
    await eventually(() => !shop.terminal.snapshot().busy, 30_000);
    const again = await RunningDaemon.ready(shop);
    expect(await again.settled(id)).toMatchObject({ status: 'succeeded', charged: 'yes' });
    expect(charged(shop)).toBe(1234);
  });
});
