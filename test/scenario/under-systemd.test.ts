import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';

/** A service manager that writes down what it hears. @returns where */
function aServiceManager(folder: string): string {
  const heard = join(folder, 'heard');
  const tool = join(folder, 'systemd-notify');
  writeFileSync(tool, `#!/bin/sh\nshift\nfor word; do echo "$word"; done >> ${heard}\n`);
  chmodSync(tool, 0o755);
  const before = { ...process.env };
  Object.assign(process.env, {
    PATH: `${folder}:${before['PATH']}`,
    NOTIFY_SOCKET: join(folder, 'notify'),
    WATCHDOG_USEC: '300000',
  });
  onTestFinished(() => {
    process.env = before;
  });
  return heard;
}

describe('under systemd', { timeout: 60_000 }, () => {
  it('tilld says when it is ready, feeds the watchdog, reads its configuration again, and says that it stops', async () => {
    const world = await aWorld();
    const heard = aServiceManager(world.folder);
    const output = () => (existsSync(heard) ? readFileSync(heard, 'utf8').split('\n') : []);
    const daemon = await Daemon.start(world);
    await eventually(() => output().filter((word) => word === 'WATCHDOG=1').length > 2);
    expect(output()[0]).toBe('READY=1');
    await eventually(() => output().includes('STATUS=can sell, can report'));

    const config = JSON.parse(readFileSync(world.config, 'utf8'));
    writeFileSync(world.config, JSON.stringify({ ...config, log: { level: 'warn' }, heartbeat_ms: 9000 }));
    daemon.signal('SIGHUP');
    await eventually(() => daemon.log.includes('these changes need a restart'));
    expect(daemon.log).toMatch(/"keys":\["heartbeat_ms"\]/);
    writeFileSync(world.config, '{ this is no configuration');
    daemon.signal('SIGHUP');
    await eventually(() => daemon.log.includes('configuration cannot be used, nothing was changed'));
    expect(daemon.log.match(/"configuration was read again"/g)).toHaveLength(1);

    expect(await daemon.stop()).toBe(0);
    expect(output()).toContain('STOPPING=1');
  });
});
