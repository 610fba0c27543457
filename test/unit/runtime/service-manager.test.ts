import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { serviceManager } from '../../../src/runtime/service-manager.ts';
import { aFolder } from '../../support/money-database.ts';

const ENV = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '60000000', WATCHDOG_PID: '42' };

describe('the service manager', () => {
  it('is nobody without a socket of its own, and nothing is said', async () => {
    const manager = serviceManager({}, 42, silentLog, () => Promise.reject(new Error('nobody')));
    expect([manager.isThere, manager.timeLimitMs]).toEqual([false, null]);
    await manager.notify('READY=1');
  });

  it.each([
    ['of systemd', ENV, 60_000],
    ['that is meant for another process', { ...ENV, WATCHDOG_PID: '43' }, null],
    ['that is none', { ...ENV, WATCHDOG_USEC: 'soon' }, null],
    ['of zero', { ...ENV, WATCHDOG_USEC: '0' }, null],
  ])('knows the patience %s', (_what, env, expected) => {
    expect(serviceManager(env, 42, silentLog, () => Promise.resolve()).timeLimitMs).toBe(expected);
  });

  it('is told one thing after the other, each on one line', async () => {
    const heard: (readonly string[])[] = [];
    const manager = serviceManager(ENV, 42, silentLog, async (notices) => void heard.push(notices));
    await Promise.all([manager.notify('READY=1', 'STATUS=can sell\nREADY=0'), manager.notify('STOPPING=1')]);
    expect(heard).toEqual([['READY=1', 'STATUS=can sell READY=0'], ['STOPPING=1']]);
  });

  it('that does not listen keeps nobody waiting: what may be said again is left out, the stop is not', async () => {
    const heard: string[] = [];
    let listen = () => {};
    const deaf = new Promise<void>((resolve) => {
      listen = resolve;
    });
    const manager = serviceManager(ENV, 42, silentLog, async (notices) => {
      await deaf;
      heard.push(...notices);
    });
    const notified = Array.from({ length: 20 }, () => manager.notify('WATCHDOG=1'));
    const stop = manager.notify('STOPPING=1');
    listen();
    await Promise.all([...notified, stop]);
    expect(heard).toEqual(['WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1', 'STOPPING=1']);
  });

  it('is reached through the tool of systemd, and a tool that fails ends nothing', async () => {
    const folder = aFolder();
    const heard = join(folder, 'heard');
    const tool = join(folder, 'systemd-notify');
    writeFileSync(tool, `#!/bin/sh\necho "$@" >> ${heard}\nexit 1\n`);
    chmodSync(tool, 0o755);
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}:${path}`;
    try {
      const warned: string[] = [];
      const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
      const manager = serviceManager(ENV, 42, log);
      await manager.notify('READY=1', 'STATUS=can sell');
      await manager.notify('WATCHDOG=1');
      expect(readFileSync(heard, 'utf8')).toBe('-- READY=1 STATUS=can sell\n-- WATCHDOG=1\n');
      expect(warned).toEqual(['systemd could not be notified']);
    } finally {
      process.env['PATH'] = path;
    }
  });
});
